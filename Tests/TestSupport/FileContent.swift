// SPDX-License-Identifier: Apache-2.0
public import Foundation

/// A file's bytes, read so that a count of lost memory finds none.
public enum FileContent {
  /// The bytes; `Data(contentsOf:)` loses the memory it has got for a file that is empty.
  public static func data(_ path: String) throws -> Data {
    let file = try FileHandle(forReadingFrom: URL(fileURLWithPath: path))
    defer { file.closeFile() }
    return try file.readToEnd() ?? Data()
  }
}
