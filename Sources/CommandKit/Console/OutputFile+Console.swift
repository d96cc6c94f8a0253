// SPDX-License-Identifier: Apache-2.0
package import Downbeat

extension OutputFile {
  /// Names a file; `-` is the standard output of the current console.
  ///
  /// - Parameters:
  ///   - path: The path.
  ///   - overwrite: True if an existing file may be replaced.
  /// - Throws: `OutputFileError.exists` or `danglingLink`; nothing has been written then.
  package init(named path: String, overwrite: Bool) throws(OutputFileError) {
    try self.init(
      path: path, overwrite: overwrite, standardOutput: Console.current.outputDescriptor)
  }
}
