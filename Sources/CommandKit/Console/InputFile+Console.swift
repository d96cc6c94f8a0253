// SPDX-License-Identifier: Apache-2.0
package import Downbeat

extension InputFile {
  /// Reads a whole file, decompressed; `-` is the standard input of the current console.
  ///
  /// - Parameters:
  ///   - path: The path.
  ///   - limit: The maximum size in bytes, both compressed and decompressed.
  /// - Throws: `FileError` if the file is missing or cannot be read.
  package init(named path: String, limit: Int = InputFile.limit) throws(FileError) {
    try self.init(path: path, limit: limit, standardInput: Console.current.inputDescriptor)
  }
}
