// SPDX-License-Identifier: Apache-2.0
public import Foundation

/// A folder for one test, which is removed with its contents when this object is released.
public final class ScratchFolder: Sendable {
  /// The location of the folder.
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

  /// The path of a file in it, which need not exist.
  public func path(_ name: String) -> String {
    url.appendingPathComponent(name).path
  }

  /// Writes a file and returns its path.
  public func write(_ name: String, _ bytes: [UInt8]) throws -> String {
    try write(bytes, to: name)
    return path(name)
  }

  /// Writes bytes to a file.
  public func write(_ bytes: [UInt8], to name: String) throws {
    try Data(bytes).write(to: url.appendingPathComponent(name))
  }

  /// Writes a text to a file, in UTF-8.
  public func write(_ text: String, to name: String) throws {
    try write(Array(text.utf8), to: name)
  }

  /// The names of the files in it, sorted.
  public func names() throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: url.path).sorted()
  }

  /// The folder's path.
  public var path: String { url.path }

  /// The bytes of a file in the folder.
  public func bytes(_ name: String) throws -> [UInt8] {
    Array(try FileContent.data(path(name)))
  }
}
