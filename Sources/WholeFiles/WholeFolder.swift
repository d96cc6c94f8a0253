// SPDX-License-Identifier: Apache-2.0
internal import CWholeFiles
internal import FileNames
internal import Glibc
internal import Synchronization

/// What is done with folders of files that appear whole, or not at all.
package enum WholeFolder {
  private static let count = Atomic<Int>(0)
  /// The temporary names of the folders that this process has made.
  private static let made = Mutex<[String]>([])

  /// Makes a folder under a temporary name.
  ///
  /// The folder is locked until this process ends; what a killed process left is removed by the
  /// next one that writes beside it.
  ///
  /// - Parameter parent: where; empty for the current folder, else with a `/` at its end.
  /// - Returns: its path.
  /// - Throws: `WholeFileError.refused`.
  package static func make(in parent: String) throws(WholeFileError) -> String {
    PassingName.sweep(parent)
    while true {
      let serial = count.wrappingAdd(1, ordering: .relaxed).newValue
      let path = parent + PassingName(process: getpid(), serial: serial, isFolder: true).text
      guard path.withSystemPath({ unsafe mkdir($0, 0o777) }) == 0 else {
        // A dead process had our number and left this: the next serial is free.
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

  /// Removes the folders that have not got their names, with the files in them.
  static func removeUnfinished() {
    for path in made.withLockIfAvailable({ $0 }) ?? [] { PassingName.remove(folder: path) }
  }

  /// Exchanges the names of two folders, in one step where the file system can do that.
  ///
  /// - Returns: the error number, or 0.
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

  /// Gives a file or folder another name; false with an error number in `errno`.
  package static func rename(_ one: String, _ other: String) -> Bool {
    one.withSystemPath { one in other.withSystemPath { unsafe Glibc.rename(one, $0) } } == 0
  }
}
