// SPDX-License-Identifier: Apache-2.0
internal import Glibc
internal import Synchronization

/// A value that processes share.
///
/// - Note: Another program may have written any words: the value's parts must be integers, for
///   which every pattern of bits is valid.
public protocol SharedValue: BitwiseCopyable, Sendable {
  /// Whether a publisher can have written the value; one that is not sound is never read.
  var isSound: Bool { get }
}

/// The writing end of a value that other processes of this user read under a name.
///
/// One process at a time publishes under a name. What a crashed one left is taken over in place:
/// who reads it goes on with the new publisher's values, and sees another epoch.
///
/// - Note: One thread writes.
public final class SharedSnapshotPublisher<Value: SharedValue>: @unchecked Sendable {
  // The header is the writing thread's; `withdraw` comes after its end.
  /// The number of this publisher among those there were under the name, from 1.
  public let epoch: UInt64
  private let segment: SharedSegment
  private var header: SharedHeader

  /// Publishes a value.
  ///
  /// - Parameters:
  ///   - name: 1…64 letters, digits, `-`, `_`, and dots that do not come first.
  ///   - value: what is read until `write` is called.
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

  /// Publishes a value; one thread may write.
  ///
  /// - Note: Two system calls; no wait. Where somebody cuts the memory away and fills it up,
  ///   readers take the publisher for gone.
  public func write(_ value: Value) {
    let number = header.latest &+ 1
    SharedSlot<Value>.write(value, number: number, epoch: epoch, to: segment)
    header.latest = number
    atomicMemoryFence(ordering: .releasing)
    segment.store(header)
  }

  /// Ends the publishing: readers keep the last value, and the name is free.
  ///
  /// - Note: Called once, in a process that ends without freeing the publisher; freeing it does the
  ///   same.
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

/// The reading end of a value that another process of this user publishes under a name.
///
/// - Note: Any number of threads may read.
public final class SharedSnapshotReader<Value: SharedValue>: Sendable {
  /// What became of the publisher.
  public enum Publisher: Hashable, Sendable {
    /// It runs, as this process.
    case running(process: Int32)
    /// It ended the publishing.
    case ended
    /// It is gone without having ended the publishing.
    case crashed
  }

  /// How often a writer may lap a reader before it is believed to do nothing else.
  private static var attempts: Int { 1000 }

  /// The name it is published under.
  public var name: String { segment.name }
  private let segment: SharedSegment

  /// Opens what is published, or was by a publisher that crashed.
  ///
  /// - Throws: `SharedSnapshotError.badName`, `.absent`, `.noPermission`, `.foreign`,
  ///   `.unsafeFolder`, `.folder`, `.refused`.
  public init(name: String) throws(SharedSnapshotError) {
    try SharedSnapshotName.check(name)
    segment = try SharedSegment(reading: name)
    // Where there is none yet, somebody is about to publish.
    guard let header = segment.header, header.magic != 0 else { throw .absent(name: name) }
    guard header.isOurs(size: MemoryLayout<Value>.size) else { throw .foreign(name: name) }
  }

  /// The names under which something is published now, in the order of their letters.
  ///
  /// - Throws: `SharedSnapshotError.unsafeFolder`, `.folder`.
  /// - Complexity: three system calls for each name.
  public static func publishedNames() throws(SharedSnapshotError) -> [String] {
    guard let folder = try SharedFolder.open(making: false) else { return [] }
    defer { close(folder) }
    return SharedSegment.names(in: folder).filter { name in
      do {
        guard case .running = try Self(name: name).publisher else { return false }
        return true
      } catch {
        // What is not of this kind, or not of this user, is not published for us.
        return false
      }
    }
  }

  /// The latest whole value, whatever became of the publisher, and its publisher's epoch.
  ///
  /// Never a mixture of two: four slots are written in turn, so only a writer that laps a reader
  /// three times makes it look again.
  ///
  /// - Throws: `SharedSnapshotError.foreign` where something else was written there since, or the
  ///   memory was cut short.
  /// - Note: Three system calls and a copy; no wait for a writer that stands.
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

  /// Whether the publisher runs.
  ///
  /// - Note: Two system calls.
  public var publisher: Publisher {
    guard let header = segment.header else { return .crashed }
    if header.hasEnded { return .ended }
    guard segment.isPublished else { return .crashed }
    return .running(process: header.process)
  }
}

/// What lies in a slot: its number, the epoch, and the value.
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
      // Any words are a value.
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

/// What a name may look like.
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
