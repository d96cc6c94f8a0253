// SPDX-License-Identifier: Apache-2.0
internal import FileNames
internal import Glibc

/// Folders and files that only this user can access, such as state and temporary files.
///
/// All files under `~/.cache`, `~/.local/state`, `$XDG_RUNTIME_DIR` and the folder for temporary
/// files are created here: folders with mode 0700, files with mode 0600. Of `~/.config`, only the
/// folder is created here. Checks are made after opening, so that a name cannot be replaced between
/// check and use.
package enum PrivateFolder {
  /// The reason why a folder or a file is not opened.
  package enum Refusal: Error, Hashable, Sendable {
    /// The system refuses it, with this error number.
    case system(Int32)
    /// It is a link, a pipe or a device, or a folder instead of a file.
    case otherKind
    /// It belongs to another user, or other users can access it.
    case notPrivate
  }

  /// Creates a folder and its missing parent folders with mode 0700.
  ///
  /// Existing folders keep their mode.
  ///
  /// - Parameter path: The path of the folder.
  /// - Returns: The error number; 0 if the folder was created or exists.
  @discardableResult
  package static func make(_ path: String) -> Int32 {
    for index in path.indices.dropFirst() where path[index] == "/" {
      String(path[..<index]).withSystemPath { unsafe _ = mkdir($0, 0o700) }
    }
    return makeLast(path)
  }

  /// Creates a folder in an existing one with mode 0700; returns the error number, or 0.
  private static func makeLast(_ path: String) -> Int32 {
    path.withSystemPath { unsafe mkdir($0, 0o700) } == 0 || errno == EEXIST ? 0 : errno
  }

  /// Creates the missing folders above a file with mode 0700.
  package static func make(above path: String) {
    if let end = path.lastIndex(of: "/"), end != path.startIndex { make(String(path[..<end])) }
  }

  /// Opens a folder of this user that other users cannot access.
  ///
  /// - Parameters:
  ///   - path: The path of the folder; a link is refused.
  ///   - makes: True to create it if it is missing.
  ///   - makesParents: True to create its parent folders too. Use false for system folders, such as
  ///     `/dev/shm`, which other users need.
  ///   - repairs: True to remove the access of other users to a folder of this user that they can
  ///     read but not change.
  /// - Returns: An open file descriptor.
  /// - Throws: `Refusal`.
  package static func open(
    _ path: String, making makes: Bool = false, makingParents makesParents: Bool = true,
    repairing repairs: Bool = false
  ) throws(Refusal) -> Int32 {
    let refusal = makes ? makesParents ? make(path) : makeLast(path) : 0
    let descriptor = path.withSystemPath {
      unsafe Glibc.open($0, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC)
    }
    guard descriptor >= 0 else {
      let code = errno
      if [ENOTDIR, ELOOP].contains(code) { throw .otherKind }
      // The reason why it could not be created is more useful than that it is missing.
      throw .system(code == ENOENT && refusal != 0 ? refusal : code)
    }
    var status = stat()
    guard unsafe fstat(descriptor, &status) == 0, status.st_uid == geteuid(),
      status.st_mode & 0o077 == 0
        || repairs && status.st_mode & 0o022 == 0 && fchmod(descriptor, 0o700) == 0
    else {
      close(descriptor)
      throw .notPrivate
    }
    return descriptor
  }

  /// Opens a regular file of this user without following links or waiting for pipes.
  ///
  /// - Parameters:
  ///   - name: The name in the folder, or a path.
  ///   - folder: A descriptor of the folder; nil for the current folder.
  ///   - flags: The flags for `open`. Those for safety are added.
  /// - Returns: An open file descriptor.
  /// - Throws: `Refusal`.
  package static func openFile(
    _ name: String, in folder: Int32? = nil, flags: Int32 = O_RDONLY
  ) throws(Refusal) -> Int32 {
    let safe = O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC | O_NOCTTY
    let descriptor = name.withSystemPath {
      unsafe openat(folder ?? AT_FDCWD, $0, flags | safe, 0o600)
    }
    guard descriptor >= 0 else {
      throw [ELOOP, EISDIR, ENXIO].contains(errno) ? .otherKind : .system(errno)
    }
    var status = stat()
    guard unsafe fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
      close(descriptor)
      throw .otherKind
    }
    guard status.st_uid == geteuid() else {
      close(descriptor)
      throw .notPrivate
    }
    return descriptor
  }

  /// The folder for temporary files: the environment variable `TMPDIR`, or `/tmp`.
  package static var temporary: String {
    guard let path = unsafe getenv("TMPDIR"), unsafe path.pointee != 0 else { return "/tmp" }
    return unsafe FileName.text(cString: path)
  }

  /// Creates a file without a name, which is deleted when it is closed.
  ///
  /// - Parameter folder: The folder in which it is created; nil for that of temporary files.
  /// - Returns: A file descriptor for reading and writing.
  /// - Throws: `Refusal.system`.
  package static func unnamedFile(in folder: String? = nil) throws(Refusal) -> Int32 {
    let name = "\(folder ?? temporary)/.downbeat-XXXXXX"
    var path = FileName.bytes(of: name).map(CChar.init(bitPattern:)) + [0]
    let descriptor = unsafe mkstemp(&path)
    guard descriptor >= 0 else { throw .system(errno) }
    _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
    unsafe _ = unlink(path)
    return descriptor
  }
}
