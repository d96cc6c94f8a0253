// SPDX-License-Identifier: Apache-2.0
internal import CRealtime
internal import Glibc
internal import Synchronization

/// A named piece of memory that one process writes and any may read.
///
/// The writer holds a lock on it that ends with the process, however it ends. The layout is in
/// words: a header, then `slotCount` slots of a sequence number, the epoch and the value.
@safe
final class SharedSegment: @unchecked Sendable {
  // One writer and any number of readers, who touch the words by atomic operations only; the rest
  // never changes.

  /// The words of the header, by place.
  enum Word: Int {
    case magic, size, latest, epoch, process, ended
  }

  static let headerWords = 8
  static let slotCount = 4
  /// "DBCLOCK" and the version of the layout.
  static let magic: UInt64 = 0x01_4B_43_4F_4C_43_42_44

  let name: String
  let valueWords: Int
  private let descriptor: Int32
  private let words: UnsafeMutablePointer<Atomic<UInt64>>

  /// Opens the segment to publish, makes it where it is not there, and takes the lock.
  init(publishing name: String, valueSize: Int) throws(SharedSnapshotError) {
    self.name = name
    valueWords = Self.words(for: valueSize)
    descriptor = try Self.claim(name)
    let length = Self.length(valueWords)
    do throws(SharedSnapshotError) {
      // A longer one of another version is cut only now, when nobody publishes there.
      try Self.check(ftruncate(descriptor, length), name, "size its memory")
      try Self.check(fchmod(descriptor, 0o644), name, "let others read it")
      unsafe words = try Self.map(descriptor, length, PROT_READ | PROT_WRITE, name)
    } catch {
      close(descriptor)
      throw error
    }
  }

  /// Opens a segment that somebody publishes or has published.
  init(reading name: String, valueSize: Int) throws(SharedSnapshotError) {
    self.name = name
    valueWords = Self.words(for: valueSize)
    descriptor = try Self.open(name, O_RDONLY | O_CLOEXEC)
    let length = Self.length(valueWords)
    do throws(SharedSnapshotError) {
      var status = stat()
      try unsafe Self.check(fstat(descriptor, &status), name, "look at its memory")
      // Somebody is about to publish.
      guard status.st_size > 0 else { throw .absent(name: name) }
      guard status.st_size >= length else { throw .foreign(name: name) }
      unsafe words = try Self.map(descriptor, length, PROT_READ, name)
    } catch {
      close(descriptor)
      throw error
    }
    guard load(.magic) != 0 else { throw .absent(name: name) }
    guard load(.magic) == Self.magic, load(.size) == UInt64(valueSize) else {
      throw .foreign(name: name)
    }
  }

  deinit {
    unsafe munmap(words, Self.length(valueWords))
    close(descriptor)
  }

  /// Takes the name away; what is mapped stays readable.
  func unlink() {
    _ = unsafe shm_unlink(Self.path(name))
  }

  /// Whether a publisher holds the lock.
  var isPublished: Bool { crealtime_is_locked(descriptor) == 1 }

  /// Reads a word of the header, and with it what was written before it.
  func load(_ word: Word) -> UInt64 {
    unsafe words[word.rawValue].load(ordering: .acquiring)
  }

  /// Writes a word of the header, after what was written before.
  func store(_ value: UInt64, to word: Word) {
    unsafe words[word.rawValue].store(value, ordering: .releasing)
  }

  /// The sequence number of a slot: odd while it is written.
  func withSlot<Result>(
    _ index: UInt64, _ body: (UnsafeMutablePointer<Atomic<UInt64>>) -> Result
  ) -> Result {
    let slot = Int(truncatingIfNeeded: index % UInt64(Self.slotCount))
    return unsafe body(words + Self.headerWords + slot * (valueWords + 2))
  }

  private static func words(for size: Int) -> Int { (size + 7) / 8 }

  private static func length(_ valueWords: Int) -> Int {
    8 * (headerWords + slotCount * (valueWords + 2))
  }

  private static func path(_ name: String) -> String { "/downbeat-clock-\(name)" }

  /// Opens and locks; what was unlinked in between is let go of and made again.
  private static func claim(_ name: String) throws(SharedSnapshotError) -> Int32 {
    while true {
      let descriptor = try open(name, O_RDWR | O_CREAT | O_CLOEXEC)
      let code = crealtime_lock(descriptor)
      guard code == 0 else {
        let process = publisher(in: descriptor)
        close(descriptor)
        guard code == -EAGAIN || code == -EACCES else {
          throw .refused(name: name, operation: "lock its memory", code: -code)
        }
        throw .taken(name: name, process: process)
      }
      if isCurrent(descriptor, name) { return descriptor }
      close(descriptor)
    }
  }

  private static func open(_ name: String, _ flags: Int32) throws(SharedSnapshotError) -> Int32 {
    let descriptor = unsafe shm_open(path(name), flags, 0o644)
    if descriptor >= 0 { return descriptor }
    switch errno {
    case ENOENT: throw .absent(name: name)
    case EACCES, EPERM: throw .noPermission(name: name)
    default: throw .refused(name: name, operation: "open its memory", code: errno)
    }
  }

  /// Whether the name still stands for what was opened.
  private static func isCurrent(_ descriptor: Int32, _ name: String) -> Bool {
    let other = unsafe shm_open(path(name), O_RDONLY | O_CLOEXEC, 0)
    guard other >= 0 else { return false }
    defer { close(other) }
    var first = stat()
    var second = stat()
    guard unsafe fstat(descriptor, &first) == 0, unsafe fstat(other, &second) == 0 else {
      return false
    }
    return first.st_ino == second.st_ino && first.st_dev == second.st_dev
  }

  /// The process that wrote itself into a segment's header; 0 where it has not yet.
  private static func publisher(in descriptor: Int32) -> Int32 {
    var word: UInt64 = 0
    let place = off_t(Word.process.rawValue * 8)
    let count = unsafe pread(descriptor, &word, 8, place)
    return count == 8 ? Int32(truncatingIfNeeded: word) : 0
  }

  private static func map(
    _ descriptor: Int32, _ length: Int, _ protection: Int32, _ name: String
  ) throws(SharedSnapshotError) -> UnsafeMutablePointer<Atomic<UInt64>> {
    let memory = unsafe mmap(nil, length, protection, MAP_SHARED, descriptor, 0)
    guard let memory = unsafe memory, unsafe memory != MAP_FAILED else {
      throw .refused(name: name, operation: "map its memory", code: errno)
    }
    return unsafe memory.bindMemory(to: Atomic<UInt64>.self, capacity: length / 8)
  }

  private static func check(
    _ code: Int32, _ name: String, _ operation: String
  ) throws(SharedSnapshotError) {
    guard code != 0 else { return }
    throw .refused(name: name, operation: operation, code: errno)
  }
}
