// SPDX-License-Identifier: Apache-2.0

/// A queue that passes values from one thread to another, each with the frame at which it is due.
///
/// The values in the queue that are due from a frame on can be cancelled; values that are added
/// later are not affected. The two ends must not be used after the queue is destroyed.
///
/// - Note: Real-time safe, except for creation and destruction.
public struct FrameQueue<Content: BitwiseCopyable & Sendable>: ~Copyable, Sendable {
  private let entries: RingBuffer<FrameEntry<Content>>
  private let orders = RingBuffer<FrameCancellation>(minimumCapacity: 64)

  /// Creates a queue with room for at least a number of values.
  public init(minimumCapacity: Int) {
    entries = RingBuffer(minimumCapacity: minimumCapacity)
  }

  /// True if the queue is empty.
  ///
  /// Values that were cancelled but not removed yet are counted.
  ///
  /// - Note: Any thread.
  public var isEmpty: Bool { entries.reader.count == 0 }

  /// Returns the writing end; call it once.
  public func makeWriter() -> FrameQueueWriter<Content> {
    FrameQueueWriter(entries: entries.writer, orders: orders.writer)
  }

  /// Returns the reading end; call it once.
  public func makeReader() -> FrameQueueReader<Content> {
    FrameQueueReader(entries: entries.reader, orders: orders.reader)
  }
}

/// A value in a queue, with the frame at which it is due.
public struct FrameEntry<Content: BitwiseCopyable & Sendable>: BitwiseCopyable, Sendable {
  /// The frame at which the value is due.
  public let frame: Int64
  /// The value that was added to the queue.
  public let content: Content
  @usableFromInline let epoch: UInt32

  @usableFromInline
  init(frame: Int64, epoch: UInt32, content: Content) {
    self.frame = frame
    self.epoch = epoch
    self.content = content
  }
}

/// An order to drop the values sent before it that are due from a frame on.
@usableFromInline
struct FrameCancellation: BitwiseCopyable, Sendable {
  /// The epoch that begins with it; it affects older values.
  @usableFromInline let epoch: UInt32
  @usableFromInline let frame: Int64

  @usableFromInline
  init(epoch: UInt32, frame: Int64) {
    self.epoch = epoch
    self.frame = frame
  }
}

/// The writing end of a frame queue.
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

  /// The number of values that can be added now; 0 while the reader has not received a
  /// cancellation.
  public var room: Int { undelivered == nil || orders.room > 0 ? entries.room : 0 }

  /// Adds a value, or returns false if the queue is full.
  public mutating func push(_ content: Content, frame: Int64) -> Bool {
    deliver() && entries.push(FrameEntry(frame: frame, epoch: epoch, content: content))
  }

  /// Cancels the values that were added before this call and are due at or after a frame.
  public mutating func cancel(from frame: Int64) {
    epoch &+= 1
    // Values were not added since an order that still waits, so the two become one.
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

/// The reading end of a frame queue.
///
/// - Note: Real-time safe. One thread at a time.
public struct FrameQueueReader<Content: BitwiseCopyable & Sendable>: BitwiseCopyable, Sendable {
  @usableFromInline let entries: RingReader<FrameEntry<Content>>
  @usableFromInline let orders: RingReader<FrameCancellation>
  /// Orders that may still affect queued values; others wait in their ring.
  @usableFromInline var pending = InlineArray<64, FrameCancellation>(
    repeating: FrameCancellation(epoch: 0, frame: 0))
  @usableFromInline var pendingCount = 0

  init(entries: RingReader<FrameEntry<Content>>, orders: RingReader<FrameCancellation>) {
    self.entries = entries
    self.orders = orders
  }

  /// Removes and returns the oldest value that is due before a frame and was not cancelled.
  ///
  /// - Complexity: O(n) in the number of cancelled values before it.
  @inlinable
  public mutating func next(before frame: Int64) -> FrameEntry<Content>? {
    takeCancellations()
    while let entry = entries.peek() {
      // A cancelled value is removed at once, because its replacement may be due earlier.
      if isCancelled(entry) {
        _ = entries.pop()
      } else {
        return entry.frame < frame ? entries.pop() : nil
      }
    }
    // The cancellations so far affect only values sent before them, which have all been removed.
    pendingCount = 0
    return nil
  }

  /// Returns the oldest value, even if it was cancelled, without removing it; nil if the queue is
  /// empty.
  @inlinable
  public func peek() -> FrameEntry<Content>? { entries.peek() }

  /// Removes and returns the oldest value if it was cancelled, or is due at or before a frame.
  ///
  /// Use this function in place of `next(before:)` if values refer to data that must be freed even
  /// after a cancellation. In each quantum, call `takeCancellations()` before the first call.
  ///
  /// - Returns: The value, or nil if the oldest one is due later or the queue is empty.
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

  /// Reads the cancellations since the last call; see `take(upTo:)`.
  @inlinable
  public mutating func takeCancellations() {
    while pendingCount < 64, let order = orders.pop() {
      pending[pendingCount] = order
      pendingCount &+= 1
    }
  }

  /// Returns true if a value was cancelled after it was sent; removes orders that are complete.
  @inlinable
  mutating func isCancelled(_ entry: FrameEntry<Content>) -> Bool {
    var kept = 0
    var isCancelled = false
    for index in 0..<pendingCount {
      let order = pending[index]
      // Values are in the order of their epochs, so older ones do not follow.
      guard order.epoch > entry.epoch else { continue }
      pending[kept] = order
      kept &+= 1
      if entry.frame >= order.frame { isCancelled = true }
    }
    pendingCount = kept
    return isCancelled
  }
}
