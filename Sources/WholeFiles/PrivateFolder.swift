// SPDX-License-Identifier: Apache-2.0
internal import FileNames
internal import Glibc

/// Folders and files that belong to this user alone: what the program keeps between runs, what several
/// programs of one user share, and temporary files.
///
/// All that is made under `~/.cache`, `~/.config`, `~/.local/state`, `$XDG_RUNTIME_DIR` and the folder
/// for temporary files is made here: folders with mode 0700, files with mode 0600. What is opened is
/// checked after it is open, so that a name cannot come to mean something else in between.
package enum PrivateFolder {
  /// Why a folder or a file is not opened.
  package enum Refusal: Error, Hashable, Sendable {
    /// The system refuses it; the payload is an error number.
    case system(Int32)
    /// It is a link, a pipe, a device, or a folder in place of a file.
    case otherKind
    /// It belongs to another user, or others may use it.
    case notPrivate
  }

  /// Makes a folder and those above it that are missing, with mode 0700.
  ///
  /// Folders that exist keep their mode.
  ///
  /// - Returns: the error number, or 0 if the folder was made or exists.
  @discardableResult
  package static func make(_ path: String) -> Int32 {
    for index in path.indices.dropFirst() where path[index] == "/" {
      String(path[..<index]).withSystemPath { unsafe _ = mkdir($0, 0o700) }
    }
    return makeLast(path)
  }

  /// Makes a folder in one that exists, with mode 0700; returns the error number, or 0.
  private static func makeLast(_ path: String) -> Int32 {
    path.withSystemPath { unsafe mkdir($0, 0o700) } == 0 || errno == EEXIST ? 0 : errno
  }

  /// Makes the folders above a file that are missing, with mode 0700.
  package static func make(above path: String) {
    if let end = path.lastIndex(of: "/"), end != path.startIndex { make(String(path[..<end])) }
  }

  /// Opens a folder of this user that no other user may use.
  ///
  /// - Parameters:
  ///   - path: the folder; a link is refused.
  ///   - makes: whether it is made if it is missing.
  ///   - makesParents: whether those above it are made, too. Not those of the system, such as
  ///     `/dev/shm`, which other users need.
  ///   - repairs: whether other users lose the use of a folder that is this user's and that they could
  ///     read, but not change.
  /// - Returns: a descriptor.
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
      // Why it could not be made says more than that it is missing.
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

  /// Opens a regular file of this user: a link is not followed, and a pipe is not waited for.
  ///
  /// - Parameters:
  ///   - name: its name in the folder, or its path.
  ///   - folder: a descriptor of the folder; nil for the current one.
  ///   - flags: as for `open`, without those that make it safe.
  /// - Returns: a descriptor.
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

  /// The folder for temporary files: `TMPDIR`, or `/tmp`.
  package static var temporary: String {
    guard let path = unsafe getenv("TMPDIR"), unsafe path.pointee != 0 else { return "/tmp" }
    return unsafe FileName.text(cString: path)
  }

  /// Makes a file that has no name, so that it goes away when it is closed.
  ///
  /// - Parameter folder: the folder it is made in; nil for that of temporary files.
  /// - Returns: a descriptor, to read and to write.
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
