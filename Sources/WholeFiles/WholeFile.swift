// SPDX-License-Identifier: Apache-2.0
internal import CWholeFiles
internal import FileNames
internal import Glibc
internal import Synchronization

/// A file under a temporary name, beside the one it is to become.
///
/// It takes the final name in one step, complete, or leaves nothing behind. Whether a file of that
/// name is replaced is decided in that step, not before.
///
/// While it is written it is locked, so that what a killed process left can be told from what a
/// living one writes, whatever the process namespace.
package struct WholeFile: ~Copyable {
  /// The open file, to read and to write; whoever created the file closes it.
  package let descriptor: Int32
  private let passing: String
  private var target: String
  private let mayReplace: Bool
  /// A second descriptor of the same opening: it holds the lock until the name is given.
  private let lock: Int32
  private var isKept = false
  /// The place of the temporary name in the list of files that are not complete.
  private let note: Int32

  private static let count = Atomic<Int>(0)

  /// Creates a file in the folder of the one it is to become.
  ///
  /// - Parameters:
  ///   - path: the name it is to have; a link is followed to the file it leads to.
  ///   - mayReplace: whether a file that has the name by then is replaced.
  ///   - mode: the permissions of a file that replaces none, less the process's mask.
  /// - Throws: `WholeFileError`.
  package init(
    path: String, mayReplace: Bool, mode: UInt32 = 0o666
  ) throws(WholeFileError) {
    let place = try Self.place(of: path, mayReplace: mayReplace)
    let folder = place.path.lastIndex(of: "/").map { String(place.path[...$0]) } ?? ""
    PassingName.sweep(folder)
    (passing, descriptor) = try Self.create(in: folder, mode: place.mode ?? mode)
    note = passing.withSystemPath { unsafe cwholefiles_note($0) }
    if let mode = place.mode { fchmod(descriptor, mode) }
    _ = flock(descriptor, LOCK_EX | LOCK_NB)
    lock = fcntl(descriptor, F_DUPFD_CLOEXEC, 3)
    target = place.path
    self.mayReplace = mayReplace
  }

  deinit {
    if !isKept { passing.withSystemPath { unsafe _ = unlink($0) } }
    cwholefiles_forget(note)
    if lock >= 0 { close(lock) }
  }

  /// Gives the file its name; by then its bytes are written and its descriptor is closed.
  ///
  /// - Throws: `WholeFileError`, `exists` where another has the name by now.
  package mutating func keep() throws(WholeFileError) {
    if mayReplace {
      guard WholeFolder.rename(passing, target) else { throw .refused(errno) }
    } else {
      try takeFreeName()
    }
    isKept = true
  }

  /// Gives the file its name, or, where another has it by now, the first free one of `take-2.wav`,
  /// `take-3.wav` and so on: for what cannot be made again.
  ///
  /// - Returns: the name that it has.
  /// - Throws: `WholeFileError`.
  package mutating func keepUnderFreeName() throws(WholeFileError) -> String {
    let wanted = target
    for number in 2...9999 {
      do {
        try keep()
        return target
      } catch .exists {
        target = Self.name(wanted, numbered: number)
      }
    }
    throw .exists
  }

  /// A name with a number before its suffix.
  private static func name(_ path: String, numbered number: Int) -> String {
    let start = path.lastIndex(of: "/").map { path.index(after: $0) } ?? path.startIndex
    guard let dot = path[start...].lastIndex(of: "."), dot > start else {
      return "\(path)-\(number)"
    }
    return "\(path[..<dot])-\(number)\(path[dot...])"
  }

  /// Refuses a name that is taken, before work is done in vain; devices and pipes are not refused.
  ///
  /// - Throws: `WholeFileError.exists` or `.dangling`.
  package static func check(_ path: String, mayReplace: Bool) throws(WholeFileError) {
    guard let kind = kind(of: path, followed: false) else { return }
    guard kind == S_IFREG || kind == S_IFLNK else { return }
    guard mayReplace else {
      if kind == S_IFLNK, let real = Self.kind(of: path, followed: true), real != S_IFREG {
        return
      }
      throw .exists
    }
    if Self.kind(of: path, followed: true) == nil { throw .dangling }
  }

  /// Removes all files and folders of this process that are not complete.
  ///
  /// For a process that cannot complete them: it ends next. It waits for no other thread.
  package static func removeUnfinished() {
    cwholefiles_remove_noted()
    WholeFolder.removeUnfinished()
  }

  /// The bytes of all files that are not complete, which grow while they are written.
  package static var unfinishedByteCount: Int64 { cwholefiles_noted_bytes() }

  private mutating func takeFreeName() throws(WholeFileError) {
    let code = passing.withSystemPath { from in
      target.withSystemPath { unsafe cwholefiles_rename_to_free(from, $0) }
    }
    switch code {
    case 0: return
    case EEXIST: throw .exists
    case EINVAL, ENOSYS, EPERM, EOPNOTSUPP: try linkToFreeName()
    default: throw .refused(code)
    }
  }

  /// Where the file system cannot rename so: a second name, given only where it is free.
  private mutating func linkToFreeName() throws(WholeFileError) {
    let isLinked = passing.withSystemPath { from in
      target.withSystemPath { unsafe link(from, $0) } == 0
    }
    if isLinked {
      passing.withSystemPath { unsafe _ = unlink($0) }
      return
    }
    guard errno != EEXIST else { throw .exists }
    // Without links either: an empty file of our own claims the name, and is then replaced.
    let claim = target.withSystemPath {
      unsafe open($0, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
    }
    guard claim >= 0 else { throw errno == EEXIST ? .exists : .refused(errno) }
    close(claim)
    guard WholeFolder.rename(passing, target) else {
      let code = errno
      target.withSystemPath { unsafe _ = unlink($0) }
      throw .refused(code)
    }
  }

  private static func create(
    in folder: String, mode: mode_t
  ) throws(WholeFileError) -> (path: String, descriptor: Int32) {
    while true {
      let serial = count.wrappingAdd(1, ordering: .relaxed).newValue
      let path = folder + PassingName(process: getpid(), serial: serial).text
      let descriptor = path.withSystemPath {
        unsafe open($0, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, mode)
      }
      if descriptor >= 0 { return (path, descriptor) }
      // A dead process had our number and left this: the next serial is free.
      guard errno == EEXIST else { throw .refused(errno) }
    }
  }

  /// Where the file will really be, and the mode of the one that is there now.
  private static func place(
    of path: String, mayReplace: Bool
  ) throws(WholeFileError) -> (path: String, mode: mode_t?) {
    try check(path, mayReplace: mayReplace)
    var status = stat()
    guard path.withSystemPath({ unsafe stat($0, &status) }) == 0 else { return (path, nil) }
    switch status.st_mode & S_IFMT {
    case S_IFREG: break
    case S_IFDIR: throw .refused(EISDIR)
    default: throw .notRegularFile
    }
    // A rename would replace a file that its owner has protected.
    guard path.withSystemPath({ unsafe access($0, W_OK) }) == 0 else { throw .refused(errno) }
    guard let real = path.withSystemPath({ unsafe realpath($0, nil) }) else {
      throw .refused(errno)
    }
    defer { unsafe free(real) }
    return unsafe (FileName.text(cString: real), status.st_mode & 0o777)
  }

  private static func kind(of path: String, followed: Bool) -> mode_t? {
    var status = stat()
    let code = path.withSystemPath {
      unsafe followed ? stat($0, &status) : lstat($0, &status)
    }
    return code == 0 ? status.st_mode & S_IFMT : nil
  }
}
