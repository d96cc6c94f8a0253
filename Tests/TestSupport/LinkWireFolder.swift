// SPDX-License-Identifier: Apache-2.0
public import Foundation
public import Testing

/// The folder of captured datagrams of Link (link-wire-spec, CC0), which are read in place.
public enum LinkWireFolder {
  /// The folder: `DOWNBEAT_LINK_WIRE`, or a folder next to the checkout.
  public static let url = URL(
    fileURLWithPath: ProcessInfo.processInfo.environment["DOWNBEAT_LINK_WIRE"]
      ?? ToolRun.packageFolder.appendingPathComponent("../shared/link-wire").path)

  /// True if the folder exists.
  public static let isThere = FileManager.default.fileExists(atPath: url.path)

  /// The reason for which tests that need it are skipped.
  public static let reason: Comment = "no captures of Link (set DOWNBEAT_LINK_WIRE)"

  /// Reads the datagrams of a libpcap capture of UDP over IPv4.
  ///
  /// - Throws: An error if it cannot be read.
  public static func datagrams(of capture: String) throws -> [[UInt8]] {
    let file = url.appendingPathComponent("vectors").appendingPathComponent(capture)
    let bytes = [UInt8](try Data(contentsOf: file))
    func word(_ place: Int) -> Int {
      (0..<4).reduce(0) { $0 | Int(bytes[place + $1]) << (8 * $1) }
    }
    // Ethernet, or a capture on all interfaces.
    let head = word(20) == 1 ? 14 : 20
    var datagrams: [[UInt8]] = []
    var place = 24
    while place < bytes.count {
      let size = word(place + 8)
      let packet = bytes[(place + 16 + head)..<(place + 16 + size)]
      let length = Int(packet[packet.startIndex] & 15) * 4 + 8
      datagrams.append([UInt8](packet.dropFirst(length)))
      place += 16 + size
    }
    return datagrams
  }
}
