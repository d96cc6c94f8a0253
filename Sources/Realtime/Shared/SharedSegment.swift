// SPDX-License-Identifier: Apache-2.0
internal import CRealtime
internal import FileNames
internal import Glibc
internal import WholeFiles

/// A named piece of memory that one process writes and others of the same user may read.
///
/// The writer holds a lock that ends with its process. The layout is in words: a header, then
/// `slotCount` slots of a number, the epoch and the value. The memory is not mapped: if it is
/// truncated, reads fail, but processes do not crash.
final class SharedSegment: Sendable {
  static let headerWords = 8
  static let slotCount: UInt64 = 4

  let name: String
  private let folder: Int32
  private let descriptor: Int32

  /// Opens the segment for publishing, or creates it if it does not exist, and takes the lock.
  init(publishing name: String, wordCount: Int) throws(SharedSnapshotError) {
    self.name = name
    guard let folder = try SharedFolder.open(making: true) else { throw .absent(name: name) }
    self.folder = folder
    do throws(SharedSnapshotError) {
      descriptor = try Self.claim(name, folder)
    } catch {
      close(folder)
      throw error
    }
    // A segment of another version is only truncated here, when it is not published. All of its
    // memory is allocated now, so that later writes do not fail.
    let length = Self.offset(ofSlot: Self.slotCount, wordCount: wordCount)
    guard ftruncate(descriptor, length) == 0, posix_fallocate(descriptor, 0, length) == 0,
      fchmod(descriptor, 0o600) == 0
    else { throw .refused(name: name, operation: "resize shared memory", code: errno) }
  }

  /// Opens a segment that is or was published.
  init(reading name: String) throws(SharedSnapshotError) {
    self.name = name
    guard let folder = try SharedFolder.open(making: false) else { throw .absent(name: name) }
    self.folder = folder
    do throws(SharedSnapshotError) {
      descriptor = try Self.open(name, folder, O_RDONLY)
    } catch {
      close(folder)
      throw error
    }
  }

  deinit {
    close(descriptor)
    close(folder)
  }

  /// Removes the name; open segments can still be read.
  func unlink() {
    Self.file(name).withSystemPath { unsafe _ = unlinkat(folder, $0, 0) }
  }

  /// True if a publisher holds the lock.
  var isPublished: Bool { crealtime_is_locked(descriptor) == 1 }

  /// The header; nil if the memory is shorter.
  var header: SharedHeader? { SharedHeader(from: descriptor) }

  /// Writes the whole header, which also restores one that was truncated.
  func store(_ header: SharedHeader) {
    var words = header.words
    _ = unsafe pwrite(descriptor, &words, MemoryLayout.size(ofValue: words), 0)
  }

  /// Reads a slot; false if the memory is shorter.
  func read(slot number: UInt64, into words: UnsafeMutableRawBufferPointer) -> Bool {
    let place = Self.offset(ofSlot: number % Self.slotCount, byteCount: words.count)
    return unsafe pread(descriptor, words.baseAddress, words.count, place) == words.count
  }

  /// Writes a slot.
  func write(slot number: UInt64, _ words: UnsafeRawBufferPointer) {
    let place = Self.offset(ofSlot: number % Self.slotCount, byteCount: words.count)
    _ = unsafe pwrite(descriptor, words.baseAddress, words.count, place)
  }

  private static func offset(ofSlot slot: UInt64, wordCount: Int) -> Int {
    offset(ofSlot: slot, byteCount: 8 * wordCount)
  }

  private static func offset(ofSlot slot: UInt64, byteCount: Int) -> Int {
    8 * headerWords + Int(slot) * byteCount
  }

  private static let prefix = "clock-"

  private static func file(_ name: String) -> String { prefix + name }

  /// The names of all segments in a folder.
  static func names(in folder: Int32) -> [String] {
    SharedFolder.files(in: folder).filter { $0.hasPrefix(prefix) }
      .map { String($0.dropFirst(prefix.count)) }.sorted()
  }

  /// Opens and locks a segment; one that was unlinked in the meantime is created again.
  private static func claim(_ name: String, _ folder: Int32) throws(SharedSnapshotError) -> Int32 {
    for _ in 0..<100 {
      let descriptor = try open(name, folder, O_RDWR | O_CREAT)
      let code = crealtime_lock(descriptor)
      guard code == 0 else {
        let process = SharedHeader(from: descriptor)?.process ?? 0
        close(descriptor)
        guard code == -EAGAIN || code == -EACCES else {
          throw .refused(name: name, operation: "lock shared memory", code: -code)
        }
        throw .taken(name: name, process: process)
      }
      if isCurrent(descriptor, name, folder) { return descriptor }
      close(descriptor)
    }
    throw .refused(name: name, operation: "lock shared memory", code: EBUSY)
  }

  /// Opens a regular file of this user; links are not followed, and pipes are not opened.
  private static func open(
    _ name: String, _ folder: Int32, _ flags: Int32
  ) throws(SharedSnapshotError) -> Int32 {
    do throws(PrivateFolder.Refusal) {
      return try PrivateFolder.openFile(file(name), in: folder, flags: flags)
    } catch {
      switch error {
      case .system(ENOENT): throw .absent(name: name)
      case .system(EACCES), .system(EPERM), .notPrivate: throw .noPermission(name: name)
      case .otherKind: throw .foreign(name: name)
      case .system(let code):
        throw .refused(name: name, operation: "open shared memory", code: code)
      }
    }
  }

  /// True if the name still refers to the open file.
  private static func isCurrent(_ descriptor: Int32, _ name: String, _ folder: Int32) -> Bool {
    var first = stat()
    var second = stat()
    let found = file(name).withSystemPath {
      unsafe fstatat(folder, $0, &second, AT_SYMLINK_NOFOLLOW)
    }
    guard found == 0, unsafe fstat(descriptor, &first) == 0 else { return false }
    return first.st_ino == second.st_ino && first.st_dev == second.st_dev
  }
}

/// The words before the slots.
struct SharedHeader {
  /// "DBCLOCK" and the version of the layout.
  static let magic: UInt64 = 0x02_4B_43_4F_4C_43_42_44

  var words: InlineArray<8, UInt64>

  /// The header of a publisher that has not written a value yet.
  init(size: Int, epoch: UInt64, latest: UInt64) {
    words = [Self.magic, UInt64(size), latest, epoch, UInt64(getpid()), 0, 0, 0]
  }

  init?(from descriptor: Int32) {
    words = InlineArray(repeating: 0)
    let size = MemoryLayout.size(ofValue: words)
    guard unsafe pread(descriptor, &words, size, 0) == size else { return nil }
  }

  var magic: UInt64 { words[0] }
  var size: UInt64 { words[1] }
  /// The number of the latest complete slot.
  var latest: UInt64 {
    get { words[2] }
    set { words[2] = newValue }
  }
  var epoch: UInt64 { words[3] }
  var process: Int32 { Int32(truncatingIfNeeded: words[4]) }
  var hasEnded: Bool {
    get { words[5] == 1 }
    set { words[5] = newValue ? 1 : 0 }
  }

  func isOurs(size: Int) -> Bool { magic == Self.magic && self.size == UInt64(size) }
}
