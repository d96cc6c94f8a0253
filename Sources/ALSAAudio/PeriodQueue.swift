// SPDX-License-Identifier: Apache-2.0
internal import Glibc
internal import Realtime
internal import Synchronization

/// Rendered periods on their way to a thread that may have to wait inside a plugin.
///
/// It begins with a period of silence: so a period is rendered each time one has been taken, and
/// none in a burst.
@safe
final class PeriodQueue: @unchecked Sendable {
  // Unchecked: a slot is the rendering thread's until `pushed` counts it, and the writing thread's
  // until `popped` does.

  /// The periods that it holds: one is written while the next is rendered.
  static let capacity = 2

  private let byteCount: Int
  private let memory: UnsafeMutableRawPointer
  private let pushed = Atomic<Int>(1)
  private let popped = Atomic<Int>(0)
  private let closed = Atomic<Bool>(false)
  private let room: DeadlineWait
  private let content: DeadlineWait

  /// Creates a queue of periods of some bytes.
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

  /// Whether nothing more is to be rendered.
  var isClosed: Bool { closed.load(ordering: .acquiring) }

  /// Ends the rendering; what is in the queue stays.
  func close() {
    closed.store(true, ordering: .releasing)
    room.wake()
  }

  /// Waits until a period fits, the queue is closed, or the time is up; whether one fits.
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

  /// Adds a period; there must be room.
  func push(_ frames: UnsafeRawPointer) {
    let count = pushed.load(ordering: .relaxed)
    unsafe slot(count).copyMemory(from: frames, byteCount: byteCount)
    pushed.store(count + 1, ordering: .releasing)
    content.wake()
  }

  /// The oldest period; nil where none came until the time was up, or `wake` was called.
  func first(waiting milliseconds: Int64) -> UnsafeRawPointer? {
    let count = popped.load(ordering: .relaxed)
    if pushed.load(ordering: .acquiring) == count {
      _ = content.wait(until: DeadlineWait.now + milliseconds * 1_000_000)
    }
    guard pushed.load(ordering: .acquiring) > count else { return nil }
    return unsafe UnsafeRawPointer(slot(count))
  }

  /// Has whoever waits for a period look about.
  func wake() {
    content.wake()
  }

  /// Forgets the oldest period.
  func pop() {
    popped.add(1, ordering: .releasing)
    room.wake()
  }

  private func slot(_ count: Int) -> UnsafeMutableRawPointer {
    unsafe memory + count % Self.capacity * byteCount
  }
}
