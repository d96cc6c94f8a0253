// SPDX-License-Identifier: Apache-2.0
public import Synchronization

/// The latest value from one writing thread to one reading thread; neither waits.
///
/// It is a triple buffer: the writer fills an unused slot and exchanges it for the middle one; the
/// reader exchanges its slot for the middle one if that is newer. Values that are not read in time
/// are overwritten. As with a ring buffer, the two ends must not be used after the snapshot is
/// destroyed.
///
/// - Note: Real-time safe, except for creation and destruction.
@safe
public struct Snapshot<Value: BitwiseCopyable & Sendable>: ~Copyable, Sendable {
  private let core: SnapshotCore<Value>

  /// Creates a snapshot with an initial value.
  public init(_ value: Value) {
    core = SnapshotCore(value)
  }

  /// Publishes a value; for one thread.
  public func write(_ value: Value) {
    writer.write(value)
  }

  /// Returns the latest published value; for one thread.
  public func read() -> Value {
    reader.read()
  }

  /// The writing end, which a thread can keep.
  public var writer: SnapshotWriter<Value> { SnapshotWriter(core) }

  /// The reading end, which a thread can keep.
  public var reader: SnapshotReader<Value> { SnapshotReader(core) }

  deinit {
    core.deallocate()
  }
}

/// The memory of a snapshot: three slots, and their present owners.
///
/// `middle` is the index of a slot, with bit 2 set if the writer has stored it since the last read.
/// `ends[0]` is the writer's slot and `ends[1]` the reader's; each is only used by its thread.
@usableFromInline
@safe
struct SnapshotCore<Value: BitwiseCopyable & Sendable>: BitwiseCopyable, @unchecked Sendable {
  @usableFromInline let middle: UnsafeMutablePointer<Atomic<UInt8>>
  @usableFromInline let ends: UnsafeMutablePointer<UInt8>
  @usableFromInline let slots: UnsafeMutablePointer<Value>

  init(_ value: Value) {
    unsafe middle = .allocate(capacity: 1)
    unsafe middle.initialize(to: Atomic(1))
    unsafe ends = .allocate(capacity: 2)
    unsafe ends.initialize(to: 0)
    unsafe (ends + 1).initialize(to: 2)
    unsafe slots = .allocate(capacity: 3)
    unsafe slots.initialize(repeating: value, count: 3)
  }

  func deallocate() {
    unsafe middle.deinitialize(count: 1)
    unsafe middle.deallocate()
    unsafe ends.deallocate()
    unsafe slots.deallocate()
  }
}

/// The writing end of a snapshot.
///
/// - Note: Real-time safe. One thread at a time.
public struct SnapshotWriter<Value: BitwiseCopyable & Sendable>: BitwiseCopyable, Sendable {
  @usableFromInline let core: SnapshotCore<Value>

  init(_ core: SnapshotCore<Value>) {
    self.core = core
  }

  /// Publishes a value.
  @inlinable
  public func write(_ value: Value) {
    let slot = unsafe core.ends[0]
    unsafe core.slots[Int(slot)] = value
    let old = unsafe core.middle.pointee.exchange(slot | 4, ordering: .acquiringAndReleasing)
    unsafe core.ends[0] = old & 3
  }
}

/// The reading end of a snapshot.
///
/// - Note: Real-time safe. One thread at a time.
public struct SnapshotReader<Value: BitwiseCopyable & Sendable>: BitwiseCopyable, Sendable {
  @usableFromInline let core: SnapshotCore<Value>

  init(_ core: SnapshotCore<Value>) {
    self.core = core
  }

  /// Returns the latest published value.
  @inlinable
  public func read() -> Value {
    if unsafe core.middle.pointee.load(ordering: .relaxed) & 4 != 0 {
      let old = unsafe core.middle.pointee.exchange(
        core.ends[1], ordering: .acquiringAndReleasing)
      unsafe core.ends[1] = old & 3
    }
    return unsafe core.slots[Int(core.ends[1])]
  }
}
