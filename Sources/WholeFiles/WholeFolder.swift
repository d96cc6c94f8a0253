// SPDX-License-Identifier: Apache-2.0
internal import CWholeFiles
internal import FileNames
internal import Glibc
internal import Synchronization

/// Functions for folders of files that appear completely, or not at all.
package enum WholeFolder {
  private static let count = Atomic<Int>(0)
  /// The temporary names of the folders that this process has created.
  private static let made = Mutex<[String]>([])

  /// Creates a folder under a temporary name.
  ///
  /// The folder is locked until this process ends. If the process is killed, the next process that
  /// writes to `parent` removes the folder.
  ///
  /// - Parameter parent: The folder above; empty for the current folder, otherwise with a `/` at
  ///   its end.
  /// - Returns: The path of the folder.
  /// - Throws: `WholeFileError.refused`.
  package static func make(in parent: String) throws(WholeFileError) -> String {
    PassingName.sweep(parent)
    while true {
      let serial = count.wrappingAdd(1, ordering: .relaxed).newValue
      let path = parent + PassingName(process: getpid(), serial: serial, isFolder: true).text
      guard path.withSystemPath({ unsafe mkdir($0, 0o777) }) == 0 else {
        // A dead process with the same number left this folder, so the next serial number is tried.
        guard errno == EEXIST else { throw .refused(errno) }
        continue
      }
      let lock = path.withSystemPath {
        unsafe open($0, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
      }
      if lock >= 0 { _ = flock(lock, LOCK_EX | LOCK_NB) }
      made.withLock { $0.append(path) }
      return path
    }
  }

  /// Removes the folders that do not have their final names yet, with the files in them.
  static func removeUnfinished() {
    for path in made.withLockIfAvailable({ $0 }) ?? [] { PassingName.remove(folder: path) }
  }

  /// Exchanges the names of two folders, in one step if the file system supports it.
  ///
  /// - Parameters:
  ///   - one: The path of a folder.
  ///   - other: The path of the other folder.
  /// - Returns: The error number, or 0.
  package static func exchange(_ one: String, _ other: String) -> Int32 {
    let code = one.withSystemPath { one in
      other.withSystemPath { unsafe cwholefiles_exchange(one, $0) }
    }
    switch code {
    case EINVAL, ENOSYS, EOPNOTSUPP:
      let aside = one + "-before"
      guard rename(other, aside) else { return errno }
      guard rename(one, other) else {
        let code = errno
        _ = rename(aside, other)
        return code
      }
      return rename(aside, one) ? 0 : errno
    default: return code
    }
  }

  /// Renames a file or folder, and replaces an existing file; returns false and sets `errno` if
  /// that fails.
  package static func rename(_ one: String, _ other: String) -> Bool {
    one.withSystemPath { one in other.withSystemPath { unsafe Glibc.rename(one, $0) } } == 0
  }
}
