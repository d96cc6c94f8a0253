// SPDX-License-Identifier: Apache-2.0
internal import FileNames
internal import Glibc
internal import Synchronization

/// A Unix socket through which programs of the same user can control a player.
///
/// The socket file is created by `init`, and removed when the object is released. A socket file
/// that remains from a process that has ended is replaced.
///
/// - Note: Any thread.
///
/// Source: unix(7).
public final class ControlSocket: Sendable {
  /// The maximum number of connections that may wait for `accept`.
  private static let waiting: Int32 = 16
  /// The steps of 10 ms to wait while another player creates its socket.
  private static let patience = 100

  /// A socket file of this process.
  private struct Name: Equatable {
    let folder: Int32
    let name: String
    let inode: UInt64
  }

  private static let names = Mutex<[Name]>([])

  /// The path of the socket.
  public let path: String
  /// The file descriptor, which becomes readable when a program connects.
  public let descriptor: Int32
  /// True if it replaced the socket file of an ended process.
  package let replacesDead: Bool
  private let name: Name

  /// Creates a socket at a path, to which programs can connect.
  ///
  /// - Parameter path: The path.
  /// - Throws: `ControlError.Kind.noOutput` if the path exists and is not the socket of a process
  ///   that has ended, `.noPermission` if other users can change its folder, `.usage` for a name
  ///   longer than 80 bytes.
  public convenience init(path: String) throws(ControlError) {
    let cut = path.lastIndex(of: "/")
    let folder = cut.map { String(path[...$0]) } ?? "."
    let name = String(path[(cut.map(path.index(after:)) ?? path.startIndex)...])
    try self.init(path: path, in: try Self.openFolder(folder, of: path), named: name)
  }

  /// Creates a socket in the folder in which `downbeat ctl` finds the players of the user.
  ///
  /// The path is `$XDG_RUNTIME_DIR/downbeat/player-PID.socket`. If the variable is not set or its
  /// folder belongs to another user, the folder is in `/run/user/UID` or is
  /// `/dev/shm/downbeat-UID`.
  ///
  /// - Throws: `SharedSnapshotError` if no private folder exists; `ControlError` if the process
  ///   already has such a socket.
  public convenience init() throws {
    let (folder, path, name) = try RunningPlayers.ownPlace()
    try self.init(path: path, in: folder, named: name)
  }

  /// Listens in a folder; takes over its descriptor.
  package init(path: String, in folder: Int32, named name: String) throws(ControlError) {
    self.path = path
    let descriptor = socket(
      AF_UNIX, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue | SOCK_NONBLOCK.rawValue), 0)
    self.descriptor = descriptor
    let passing = ".downbeat-\(getpid())-\(descriptor)"
    let address: UnixAddress
    do throws(ControlError) {
      guard descriptor >= 0 else { throw Self.refusal(path, errno) }
      address = try UnixAddress(name: passing, in: folder, path: path)
      _ = try UnixAddress(name: name, in: folder, path: path)
      // The file gets this mode, so other users can never open it.
      fchmod(descriptor, 0o600)
      guard address.bind(descriptor) == 0 else { throw Self.refusal(path, errno) }
      defer { passing.withSystemPath { unsafe _ = unlinkat(folder, $0, 0) } }
      guard listen(descriptor, Self.waiting) == 0 else { throw Self.refusal(path, errno) }
      try Self.lock(folder, path)
      defer { flock(folder, LOCK_UN) }
      replacesDead = try Self.makeRoom(for: name, in: folder, path)
      let linked = passing.withSystemPath { from in
        name.withSystemPath { unsafe linkat(folder, from, folder, $0, 0) }
      }
      guard linked == 0 else { throw Self.refusal(path, errno) }
    } catch {
      close(descriptor)
      close(folder)
      throw error
    }
    let made = Name(folder: folder, name: name, inode: Self.inode(name, in: folder))
    self.name = made
    Self.names.withLock { $0.append(made) }
  }

  deinit {
    close(descriptor)
    let own = name
    Self.names.withLock { names in
      Self.remove(own)
      names.removeAll { $0 == own }
    }
    close(own.folder)
  }

  /// The process ID.
  static var ownProcess: Int32 { getpid() }

  /// Removes the files of all sockets before the process ends; any thread.
  package static func removeAll() {
    names.withLock { names in
      names.forEach(remove)
      names = []
    }
  }

  /// Removes a socket file if it is still the file of our socket.
  private static func remove(_ name: Name) {
    guard inode(name.name, in: name.folder) == name.inode else { return }
    name.name.withSystemPath { unsafe _ = unlinkat(name.folder, $0, 0) }
  }

  private static func inode(_ name: String, in folder: Int32) -> UInt64 {
    var status = stat()
    let code = name.withSystemPath {
      unsafe fstatat(folder, $0, &status, AT_SYMLINK_NOFOLLOW)
    }
    guard code == 0 else { return 0 }
    return UInt64(status.st_ino)
  }

  /// Accepts a client of the same user; nil if none waits.
  ///
  /// - Throws: `Shortage` if descriptors or memory of the system are exhausted. The client then
  ///   continues to wait, and the socket stays readable.
  func accept() throws(Shortage) -> Int32? {
    while true {
      let client = Glibc.accept(descriptor, nil, nil)
      guard client >= 0 else {
        switch errno {
        case EINTR, ECONNABORTED: continue
        case EMFILE, ENFILE, ENOBUFS, ENOMEM: throw Shortage()
        default: return nil
        }
      }
      _ = fcntl(client, F_SETFD, FD_CLOEXEC)
      if UnixAddress.peer(of: client)?.user == geteuid() { return client }
      close(client)
    }
  }

  /// Descriptors or memory of the system are exhausted.
  package struct Shortage: Error {}
}

