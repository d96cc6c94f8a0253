// SPDX-License-Identifier: Apache-2.0
internal import FileNames
internal import Glibc

/// A lock on a folder, for programs that read a file, change it and replace it.
///
/// The lock ends with this object or with the process.
package final class FolderLock: Sendable {
  private let descriptor: Int32

  /// Takes the lock, and waits for other processes that have it.
  ///
  /// Nil if the folder cannot be opened, or if its file system does not support locks.
  ///
  /// - Parameter path: The path of a file in the folder.
  package init?(above path: String) {
    let folder = path.lastIndex(of: "/").map { String(path[...$0]) } ?? "."
    descriptor = folder.withSystemPath {
      unsafe open($0, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    }
    guard descriptor >= 0 else { return nil }
    while flock(descriptor, LOCK_EX) != 0 {
      guard errno == EINTR else {
        close(descriptor)
        return nil
      }
    }
  }

  deinit { close(descriptor) }
}
