// SPDX-License-Identifier: Apache-2.0
public import Foundation

/// A folder for one test, removed with everything in it when the test lets go of it.
public final class ScratchFolder: Sendable {
  /// Where it is.
  public let url: URL

  /// Creates an empty folder.
  public init() throws {
    url = FileManager.default.temporaryDirectory
      .appendingPathComponent("downbeat-test-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
  }

  deinit {
    do {
      try FileManager.default.removeItem(at: url)
    } catch {
      print("could not remove \(url.path): \(error)")
    }
  }

  /// The path of a file in it, there or not.
  public func path(_ name: String) -> String {
    url.appendingPathComponent(name).path
  }

  /// Writes a file and returns its path.
  public func write(_ name: String, _ bytes: [UInt8]) throws -> String {
    try Data(bytes).write(to: url.appendingPathComponent(name))
    return path(name)
  }

  /// The names of the files in it, sorted.
  public func names() throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: url.path).sorted()
  }
}
