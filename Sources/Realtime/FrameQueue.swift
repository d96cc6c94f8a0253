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

  /// How many values find room.
  public var room: Int { entries.room }

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
    guard entries.count > 0 else { return nil }
    takeOrders()
    while let entry = entries.peek() {
      // A cancelled value goes at once: what replaces it may be due earlier.
      if isCancelled(entry) {
        _ = entries.pop()
      } else {
        return entry.frame < frame ? entries.pop() : nil
      }
    }
    return nil
  }

  @inlinable
  mutating func takeOrders() {
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
