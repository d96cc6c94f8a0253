// SPDX-License-Identifier: Apache-2.0
internal import FileNames
internal import Glibc

/// A small file of the program's settings or state, which only this user can access.
///
/// It is in the folder `downbeat` in a folder that an XDG variable names.
///
/// Source: XDG Base Directory Specification 0.8.
package struct PrivateFile: Sendable {
  /// The path of the file.
  package let path: String
  private let folder: String
  /// True if the folder belongs to the program, so that its mode can be changed.
  private let ownsFolder: Bool
  /// The maximum size in bytes; a larger file is not read.
  private let limit: Int
  /// The number of waits, 10 ms each, for another process that does not change the file.
  private static let patience = 100
  /// The total number of waits for other processes.
  private static let longestWait = 3000

  /// Creates access to a file in the folder `downbeat` of another folder.
  ///
  /// - Parameters:
  ///   - name: The name of the file.
  ///   - base: The folder that contains `downbeat`, such as the result of `base(_:_:_:)`.
  ///   - limit: The maximum size in bytes that is read.
  package init(_ name: String, in base: String, limit: Int) {
    folder = "\(base)/downbeat"
    path = "\(folder)/\(name)"
    ownsFolder = true
    self.limit = limit
  }

  /// Creates access to a file at a path.
  ///
  /// A missing folder is created; an existing one keeps its mode.
  ///
  /// - Parameters:
  ///   - path: The path of the file.
  ///   - limit: The maximum size in bytes that is read.
  package init(path: String, limit: Int) {
    self.path = path
    folder = path.lastIndex(of: "/").map { String(path[..<$0]) } ?? ""
    ownsFolder = false
    self.limit = limit
  }

  /// The folder that an XDG variable names, if it is an absolute path, or a folder in the home
  /// folder.
  ///
  /// - Parameters:
  ///   - variable: The variable, such as `XDG_STATE_HOME`.
  ///   - standard: The folder in the home folder that is used without it, such as `.local/state`.
  ///   - environment: The environment variables of the process.
  /// - Returns: The folder; nil if the home folder is also unknown.
  package static func base(
    _ variable: String, _ standard: String, _ environment: [String: String]
  ) -> String? {
    [environment[variable], environment["HOME"].map { "\($0)/\(standard)" }]
      .compactMap(\.self).first { $0.hasPrefix("/") }
  }

  /// Reads the file; nil if it does not exist, is empty or too large, belongs to another user, or
  /// is in a folder of another user.
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

  /// Replaces the content, completely or not at all.
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

  /// Creates the folder, and checks it and the file in it.
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
      // The file does not exist yet.
    } catch {
      throw error == .otherKind ? .notRegularFile : .refused(error.code)
    }
  }

  /// Calls a closure while no other process runs one for a file of the same folder, so that the
  /// closure replaces the content that it has read.
  ///
  /// If the process with the lock does not change the file for a second, the closure is called
  /// without the lock, so that a hung process does not delay the end of a program.
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

  /// Numbers that change when the file is replaced; empty if the file does not exist.
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
  /// The error number that matches best.
  package var code: Int32 {
    switch self {
    case .system(let code): code
    case .otherKind: EINVAL
    case .notPrivate: EACCES
    }
  }
}
