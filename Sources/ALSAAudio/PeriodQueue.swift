// SPDX-License-Identifier: Apache-2.0
internal import Glibc
internal import Realtime
internal import Synchronization

/// A queue of rendered periods to a thread that may have to wait inside a plugin.
///
/// It begins with a period of silence, so that a period is rendered each time one was removed, and
/// never in bursts.
@safe
final class PeriodQueue: @unchecked Sendable {
  // Unchecked: a slot belongs to the rendering thread until `pushed` counts it, and to the writing
  // thread until `popped` does.

  /// The number of periods: one is written while the next is rendered.
  static let capacity = 2

  private let byteCount: Int
  private let memory: UnsafeMutableRawPointer
  private let pushed = Atomic<Int>(1)
  private let popped = Atomic<Int>(0)
  private let closed = Atomic<Bool>(false)
  private let room: DeadlineWait
  private let content: DeadlineWait

  /// Creates a queue of periods of a number of bytes.
  init(byteCount: Int) throws(RealtimeError) {
    self.byteCount = byteCount
    room = try DeadlineWait()
    content = try DeadlineWait()
    unsafe memory = .allocate(byteCount: Self.capacity * byteCount, alignment: 64)
    unsafe memory.initializeMemory(as: UInt8.self, repeating: 0, count: Self.capacity * byteCount)
  }

  deinit {
    unsafe memory.deallocate()
  }

  /// True if rendering has ended.
  var isClosed: Bool { closed.load(ordering: .acquiring) }

  /// Ends the rendering; periods in the queue remain.
  func close() {
    closed.store(true, ordering: .releasing)
    room.wake()
  }

  /// Waits until a period fits, the queue is closed, or the time has passed; true if one fits.
  func waitForRoom(milliseconds: Int64) -> Bool {
    let deadline = DeadlineWait.now + milliseconds * 1_000_000
    while !hasRoom, !isClosed {
      if room.wait(until: deadline) == .deadline { break }
    }
    return hasRoom && !isClosed
  }

  private var hasRoom: Bool {
    let count = pushed.load(ordering: .relaxed) - popped.load(ordering: .acquiring)
    return count < Self.capacity
  }

  /// Adds a period, which must fit.
  func push(_ frames: UnsafeRawPointer) {
    let count = pushed.load(ordering: .relaxed)
    unsafe slot(count).copyMemory(from: frames, byteCount: byteCount)
    pushed.store(count + 1, ordering: .releasing)
    content.wake()
  }

  /// The oldest period; nil if none was available in time, or `wake()` was called.
  func first(waiting milliseconds: Int64) -> UnsafeRawPointer? {
    let count = popped.load(ordering: .relaxed)
    if pushed.load(ordering: .acquiring) == count {
      _ = content.wait(until: DeadlineWait.now + milliseconds * 1_000_000)
    }
    guard pushed.load(ordering: .acquiring) > count else { return nil }
    return unsafe UnsafeRawPointer(slot(count))
  }

  /// Wakes the thread that waits for a period.
  func wake() {
    content.wake()
  }

  /// Removes the oldest period.
  func pop() {
    popped.add(1, ordering: .releasing)
    room.wake()
  }

  private func slot(_ count: Int) -> UnsafeMutableRawPointer {
    unsafe memory + count % Self.capacity * byteCount
  }
}
