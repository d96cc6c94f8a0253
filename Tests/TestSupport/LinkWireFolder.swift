// SPDX-License-Identifier: Apache-2.0
public import Foundation
public import Testing

/// The folder of captured datagrams of Link (link-wire-spec, CC0), read in place.
public enum LinkWireFolder {
  /// Where it is: `DOWNBEAT_LINK_WIRE`, or beside the checkout.
  public static let url = URL(
    fileURLWithPath: ProcessInfo.processInfo.environment["DOWNBEAT_LINK_WIRE"]
      ?? ToolRun.packageFolder.appendingPathComponent("../shared/link-wire").path)

  /// Whether it is there.
  public static let isThere = FileManager.default.fileExists(atPath: url.path)

  /// Why a test that needs it is skipped.
  public static let reason: Comment = "no captures of Link (set DOWNBEAT_LINK_WIRE)"

  /// The datagrams of a capture, as libpcap writes one of version 4 over UDP.
  ///
  /// - Throws: where it cannot be read.
  public static func datagrams(of capture: String) throws -> [[UInt8]] {
    let file = url.appendingPathComponent("vectors").appendingPathComponent(capture)
    let bytes = [UInt8](try Data(contentsOf: file))
    func word(_ place: Int) -> Int {
      (0..<4).reduce(0) { $0 | Int(bytes[place + $1]) << (8 * $1) }
    }
    // Ethernet, or what any interface at once gives.
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
