// SPDX-License-Identifier: Apache-2.0
public import Synchronization

/// Passes the latest value from one writing thread to one reading thread; neither thread waits.
///
/// A new value replaces the previous one, even if that was not read. The two ends must not be used
/// after the snapshot is destroyed. The implementation is a triple buffer.
///
/// - Note: Real-time safe, except for creation and destruction.
@safe
public struct Snapshot<Value: BitwiseCopyable & Sendable>: ~Copyable, Sendable {
  private let core: SnapshotCore<Value>

  /// Creates a snapshot with an initial value.
  public init(_ value: Value) {
    core = SnapshotCore(value)
  }

  /// Publishes a value; call it on one thread only.
  public func write(_ value: Value) {
    writer.write(value)
  }

  /// Returns the latest published value; call it on one thread only.
  public func read() -> Value {
    reader.read()
  }

  /// The writing end, which can be copied to the writing thread.
  public var writer: SnapshotWriter<Value> { SnapshotWriter(core) }

  /// The reading end, which can be copied to the reading thread.
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

  /// Returns the latest published value, which may have been read before.
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
