// SPDX-License-Identifier: Apache-2.0
internal import Glibc
internal import MIDIMessages
internal import MIDIPorts
internal import Realtime

/// The sending half of a port: events with frames for the server's thread.
///
/// - Note: One thread at a time sends.
@safe
struct MIDIOutQueue: ~Copyable, @unchecked Sendable {
  // Unchecked: the rings have one writer, which the port's lock ensures.

  /// The room reserved for releases, resets and clocks.
  private static let reserve = 512
  /// The longest SysEx, in bytes.
  private static let longest = 1 << 20

  private let events: RingBuffer<FramedEvent>
  private let cancellations: RingBuffer<FramedCancellation>
  private let done: RingBuffer<FramedEvent>
  /// The events that were taken, as both sides know it.
  let claim = FrameClaim()
  private var epoch: UInt32 = 0
  /// A cancellation that has not been stored yet.
  private var undelivered: FramedCancellation?
  /// The number of events that the kernel has not returned.
  private(set) var underWay = 0
  private(set) var refusedCount = 0

  /// The sounding notes that were sent.
  private(set) var ledger = NoteLedger()
  /// The notes for a guardian; nil without one.
  private let notes: SharedNotes?

  init(notes: SharedNotes? = nil) {
    self.notes = notes
    let capacity = MIDIOutKernel.capacity
    events = RingBuffer(minimumCapacity: capacity)
    cancellations = RingBuffer(minimumCapacity: 256)
    done = RingBuffer(minimumCapacity: capacity)
  }

  /// The kernel of the queue.
  func kernel() -> MIDIOutKernel {
    MIDIOutKernel(events.reader, cancellations.reader, done: done.writer)
  }

  /// Adds an event.
  ///
  /// A message that a port cannot send is dropped, and counts as added.
  ///
  /// - Parameters:
  ///   - payload: The event.
  ///   - frame: The frame at which it is due.
  ///   - origin: The start of that count, which the caller must retain; nil for that of the client.
  ///   - payloads: The bytes to which it refers.
  /// - Returns: True if there was room.
  mutating func take(
    _ payload: EventPayload, at frame: Int64, of origin: FrameOrigin? = nil, payloads: Span<UInt8>
  ) -> Bool {
    reclaim()
    guard undelivered == nil || deliverCancellation() != nil else { return false }
    switch payload {
    case .message(let message):
      let isUrgent = message.isRelease || message.status >= 0xF8
      guard underWay < MIDIOutKernel.capacity - (isUrgent ? 0 : Self.reserve) else { return false }
      return push(message, at: frame, origin)
    case .sysEx(let place):
      guard underWay < MIDIOutKernel.capacity - Self.reserve else { return false }
      let range = Int(place.offset)..<Int(place.offset + place.count)
      return push(payloads.extracting(range), at: frame, origin)
    case .parameter, .fact, .sysExPart: return true
    }
  }

  private mutating func push(
    _ message: Message, at frame: Int64, _ origin: FrameOrigin?
  ) -> Bool {
    // The first byte is the lowest; missing bytes are 0.
    let short = UInt32(message.status) | UInt32(message.data1) << 8 | UInt32(message.data2) << 16
    let event = unsafe FramedEvent(
      frame: frame, epoch: epoch, count: UInt32(message.length), short: short, long: nil,
      origin: origin?.address)
    // Before it is queued: if the process is killed in between, one release too many is sent.
    notes?.promise(message)
    if push(event) { return true }
    notes?.withdraw(message)
    return false
  }

  /// Adds a SysEx, with F0 and F7.
  private mutating func push(
    _ body: Span<UInt8>, at frame: Int64, _ origin: FrameOrigin?
  ) -> Bool {
    guard body.count <= Self.longest else {
      refusedCount += 1
      return true
    }
    let count = body.count + 2
    let bytes = UnsafeMutablePointer<UInt8>.allocate(capacity: count)
    unsafe bytes[0] = 0xF0
    for index in body.indices { unsafe bytes[index + 1] = body[index] }
    unsafe bytes[count - 1] = 0xF7
    let event = unsafe FramedEvent(
      frame: frame, epoch: epoch, count: UInt32(count), short: 0, long: bytes,
      origin: origin?.address)
    if push(event) { return true }
    unsafe bytes.deallocate()
    return false
  }

  private mutating func push(_ event: FramedEvent) -> Bool {
    guard events.writer.push(event) else { return false }
    underWay += 1
    return true
  }

  /// Cancels the events due from a frame on, in the count of an origin or the client, except for
  /// those that a cycle has taken.
  ///
  /// - Returns: The first frame from which all events are cancelled: `frame`, or the end of that
  ///   cycle.
  @discardableResult
  mutating func cancel(from frame: Int64, of origin: FrameOrigin? = nil) -> Int64 {
    reclaim()
    epoch += 1
    // Events were not added since a cancellation that still waits, so the two become one.
    undelivered = unsafe FramedCancellation(
      epoch: epoch, frame: min(frame, undelivered?.frame ?? frame), origin: origin?.address)
    let before = origin?.frame ?? 0
    guard let taken = deliverCancellation(), before != FramedEvent.unknownOrigin,
      before != FramedEvent.noOrigin
    else { return frame }
    // While the output's time is paused, its origin moves in each cycle; both values count as
    // taken.
    return max(frame, taken - min(before, origin?.frame ?? 0))
  }

  /// Stores a cancellation; returns the frame before which all events were taken by then, nil
  /// without room.
  private mutating func deliverCancellation() -> Int64? {
    guard let order = undelivered, cancellations.writer.push(order) else { return nil }
    undelivered = nil
    return claim.order()
  }

  /// Frees the events that the kernel has returned.
  mutating func reclaim() {
    while let event = done.reader.pop() {
      underWay -= 1
      if let long = unsafe event.long {
        unsafe long.deallocate()
      } else {
        note(event)
      }
    }
  }

  /// Records a message that was sent, or drops one that will never be.
  private mutating func note(_ event: FramedEvent) {
    let message = Message(
      status: UInt8(truncatingIfNeeded: event.short),
      data1: UInt8(truncatingIfNeeded: event.short >> 8),
      data2: UInt8(truncatingIfNeeded: event.short >> 16))
    guard event.hasLeft else {
      notes?.withdraw(message)
      return
    }
    ledger.record(message)
    notes?.settle(message)
  }

  /// Returns the messages that release all sounding notes, and records them as released.
  mutating func takeReleases() -> [Message] { ledger.takeReleases(cuttingSound: true) }

  /// While the server is gone, keeps the releases of sounding notes for its return.
  mutating func keepRelease(_ message: Message) {
    reclaim()
    var owed = ledger
    guard let hold = message.hold, !hold.begins,
      owed.takeReleases(cuttingSound: false).contains(where: { $0.hold?.hold == hold.hold })
    else { return }
    ledger.record(message)
    let none: [UInt8] = []
    _ = take(.message(message), at: .min, payloads: none.span)
  }

  /// Frees the remaining events, once the kernel is gone.
  mutating func empty() {
    reclaim()
    while let event = events.reader.pop() {
      if let long = unsafe event.long { unsafe long.deallocate() }
    }
  }
}
