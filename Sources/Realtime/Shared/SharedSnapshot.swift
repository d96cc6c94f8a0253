// SPDX-License-Identifier: Apache-2.0
internal import Glibc
internal import Synchronization

/// A value that can be shared between processes.
///
/// - Note: All parts of the value must be integers, for which every pattern of bits is valid,
///   because another program may have written any data.
public protocol SharedValue: BitwiseCopyable, Sendable {
  /// True if a publisher can have written the value; other values are never returned.
  var isSound: Bool { get }
}

/// Publishes a value that other processes of this user can read by name.
///
/// Only one process at a time publishes under a name. After a crash, another process can take over
/// the name: readers continue with the values of the new publisher, whose epoch is different.
///
/// - Note: One thread writes.
public final class SharedSnapshotPublisher<Value: SharedValue>: @unchecked Sendable {
  // The header belongs to the writing thread; `withdraw` is called after the end of that thread.
  /// The number of publishers that the name has had, including this one.
  public let epoch: UInt64
  private let segment: SharedSegment
  private var header: SharedHeader

  /// Publishes a value.
  ///
  /// - Parameters:
  ///   - name: The name: 1…64 letters, digits, `-`, `_` and dots, not beginning with a dot.
  ///   - value: The first value.
  /// - Throws: `SharedSnapshotError.badName`, `.taken`, `.noPermission`, `.foreign`,
  ///   `.unsafeFolder`, `.folder`, `.refused`.
  public init(name: String, _ value: Value) throws(SharedSnapshotError) {
    try SharedSnapshotName.check(name)
    let size = MemoryLayout<Value>.size
    segment = try SharedSegment(publishing: name, wordCount: SharedSlot<Value>.wordCount)
    let before = segment.header.flatMap { $0.isOurs(size: size) ? $0 : nil }
    epoch = (before?.epoch ?? 0) &+ 1
    header = SharedHeader(size: size, epoch: epoch, latest: before?.latest ?? 0)
    write(value)
  }

  /// Publishes a new value; call it on one thread only.
  ///
  /// - Note: Two system calls; does not wait. If another program has truncated the shared memory
  ///   and it cannot be restored, readers treat the publisher as crashed.
  public func write(_ value: Value) {
    let number = header.latest &+ 1
    SharedSlot<Value>.write(value, number: number, epoch: epoch, to: segment)
    header.latest = number
    atomicMemoryFence(ordering: .releasing)
    segment.store(header)
  }

  /// Stops publishing.
  ///
  /// Readers keep the last value, and the name becomes available.
  ///
  /// - Note: Releasing the publisher has the same effect. Call this once if the process ends
  ///   without releasing it.
  public func withdraw() {
    guard !header.hasEnded else { return }
    header.hasEnded = true
    segment.store(header)
    segment.unlink()
  }

  deinit {
    withdraw()
  }
}

/// Reads a value that another process of this user publishes under a name.
///
/// - Note: Any number of threads may read.
public final class SharedSnapshotReader<Value: SharedValue>: Sendable {
  /// The state of the process that publishes a value.
  public enum Publisher: Hashable, Sendable {
    /// The publisher is running, in the process with this ID.
    case running(process: Int32)
    /// The publisher has stopped publishing.
    case ended
    /// The publisher's process has ended without stopping to publish first.
    case crashed
  }

  /// The number of attempts to read a value while the writer overwrites it.
  private static var attempts: Int { 1000 }

  /// The name of the published value.
  public var name: String { segment.name }
  private let segment: SharedSegment

  /// Opens a value under a name.
  ///
  /// The publisher must be running, or its process must have crashed.
  ///
  /// - Throws: `SharedSnapshotError.badName`, `.absent`, `.noPermission`, `.foreign`,
  ///   `.unsafeFolder`, `.folder`, `.refused`.
  public init(name: String) throws(SharedSnapshotError) {
    try SharedSnapshotName.check(name)
    segment = try SharedSegment(reading: name)
    // Without a header, a process is about to publish.
    guard let header = segment.header, header.magic != 0 else { throw .absent(name: name) }
    guard header.isOurs(size: MemoryLayout<Value>.size) else { throw .foreign(name: name) }
  }