extension ControlSocket {
  /// Opens a folder in which other users cannot replace the socket.
  private static func openFolder(_ folder: String, of path: String) throws(ControlError) -> Int32 {
    let descriptor = folder.withSystemPath {
      unsafe open($0, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    }
    guard descriptor >= 0 else { throw refusal(path, errno) }
    var status = stat()
    guard unsafe fstat(descriptor, &status) == 0,
      status.st_uid == geteuid() || status.st_uid == 0,
      status.st_mode & 0o022 == 0 || status.st_mode & S_ISVTX != 0
    else {
      close(descriptor)
      throw ControlError(
        .noPermission,
        "\(path): other users can write to its folder (choose a private folder, such as"
          + " $XDG_RUNTIME_DIR)")
    }
    return descriptor
  }

  /// Prevents other players of this user from creating a socket in the same folder at the same
  /// time.
  private static func lock(_ folder: Int32, _ path: String) throws(ControlError) {
    for _ in 0..<patience {
      if flock(folder, LOCK_EX | LOCK_NB) == 0 { return }
      usleep(10_000)
    }
    throw refusal(path, errno)
  }

  /// Removes a socket that no process listens on; throws if anything else has the name.
  ///
  /// - Returns: True if a socket was removed.
  private static func makeRoom(
    for name: String, in folder: Int32, _ path: String
  ) throws(ControlError) -> Bool {
    var status = stat()
    let found = name.withSystemPath {
      unsafe fstatat(folder, $0, &status, AT_SYMLINK_NOFOLLOW)
    }
    guard found == 0 else { return false }
    guard status.st_mode & S_IFMT == S_IFSOCK, status.st_uid == geteuid() else {
      throw ControlError(.noOutput, "\(path): exists, but is not your socket (choose another path)")
    }
    let address = try UnixAddress(name: name, in: folder, path: path)
    var process = ""
    do {
      let other = try address.connected()
      process = UnixAddress.peer(of: other).map { " (process \($0.process))" } ?? ""
      close(other)
    } catch  where error.code == ECONNREFUSED {
      guard name.withSystemPath({ unsafe unlinkat(folder, $0, 0) }) == 0 else {
        throw refusal(path, errno)
      }
      return true
    } catch  where error.code != EAGAIN {
      throw refusal(path, error.code)
    } catch {
      // The queue of connections is full, so a process listens.
    }
    throw ControlError(
      .noOutput,
      "\(path): in use by another player\(process) (choose another path, or end it:"
        + " downbeat ctl --socket \(path) quit)")
  }

  private static func refusal(_ path: String, _ code: Int32) -> ControlError {
    ControlError(
      ControlError.Kind.noOutput.unlessDenied(code),
      "\(path): cannot be created: \(systemMessage(code))")
  }
}
