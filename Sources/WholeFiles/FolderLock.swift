// SPDX-License-Identifier: Apache-2.0
internal import FileNames
internal import Glibc

/// A lock on a folder, for programs that read a file, change it and replace it.
///
/// The lock is released when this object is released, or the process ends.
package final class FolderLock: Sendable {
  private let descriptor: Int32

  /// Waits until other processes have released the lock, and acquires it.
  ///
  /// The result is nil if the folder cannot be opened, or its file system does not support locks.
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
