// SPDX-License-Identifier: Apache-2.0
internal import FileNames
internal import Glibc

/// A small file that the program keeps for itself between runs: `downbeat` in one of the folders that
/// the XDG variables name holds it, which only this user may use.
///
/// Source: XDG Base Directory Specification 0.8.
package struct PrivateFile: Sendable {
  /// Its path.
  package let path: String
  private let folder: String
  /// Whether the folder is the program's own, so that its mode may be changed.
  private let ownsFolder: Bool
  /// The most that is read, in bytes; a larger file is not ours.
  private let limit: Int
  /// The number of waits, 10 ms each, for another process that does not change the file.
  private static let patience = 100
  /// The number of waits for other processes in all.
  private static let longestWait = 3000

  /// The file of a name in a folder's `downbeat`.
  package init(_ name: String, in base: String, limit: Int) {
    folder = "\(base)/downbeat"
    path = "\(folder)/\(name)"
    ownsFolder = true
    self.limit = limit
  }

  /// The file of a path.
  ///
  /// Its folder is made if it is missing; one that exists keeps its mode.
  package init(path: String, limit: Int) {
    self.path = path
    folder = path.lastIndex(of: "/").map { String(path[..<$0]) } ?? ""
    ownsFolder = false
    self.limit = limit
  }

  /// The folder that variables name if it is an absolute path, or one in the home folder.
  ///
  /// - Parameters:
  ///   - variable: such as `XDG_STATE_HOME`.
  ///   - standard: the folder in the home folder without it, such as `.local/state`.
  ///   - environment: the variables of the process.
  /// - Returns: the folder, or nil if there is no home folder either.
  package static func base(
    _ variable: String, _ standard: String, _ environment: [String: String]
  ) -> String? {
    [environment[variable], environment["HOME"].map { "\($0)/\(standard)" }]
      .compactMap(\.self).first { $0.hasPrefix("/") }
  }

  /// The content, or nil if there is no file, or it cannot be relied on.
  package func read() -> [UInt8]? {
    do {
      if ownsFolder { close(try PrivateFolder.open(folder, repairing: true)) }
      let descriptor = try PrivateFolder.openFile(path)
      defer { close(descriptor) }
      var status = stat()
      guard unsafe fstat(descriptor, &status) == 0, status.st_size > 0, status.st_size <= limit
      else { return nil }
      let size = Int(status.st_size)
      let bytes = unsafe [UInt8](unsafeUninitializedCapacity: size) { buffer, count in
        count = unsafe max(0, Glibc.read(descriptor, buffer.baseAddress, size))
      }
      return bytes.count == size ? bytes : nil
    } catch {
      return nil
    }
  }

  /// Replaces the content, all of it or nothing.
  ///
  /// - Throws: `WholeFileError`; a folder of another user, a link, a pipe and a device are refused.
  package func write(_ bytes: [UInt8]) throws(WholeFileError) {
    try prepare()
    var file = try WholeFile(path: path, mayReplace: true, mode: 0o600)
    fchmod(file.descriptor, 0o600)
    let count = unsafe Glibc.write(file.descriptor, bytes, bytes.count)
    let code = count == bytes.count ? 0 : count < 0 ? errno : ENOSPC
    guard close(file.descriptor) == 0, code == 0 else { throw .refused(code == 0 ? errno : code) }
    try file.keep()
  }

  /// Makes the folder, and checks it and the file in it.
  private func prepare() throws(WholeFileError) {
    do throws(PrivateFolder.Refusal) {
      if ownsFolder {
        close(try PrivateFolder.open(folder, making: true, repairing: true))
      } else if !folder.isEmpty {
        PrivateFolder.make(folder)
      }
    } catch {
      throw .refused(error.code)
    }
    do throws(PrivateFolder.Refusal) {
      close(try PrivateFolder.openFile(path))
    } catch .system(ENOENT) {
      // It is written for the first time.
    } catch {
      throw error == .otherKind ? .notRegularFile : .refused(error.code)
    }
  }

  /// Calls a closure while no other process is in one for a file of the same folder, so that what it
  /// reads is what it replaces.
  ///
  /// If the process that has the lock does not change the file for a second, the closure is called
  /// without the lock: a process that hangs must not delay the end of a program.
  package func alone<Trouble>(_ body: () throws(Trouble) -> Void) throws(Trouble) {
    let lock = openedFolder
    defer { if let lock { close(lock) } }
    if let lock { wait(for: lock) }
    try body()
  }

  private func wait(for lock: Int32) {
    var version = version
    var unchanged = 0
    for _ in 0..<Self.longestWait {
      guard flock(lock, LOCK_EX | LOCK_NB) != 0, unchanged < Self.patience else { return }
      usleep(10_000)
      let now = self.version
      unchanged = now == version ? unchanged + 1 : 0
      version = now
    }
  }

  /// Numbers that change whenever the file is replaced; empty if the file does not exist.
  private var version: [Int] {
    var status = stat()
    guard path.withSystemPath({ unsafe lstat($0, &status) }) == 0 else { return [] }
    return [Int(status.st_ino), status.st_mtim.tv_sec, status.st_mtim.tv_nsec]
  }

  private var openedFolder: Int32? {
    do {
      return try PrivateFolder.open(folder, making: true, repairing: ownsFolder)
    } catch {
      return nil
    }
  }
}

extension PrivateFolder.Refusal {
  /// The error number that says it best.
  package var code: Int32 {
    switch self {
    case .system(let code): code
    case .otherKind: EINVAL
    case .notPrivate: EACCES
    }
  }
}
