// SPDX-License-Identifier: Apache-2.0
internal import FileNames
internal import Glibc

extension WholeFile {
  /// Makes the folders above a path that are not there yet.
  ///
  /// One that cannot be made is not told of: creating the file then fails, and says why.
  ///
  /// They are for other users too; `PrivateFolder` makes those that are not.
  ///
  /// - Parameter path: the path of a file.
  package static func makeFolders(above path: String) {
    for (index, character) in path.enumerated() where character == "/" && index > 0 {
      String(path.prefix(index)).withSystemPath { unsafe _ = mkdir($0, 0o777) }
    }
  }
}