  /// Returns the names of all published values, in alphabetical order.
  ///
  /// - Throws: `SharedSnapshotError.unsafeFolder`, `.folder`.
  /// - Complexity: Three system calls for each name.
  public static func publishedNames() throws(SharedSnapshotError) -> [String] {
    guard let folder = try SharedFolder.open(making: false) else { return [] }
    defer { close(folder) }
    return SharedSegment.names(in: folder).filter { name in
      do {
        guard case .running = try Self(name: name).publisher else { return false }
        return true
      } catch {
        // Files of other kinds and users are not included.
        return false
      }
    }
  }

  /// Returns the latest value with the epoch of its publisher, even if the publisher has ended or
  /// crashed.
  ///
  /// The result is never a mixture of two values. Four slots are written in turn, so reading must
  /// be repeated only if three values are written in the meantime.
  ///
  /// - Throws: `SharedSnapshotError.foreign` if another program has overwritten or truncated the
  ///   memory.
  /// - Note: Three system calls and a copy; never waits for the publisher.
  public func read() throws(SharedSnapshotError) -> (value: Value, epoch: UInt64) {
    guard var header = segment.header else { throw .foreign(name: name) }
    for _ in 0..<Self.attempts {
      guard header.isOurs(size: MemoryLayout<Value>.size) else { break }
      let slot = SharedSlot<Value>(header.latest, of: segment)
      atomicMemoryFence(ordering: .acquiring)
      guard let after = segment.header else { break }
      let laps = after.latest &- header.latest
      let isWhole = slot?.number == header.latest && slot?.epoch == header.epoch
      if let slot, isWhole, laps < SharedSegment.slotCount - 1 {
        guard slot.value.isSound else { break }
        return (slot.value, slot.epoch)
      }
      guard laps != 0 else { break }
      header = after
    }
    throw .foreign(name: name)
  }

  /// The current state of the publisher.
  ///
  /// - Note: Two system calls.
  public var publisher: Publisher {
    guard let header = segment.header else { return .crashed }
    if header.hasEnded { return .ended }
    guard segment.isPublished else { return .crashed }
    return .running(process: header.process)
  }
}

/// The contents of a slot: its number, the epoch and the value.
private struct SharedSlot<Value: SharedValue> {
  private static var valuePlace: Int { 16 }
  static var wordCount: Int { (valuePlace + MemoryLayout<Value>.size + 7) / 8 }

  let number: UInt64
  let epoch: UInt64
  let value: Value

  init?(_ number: UInt64, of segment: SharedSegment) {
    let slot = unsafe withUnsafeTemporaryAllocation(
      byteCount: 8 * Self.wordCount, alignment: 16
    ) { words -> (UInt64, UInt64, Value)? in
      guard unsafe segment.read(slot: number, into: words) else { return nil }
      // Any data is a value.
      return unsafe (
        words.load(as: UInt64.self), words.load(fromByteOffset: 8, as: UInt64.self),
        words.load(fromByteOffset: Self.valuePlace, as: Value.self)
      )
    }
    guard let slot else { return nil }
    (self.number, epoch, value) = slot
  }

  static func write(_ value: Value, number: UInt64, epoch: UInt64, to segment: SharedSegment) {
    unsafe withUnsafeTemporaryAllocation(byteCount: 8 * wordCount, alignment: 16) { words in
      unsafe words.initializeMemory(as: UInt8.self, repeating: 0)
      unsafe words.storeBytes(of: number, as: UInt64.self)
      unsafe words.storeBytes(of: epoch, toByteOffset: 8, as: UInt64.self)
      unsafe words.storeBytes(of: value, toByteOffset: valuePlace, as: Value.self)
      unsafe segment.write(slot: number, UnsafeRawBufferPointer(words))
    }
  }
}

/// The rules for names.
enum SharedSnapshotName {
  static func check(_ name: String) throws(SharedSnapshotError) {
    let allowed = name.utf8.allSatisfy { byte in
      switch byte {
      case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, 0x2D, 0x2E, 0x5F: true
      default: false
      }
    }
    guard allowed, (1...64).contains(name.utf8.count), name.utf8.first != 0x2E else {
      throw .badName(name)
    }
  }
}
