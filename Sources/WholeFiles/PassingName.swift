// SPDX-License-Identifier: Apache-2.0
internal import FileNames
internal import Glibc
internal import Synchronization

/// The temporary name of a file, or of a folder of files, that is not complete.
///
/// It contains the number of the process that writes it, and a serial number.
struct PassingName: Hashable {
  private static let start = ".downbeat-"
  private static let fileEnd = ".part"
  private static let folderEnd = ".parts"
  /// The folders in which this process has already removed abandoned files.
  private static let swept = Mutex<Set<String>>([])

  let process: pid_t
  let serial: Int
  let isFolder: Bool

  init(process: pid_t, serial: Int, isFolder: Bool = false) {
    self.process = process
    self.serial = serial
    self.isFolder = isFolder
  }

  /// Reads a name; nil unless it has exactly the form of a temporary name.
  init?(_ name: String) {
    let isFolder = name.hasSuffix(Self.folderEnd)
    let end = isFolder ? Self.folderEnd : Self.fileEnd
    guard name.hasPrefix(Self.start), name.hasSuffix(end) else { return nil }
    let numbers = name.dropFirst(Self.start.count).dropLast(end.count).split(
      separator: "-", omittingEmptySubsequences: false)
    guard numbers.count == 2, let process = pid_t(numbers[0]), let serial = Int(numbers[1]),
      process > 0
    else { return nil }
    self.init(process: process, serial: serial, isFolder: isFolder)
    guard text == name else { return nil }
  }

  /// The name, without its folder.
  var text: String {
    "\(Self.start)\(process)-\(serial)\(isFolder ? Self.folderEnd : Self.fileEnd)"
  }

  /// Removes the files in a folder that killed processes of this user left, once per process and
  /// folder.
  static func sweep(_ folder: String) {
    guard swept.withLock({ $0.insert(folder).inserted }) else { return }
    for name in FolderListing.readableNames(in: folder) ?? [] {
      guard let left = PassingName(name), left.isAbandoned(in: folder) else { continue }
      if left.isFolder { remove(folder: folder + name) } else { removeFile(folder + name) }
    }
  }

  /// Removes a folder and the files in it.
  static func remove(folder: String) {
    for name in FolderListing.readableNames(in: folder) ?? [] {
      removeFile("\(folder)/\(name)")
    }
    folder.withSystemPath { unsafe _ = rmdir($0) }
  }

  private static func removeFile(_ path: String) {
    path.withSystemPath { unsafe _ = unlink($0) }
  }

  /// Returns true if its process has ended and its lock is not held.
  private func isAbandoned(in folder: String) -> Bool {
    guard kill(process, 0) != 0, errno == ESRCH else { return false }
    let descriptor = (folder + text).withSystemPath {
      unsafe open($0, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC)
    }
    guard descriptor >= 0 else { return false }
    defer { close(descriptor) }
    var status = stat()
    let kind = isFolder ? S_IFDIR : S_IFREG
    guard unsafe fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == kind,
      status.st_uid == geteuid()
    else { return false }
    return flock(descriptor, LOCK_EX | LOCK_NB) == 0
  }
}
