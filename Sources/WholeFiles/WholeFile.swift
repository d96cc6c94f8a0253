// SPDX-License-Identifier: Apache-2.0
internal import CWholeFiles
internal import FileNames
internal import Glibc
internal import Synchronization

/// A new file under a temporary name, in the same folder as its final name.
///
/// It gets its name in one step when it is complete, or leaves no file behind. An existing file
/// with the name is replaced, or refused, only in that step. The file is locked while it is
/// written, so that files of killed processes can be detected in any process namespace.
package struct WholeFile: ~Copyable {
  /// The open file, for reading and writing.
  ///
  /// Close it before `keep()`.
  package let descriptor: Int32
  private let passing: String
  private var target: String
  private let mayReplace: Bool
  /// A duplicate descriptor, which holds the lock until the file gets its name.
  private let lock: Int32
  private var isKept = false
  /// The index of the temporary name in the list of incomplete files.
  private let note: Int32

  private static let count = Atomic<Int>(0)

  /// Creates a file in the folder of its final name.
  ///
  /// - Parameters:
  ///   - path: The final name. If it is a link, the target of the link is replaced.
  ///   - mayReplace: True to replace an existing file when this one is complete.
  ///   - mode: The permissions of a file that does not replace one, without those in the process's
  ///     mask.
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

  /// Gives the file its name.
  ///
  /// Its bytes must be written and its descriptor closed.
  ///
  /// - Throws: `WholeFileError`, such as `exists` if another file has the name.
  package mutating func keep() throws(WholeFileError) {
    if mayReplace {
      guard WholeFolder.rename(passing, target) else { throw .refused(errno) }
    } else {
      try takeFreeName()
    }
    isKept = true
  }

  /// Gives the file its name, or if the name is taken, the first free one of `take-2.wav`,
  /// `take-3.wav` and so on.
  ///
  /// Use it for files that cannot be created again.
  ///
  /// - Returns: The name of the file.
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

  /// Inserts a number before the extension of a name.
  private static func name(_ path: String, numbered number: Int) -> String {
    let start = path.lastIndex(of: "/").map { path.index(after: $0) } ?? path.startIndex
    guard let dot = path[start...].lastIndex(of: "."), dot > start else {
      return "\(path)-\(number)"
    }
    return "\(path[..<dot])-\(number)\(path[dot...])"
  }

  /// Checks that a name is free, before the file is written.
  ///
  /// Devices and pipes are accepted.
  ///
  /// - Parameters:
  ///   - path: The final name.
  ///   - mayReplace: True if an existing file may be replaced.
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

  /// Removes all incomplete files and folders of this process, immediately before it ends.
  ///
  /// It does not wait for other threads.
  package static func removeUnfinished() {
    cwholefiles_remove_noted()
    WholeFolder.removeUnfinished()
  }

  /// The total size in bytes of all incomplete files, which increases while they are written.
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

  /// Creates a second name, only if it is free, for file systems without such a rename.
  private mutating func linkToFreeName() throws(WholeFileError) {
    let isLinked = passing.withSystemPath { from in
      target.withSystemPath { unsafe link(from, $0) } == 0
    }
    if isLinked {
      passing.withSystemPath { unsafe _ = unlink($0) }
      return
    }
    guard errno != EEXIST else { throw .exists }
    // Without links, an empty file claims the name, and is then replaced.
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
      // A dead process with the same number left this file, so the next serial number is tried.
      guard errno == EEXIST else { throw .refused(errno) }
    }
  }

  /// The resolved path of the file, and the mode of the existing file.
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
