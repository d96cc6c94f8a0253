// SPDX-License-Identifier: Apache-2.0
internal import Glibc
internal import Synchronization

/// The name of a file that is not complete: whose it is, and which of theirs.
struct PassingName: Hashable {
  private static let start = ".downbeat-"
  private static let end = ".part"
  /// The folders in which this process has looked for what others left.
  private static let swept = Mutex<Set<String>>([])

  let process: pid_t
  let serial: Int

  init(process: pid_t, serial: Int) {
    self.process = process
    self.serial = serial
  }

  /// Reads a name; nil where it is not one of ours, to the letter.
  init?(_ name: String) {
    guard name.hasPrefix(Self.start), name.hasSuffix(Self.end) else { return nil }
    let numbers = name.dropFirst(Self.start.count).dropLast(Self.end.count).split(
      separator: "-", omittingEmptySubsequences: false)
    guard numbers.count == 2, let process = pid_t(numbers[0]), let serial = Int(numbers[1]),
      process > 0
    else { return nil }
    self.init(process: process, serial: serial)
    guard text == name else { return nil }
  }

  /// The name in its folder.
  var text: String { "\(Self.start)\(process)-\(serial)\(Self.end)" }

  /// Removes what killed processes of this user left in a folder, once a process and folder.
  static func sweep(_ folder: String) {
    guard swept.withLock({ $0.insert(folder).inserted }) else { return }
    guard let entries = unsafe opendir(folder.isEmpty ? "." : folder) else { return }
    defer { unsafe closedir(entries) }
    while let entry = unsafe readdir(entries) {
      let name = unsafe withUnsafeBytes(of: &entry.pointee.d_name) {
        unsafe String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self)
      }
      if let left = PassingName(name), left.isAbandoned(in: folder) {
        unsafe _ = unlink(folder + name)
      }
    }
  }

  /// Whether nobody writes it any more: its process is gone, and nobody holds its lock.
  private func isAbandoned(in folder: String) -> Bool {
    guard kill(process, 0) != 0, errno == ESRCH else { return false }
    let descriptor = unsafe open(
      folder + text, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC)
    guard descriptor >= 0 else { return false }
    defer { close(descriptor) }
    var status = stat()
    guard unsafe fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG,
      status.st_uid == geteuid()
    else { return false }
    return flock(descriptor, LOCK_EX | LOCK_NB) == 0
  }
}
