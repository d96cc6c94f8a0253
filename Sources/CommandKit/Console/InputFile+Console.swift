// SPDX-License-Identifier: Apache-2.0
package import Downbeat

extension InputFile {
  /// Reads a file whole; `-` is the standard input of the current console.
  ///
  /// - Parameters:
  ///   - path: the path.
  ///   - limit: the most bytes, packed and unpacked.
  /// - Throws: `FileError` if the file is missing or cannot be read.
  package init(named path: String, limit: Int = InputFile.limit) throws(FileError) {
    try self.init(path: path, limit: limit, standardInput: Console.current.inputDescriptor)
  }
}
