// SPDX-License-Identifier: Apache-2.0
package import Downbeat

extension OutputFile {
  /// Names a file; `-` is the standard output of the current console.
  ///
  /// - Parameters:
  ///   - path: the path.
  ///   - overwrite: whether a file that exists may be replaced.
  /// - Throws: `OutputFileError.exists` or `danglingLink`, before any work is done.
  package init(named path: String, overwrite: Bool) throws(OutputFileError) {
    try self.init(
      path: path, overwrite: overwrite, standardOutput: Console.current.outputDescriptor)
  }
}
