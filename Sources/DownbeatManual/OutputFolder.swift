// SPDX-License-Identifier: Apache-2.0
internal import Downbeat
internal import WholeFiles

/// The folder for the generated files.
struct OutputFolder {
  let path: String

  /// Writes a file, and creates the folders above it.
  func write(_ text: String, to name: String) throws {
    let path = "\(path)/\(name)"
    WholeFile.makeFolders(above: path)
    try OutputFile(path: path, overwrite: true).write(Array(text.utf8))
  }
}
