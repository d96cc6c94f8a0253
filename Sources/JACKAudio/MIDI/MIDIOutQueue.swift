// SPDX-License-Identifier: Apache-2.0
internal import Glibc
internal import MIDIMessages
internal import MIDIPorts
internal import Realtime

/// The sending half of a port: what is stamped with frames on its way to the server's thread.
///
/// - Note: one thread at a time sends.
@safe
struct MIDIOutQueue: ~Copyable, @unchecked Sendable {
  // Unchecked: the rings have one writer, which the port's lock makes sure of.

  /// Room that only releases, resets and clocks may use.
  private static let reserve = 512
  /// The longest SysEx that is taken, in bytes.
  private static let longest = 1 << 20

  private let events: RingBuffer<FramedEvent>
  private let cancellations: RingBuffer<FramedCancellation>
  private let done: RingBuffer<FramedEvent>
  /// What both sides know of what was taken.
  let claim = FrameClaim()
  private var epoch: UInt32 = 0
  /// An order that found no room.
  private var undelivered: FramedCancellation?
  /// Events that the other side has not given back.
  private(set) var underWay = 0
  private(set) var refusedCount = 0

  /// What has left and is to be ended.
  private(set) var ledger = NoteLedger()
  /// What a guardian sees of it; nil without one.
  private let notes: SharedNotes?

  init(notes: SharedNotes? = nil) {
    self.notes = notes
    let capacity = MIDIOutKernel.capacity
    events = RingBuffer(minimumCapacity: capacity)
    cancellations = RingBuffer(minimumCapacity: 256)
    done = RingBuffer(minimumCapacity: capacity)
  }

  /// The other side of it.
  func kernel() -> MIDIOutKernel {
    MIDIOutKernel(events.reader, cancellations.reader, done: done.writer)
  }

  /// Takes an event.
  ///
  /// A message that no port can take is left out, and taken.
  ///
  /// - Parameters:
  ///   - payload: the event.
  ///   - frame: the frame at which it is due.
  ///   - origin: where that count begins, which the caller keeps; nil for the client's own.
  ///   - payloads: the bytes that it points into.
  /// - Returns: whether there was room.
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
    // The first byte is the lowest; those that a message does not have are 0.
    let short = UInt32(message.status) | UInt32(message.data1) << 8 | UInt32(message.data2) << 16
    let event = unsafe FramedEvent(
      frame: frame, epoch: epoch, count: UInt32(message.length), short: short, long: nil,
      origin: origin?.address)
    // Before it is handed over: who is killed in between owes a release too many.
    notes?.promise(message)
    if push(event) { return true }
    notes?.withdraw(message)
    return false
  }

  /// A SysEx with F0 before it and F7 behind.
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

  /// Forgets what is due from a frame on, in the count of an origin or of the client, but for what a
  /// turn has taken.
  ///
  /// - Returns: the first frame from which on all is forgotten: `frame`, or the end of that turn.
  @discardableResult
  mutating func cancel(from frame: Int64, of origin: FrameOrigin? = nil) -> Int64 {
    reclaim()
    epoch += 1
    // No event has been taken since an order that is still waiting, so the two become one.
    undelivered = unsafe FramedCancellation(
      epoch: epoch, frame: min(frame, undelivered?.frame ?? frame), origin: origin?.address)
    let before = origin?.frame ?? 0
    guard let taken = deliverCancellation(), before != FramedEvent.unknownOrigin,
      before != FramedEvent.noOrigin
    else { return frame }
    // An output whose time stands moves its origin in each turn: what either place says was taken.
    return max(frame, taken - min(before, origin?.frame ?? 0))
  }

  /// Hands an order over; returns the frame before which all was taken by then, nil without room.
  private mutating func deliverCancellation() -> Int64? {
    guard let order = undelivered, cancellations.writer.push(order) else { return nil }
    undelivered = nil
    return claim.order()
  }

  /// Takes back what the other side is done with.
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

  /// Counts a message that has left, or forgets one that never will.
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

  /// What ends all that has left and sounds; it counts as ended.
  mutating func takeReleases() -> [Message] { ledger.takeReleases(cuttingSound: true) }

  /// Keeps of what is lost while the server is away the release of what sounds, for its return.
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

  /// Frees what nobody will send; once the other side is gone.
  mutating func empty() {
    reclaim()
    while let event = events.reader.pop() {
      if let long = unsafe event.long { unsafe long.deallocate() }
    }
  }
}
