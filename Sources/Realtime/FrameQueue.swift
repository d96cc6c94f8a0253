// SPDX-License-Identifier: Apache-2.0

/// Values on their way from one thread to another, each due at a frame, and revocable.
///
/// What was sent can be cancelled from a frame on; values sent after that are not concerned. As
/// with a ring, the two ends live no longer than the queue.
///
/// - Note: Real-time safe but for creation and destruction.
public struct FrameQueue<Content: BitwiseCopyable & Sendable>: ~Copyable, Sendable {
  private let entries: RingBuffer<FrameEntry<Content>>
  private let orders = RingBuffer<FrameCancellation>(minimumCapacity: 64)

  /// Creates a queue with room for at least a number of values.
  public init(minimumCapacity: Int) {
    entries = RingBuffer(minimumCapacity: minimumCapacity)
  }

  /// True if no value is in the queue, cancelled or not.
  ///
  /// - Note: Any thread.
  public var isEmpty: Bool { entries.reader.count == 0 }

  /// Makes the writing end; called once.
  public func makeWriter() -> FrameQueueWriter<Content> {
    FrameQueueWriter(entries: entries.writer, orders: orders.writer)
  }

  /// Makes the reading end; called once.
  public func makeReader() -> FrameQueueReader<Content> {
    FrameQueueReader(entries: entries.reader, orders: orders.reader)
  }
}

/// A value, the frame it is due at, and how many cancellations came before it.
public struct FrameEntry<Content: BitwiseCopyable & Sendable>: BitwiseCopyable, Sendable {
  /// The frame it is due at.
  public let frame: Int64
  /// What is due.
  public let content: Content
  @usableFromInline let epoch: UInt32

  @usableFromInline
  init(frame: Int64, epoch: UInt32, content: Content) {
    self.frame = frame
    self.epoch = epoch
    self.content = content
  }
}

/// An order to forget what was sent before it and is due from a frame on.
@usableFromInline
struct FrameCancellation: BitwiseCopyable, Sendable {
  /// The epoch that begins with it: older values are meant.
  @usableFromInline let epoch: UInt32
  @usableFromInline let frame: Int64

  @usableFromInline
  init(epoch: UInt32, frame: Int64) {
    self.epoch = epoch
    self.frame = frame
  }
}

/// The writing end of a queue.
///
/// - Note: Real-time safe. One thread at a time.
public struct FrameQueueWriter<Content: BitwiseCopyable & Sendable>: Sendable {
  private let entries: RingWriter<FrameEntry<Content>>
  private let orders: RingWriter<FrameCancellation>
  private var epoch: UInt32 = 0
  private var undelivered: FrameCancellation?

  init(entries: RingWriter<FrameEntry<Content>>, orders: RingWriter<FrameCancellation>) {
    self.entries = entries
    self.orders = orders
  }

  /// The number of values that fit now; 0 while a cancellation has to wait for the reader.
  public var room: Int { undelivered == nil || orders.room > 0 ? entries.room : 0 }

  /// Adds a value, or returns false where there is no room.
  public mutating func push(_ content: Content, frame: Int64) -> Bool {
    deliver() && entries.push(FrameEntry(frame: frame, epoch: epoch, content: content))
  }

  /// Cancels the values sent so far that are due at or after a frame.
  public mutating func cancel(from frame: Int64) {
    epoch &+= 1
    // Nothing has been added since an order that is still waiting, so the two become one.
    undelivered = FrameCancellation(epoch: epoch, frame: min(frame, undelivered?.frame ?? frame))
    _ = deliver()
  }

  private mutating func deliver() -> Bool {
    guard let order = undelivered else { return true }
    guard orders.push(order) else { return false }
    undelivered = nil
    return true
  }
}

/// The reading end of a queue.
///
/// - Note: Real-time safe. One thread at a time.
public struct FrameQueueReader<Content: BitwiseCopyable & Sendable>: BitwiseCopyable, Sendable {
  @usableFromInline let entries: RingReader<FrameEntry<Content>>
  @usableFromInline let orders: RingReader<FrameCancellation>
  /// Orders that may still concern what waits; the others wait in their ring.
  @usableFromInline var pending = InlineArray<64, FrameCancellation>(
    repeating: FrameCancellation(epoch: 0, frame: 0))
  @usableFromInline var pendingCount = 0

  init(entries: RingReader<FrameEntry<Content>>, orders: RingReader<FrameCancellation>) {
    self.entries = entries
    self.orders = orders
  }

  /// Takes the oldest value that is due before a frame and was not cancelled.
  ///
  /// - Complexity: O(n) in the number of cancelled values before it.
  @inlinable
  public mutating func next(before frame: Int64) -> FrameEntry<Content>? {
    takeCancellations()
    while let entry = entries.peek() {
      // A cancelled value goes at once: what replaces it may be due earlier.
      if isCancelled(entry) {
        _ = entries.pop()
      } else {
        return entry.frame < frame ? entries.pop() : nil
      }
    }
    // Each cancellation taken so far is for values sent before it, and they have all been taken.
    pendingCount = 0
    return nil
  }

  /// The oldest value, cancelled or not, which stays in the queue; nil if the queue is empty.
  @inlinable
  public func peek() -> FrameEntry<Content>? { entries.peek() }

  /// Takes the oldest value if it is due at or before a frame, or was cancelled.
  ///
  /// Use it in place of `next(before:)` for values with data elsewhere, which a cancelled value must
  /// free, too. Call `takeCancellations()` before the first value of a quantum.
  ///
  /// - Returns: the value, or nil if the oldest one is due later or the queue is empty.
  @inlinable
  public mutating func take(
    upTo frame: Int64
  ) -> (entry: FrameEntry<Content>, isCancelled: Bool)? {
    guard let entry = entries.peek() else {
      pendingCount = 0
      return nil
    }
    let isCancelled = isCancelled(entry)
    guard isCancelled || entry.frame <= frame else { return nil }
    _ = entries.pop()
    return (entry, isCancelled)
  }

  /// Takes the cancellations sent since the last call, for `take(upTo:)`.
  @inlinable
  public mutating func takeCancellations() {
    while pendingCount < 64, let order = orders.pop() {
      pending[pendingCount] = order
      pendingCount &+= 1
    }
  }

  /// Whether a value was cancelled after it was sent; forgets the orders that are done with.
  @inlinable
  mutating func isCancelled(_ entry: FrameEntry<Content>) -> Bool {
    var kept = 0
    var isCancelled = false
    for index in 0..<pendingCount {
      let order = pending[index]
      // Values come in the order of their epochs: nothing older is to follow.
      guard order.epoch > entry.epoch else { continue }
      pending[kept] = order
      kept &+= 1
      if entry.frame >= order.frame { isCancelled = true }
    }
    pendingCount = kept
    return isCancelled
  }
}
