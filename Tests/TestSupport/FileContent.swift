// SPDX-License-Identifier: Apache-2.0
public import Foundation

/// Reads a file's bytes without a memory leak, for tests that count leaks.
public enum FileContent {
  /// The bytes of a file.
  ///
  /// `Data(contentsOf:)` leaks memory for an empty file.
  public static func data(_ path: String) throws -> Data {
    let file = try FileHandle(forReadingFrom: URL(fileURLWithPath: path))
    defer { file.closeFile() }
    return try file.readToEnd() ?? Data()
  }
}
