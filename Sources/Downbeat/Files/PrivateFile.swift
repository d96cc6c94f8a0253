// SPDX-License-Identifier: Apache-2.0
internal import Glibc
package import WholeFiles

/// A small file that the program keeps for itself between runs, in a folder that is open to this
/// user alone: `downbeat` in one of the folders that the XDG variables name.
///
/// Source: XDG Base Directory Specification 0.8.
package struct PrivateFile: Sendable {
  /// Where it is.
  package let path: String
  private let folder: String
  /// The most that is read, in bytes; what is larger is none of ours.
  private let limit: Int
  /// How often another process is waited for, 10 ms each time.
  private static let patience = 100

  /// The file of a name in a folder's `downbeat`.
  package init(_ name: String, in base: String, limit: Int) {
    folder = "\(base)/downbeat"
    path = "\(folder)/\(name)"
    self.limit = limit
  }

  /// The folder that variables name, where it is an absolute path; else one in the home folder.
  ///
  /// - Parameters:
  ///   - variable: such as `XDG_STATE_HOME`.
  ///   - standard: what is taken without it, such as `.local/state`.
  ///   - environment: the variables of the process.
  /// - Returns: the folder; nil where there is no home folder either.
  package static func base(
    _ variable: String, _ standard: String, _ environment: [String: String]
  ) -> String? {
    [environment[variable], environment["HOME"].map { "\($0)/\(standard)" }]
      .compactMap(\.self).first { $0.hasPrefix("/") }
  }

  /// What is in it; nil where it is not there, or not to be relied on.
  package func read() -> [UInt8]? {
    guard isPrivate else { return nil }
    let descriptor = unsafe open(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC)
    guard descriptor >= 0 else { return nil }
    defer { close(descriptor) }
    var status = stat()
    guard unsafe fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG,
      status.st_uid == geteuid(), status.st_size > 0, status.st_size <= limit
    else { return nil }
    let size = Int(status.st_size)
    let bytes = unsafe [UInt8](unsafeUninitializedCapacity: size) { buffer, count in
      count = unsafe max(0, Glibc.read(descriptor, buffer.baseAddress, size))
    }
    return bytes.count == size ? bytes : nil
  }

  /// Puts bytes in the place of what was in it, all of them or none.
  ///
  /// - Throws: `WholeFileError` where that cannot be; the folder of another user is refused.
  package func write(_ bytes: [UInt8]) throws(WholeFileError) {
    makeFolder()
    guard isPrivate else { throw .refused(EACCES) }
    var file = try WholeFile(path: path, mayReplace: true)
    let count = unsafe Glibc.write(file.descriptor, bytes, bytes.count)
    let code = count == bytes.count ? 0 : count < 0 ? errno : ENOSPC
    guard close(file.descriptor) == 0, code == 0 else { throw .refused(code == 0 ? errno : code) }
    try file.keep()
  }

  /// Calls a body while no other process is in one for a file of the same folder, so that what it
  /// reads is what it writes over.
  ///
  /// Who has waited for a second goes in all the same: nothing holds up the end of a program.
  package func alone<Trouble>(_ body: () throws(Trouble) -> Void) throws(Trouble) {
    makeFolder()
    let lock = unsafe open(folder, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC)
    defer { if lock >= 0 { close(lock) } }
    for _ in 0..<Self.patience where lock >= 0 {
      if flock(lock, LOCK_EX | LOCK_NB) == 0 { break }
      usleep(10_000)
    }
    try body()
  }

  /// Makes each folder on the way; those that are there stay as they are.
  private func makeFolder() {
    for index in folder.indices.dropFirst() where folder[index] == "/" {
      unsafe _ = mkdir(String(folder[..<index]), 0o700)
    }
    unsafe _ = mkdir(folder, 0o700)
  }

  /// Whether the folder is one, and open to nobody but the user.
  private var isPrivate: Bool {
    var status = stat()
    return unsafe lstat(folder, &status) == 0 && status.st_mode & S_IFMT == S_IFDIR
      && status.st_uid == geteuid() && status.st_mode & 0o077 == 0
  }
}
