// SPDX-License-Identifier: Apache-2.0
internal import Glibc

extension WholeFile {
  /// Makes the folders above a path that are not there yet.
  ///
  /// One that cannot be made is not told of: creating the file then fails, and says why.
  ///
  /// - Parameters:
  ///   - path: the path of a file.
  ///   - mode: who may read and change a folder that is made, less what the process's mask takes.
  package static func makeFolders(above path: String, mode: UInt32 = 0o777) {
    for (index, character) in path.enumerated() where character == "/" && index > 0 {
      _ = unsafe mkdir(String(path.prefix(index)), mode)
    }
  }
}
