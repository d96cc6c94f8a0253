// SPDX-License-Identifier: Apache-2.0
internal import Glibc
internal import Synchronization

/// The writing end of a value that other processes read under a name.
///
/// One process at a time publishes under a name. What a crashed one left is taken over in place:
/// who reads it goes on with the new publisher's values, and sees another epoch.
///
/// - Note: One thread writes; writing is real-time safe.
public final class SharedSnapshotPublisher<Value: BitwiseCopyable & Sendable>: Sendable {
  /// The name it is published under.
  public var name: String { segment.name }
  /// How many publishers there were under the name up to this one; starts at 1.
  public let epoch: UInt64
  private let segment: SharedSegment

  /// Publishes a value.
  ///
  /// - Parameters:
  ///   - name: 1…64 letters, digits, `-`, `_`, and dots that do not come first.
  ///   - value: what is read until `write` is called.
  /// - Throws: `SharedSnapshotError.badName`, `.taken`, `.noPermission`, `.refused`.
  public init(name: String, _ value: Value) throws(SharedSnapshotError) {
    try SharedSnapshotName.check(name)
    segment = try SharedSegment(publishing: name, valueSize: MemoryLayout<Value>.size)
    let size = UInt64(MemoryLayout<Value>.size)
    let isFamiliar = segment.load(.magic) == SharedSegment.magic && segment.load(.size) == size
    epoch = isFamiliar ? segment.load(.epoch) + 1 : 1
    segment.store(UInt64(getpid()), to: .process)
    segment.store(size, to: .size)
    segment.store(0, to: .ended)
    segment.store(epoch, to: .epoch)
    segment.write(value, epoch: epoch)
    segment.store(SharedSegment.magic, to: .magic)
  }

  /// Publishes a value; one thread may write.
  ///
  /// - Note: Real-time safe: no system call, no wait.
  public func write(_ value: Value) {
    segment.write(value, epoch: epoch)
  }

  /// Takes leave: readers keep the last value, and the name is free.
  ///
  /// - Note: Once, before a process ends that frees nothing; otherwise it comes with the end of
  ///   the publisher's life.
  public func withdraw() {
    guard segment.load(.ended) == 0 else { return }
    segment.store(1, to: .ended)
    segment.unlink()
  }

  deinit {
    withdraw()
  }
}

/// The reading end of a value that another process publishes under a name.
///
/// - Note: Any number of threads may read.
public final class SharedSnapshotReader<Value: BitwiseCopyable & Sendable>: Sendable {
  /// What became of the publisher.
  public enum Publisher: Hashable, Sendable {
    /// It runs, as this process.
    case running(process: Int32)
    /// It took its leave.
    case ended
    /// It is gone without a word.
    case crashed
  }

  /// The name it is published under.
  public var name: String { segment.name }
  private let segment: SharedSegment

  /// Opens what is published, or was by a publisher that crashed.
  ///
  /// - Throws: `SharedSnapshotError.badName`, `.absent`, `.noPermission`, `.foreign`, `.refused`.
  public init(name: String) throws(SharedSnapshotError) {
    try SharedSnapshotName.check(name)
    segment = try SharedSegment(reading: name, valueSize: MemoryLayout<Value>.size)
  }

  /// The latest whole value, whatever became of the publisher, and its publisher's epoch.
  ///
  /// Never a mixture of two: four slots are written in turn, so only a writer that laps a reader
  /// three times makes it look again.
  ///
  /// - Note: Real-time safe: no system call, no wait for a writer that stands.
  public func read() -> (value: Value, epoch: UInt64) {
    segment.read()
  }

  /// Whether the publisher runs.
  ///
  /// - Note: A system call.
  public var publisher: Publisher {
    if segment.load(.ended) == 1 { return .ended }
    guard segment.isPublished else { return .crashed }
    return .running(process: Int32(truncatingIfNeeded: segment.load(.process)))
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

extension SharedSegment {
  /// Writes a value to the next slot and makes it the latest.
  func write<Value: BitwiseCopyable>(_ value: Value, epoch: UInt64) {
    let number = load(.latest) &+ 1
    unsafe withSlot(number) { slot in
      unsafe slot[0].store(2 &* number &- 1, ordering: .relaxed)
      atomicMemoryFence(ordering: .releasing)
      unsafe slot[1].store(epoch, ordering: .relaxed)
      unsafe withUnsafeTemporaryAllocation(of: UInt64.self, capacity: valueWords) { words in
        unsafe words.initialize(repeating: 0)
        unsafe UnsafeMutableRawBufferPointer(words).storeBytes(of: value, as: Value.self)
        for word in 0..<valueWords { unsafe slot[2 + word].store(words[word], ordering: .relaxed) }
      }
      unsafe slot[0].store(2 &* number, ordering: .releasing)
    }
    store(number, to: .latest)
  }

  /// Reads the latest slot that is whole.
  func read<Value: BitwiseCopyable>() -> (value: Value, epoch: UInt64) {
    unsafe withUnsafeTemporaryAllocation(of: UInt64.self, capacity: valueWords) { words in
      while true {
        let number = load(.latest)
        guard let epoch = unsafe copy(number, to: words) else { continue }
        return (unsafe UnsafeRawBufferPointer(words).load(as: Value.self), epoch)
      }
    }
  }

  /// Copies a slot's value and returns its epoch; nil where it is being written.
  private func copy(
    _ number: UInt64, to words: UnsafeMutableBufferPointer<UInt64>
  ) -> UInt64? {
    unsafe withSlot(number) { slot in
      guard unsafe slot[0].load(ordering: .acquiring) == 2 &* number else { return nil }
      let epoch = unsafe slot[1].load(ordering: .relaxed)
      for word in 0..<valueWords {
        unsafe words.initializeElement(at: word, to: slot[2 + word].load(ordering: .relaxed))
      }
      atomicMemoryFence(ordering: .acquiring)
      return unsafe slot[0].load(ordering: .relaxed) == 2 &* number ? epoch : nil
    }
  }
}
