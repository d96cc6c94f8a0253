// SPDX-License-Identifier: Apache-2.0
internal import FileNames
internal import Glibc

extension WholeFile {
  /// Creates the missing folders above a path, for all users.
  ///
  /// A failure is not reported, because creating the file then fails with the reason. For folders
  /// that only this user can access, use `PrivateFolder`.
  ///
  /// - Parameter path: The path of a file.
  package static func makeFolders(above path: String) {
    for (index, character) in path.enumerated() where character == "/" && index > 0 {
      String(path.prefix(index)).withSystemPath { unsafe _ = mkdir($0, 0o777) }
    }
  }
}
