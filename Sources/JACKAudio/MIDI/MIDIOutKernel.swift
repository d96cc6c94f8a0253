// SPDX-License-Identifier: Apache-2.0
internal import CJACK
internal import Realtime
internal import Synchronization

/// Stores events in the order of their frames, and writes those that are due into a port's buffer.
///
/// - Note: Owned by the server's thread.
@safe
struct MIDIOutKernel: ~Copyable {
  /// The maximum number of queued events.
  static var capacity: Int {
    @_noAllocation @_noLocks
    get { 16_384 }
  }

  private let events: RingReader<FramedEvent>
  private let cancellations: RingReader<FramedCancellation>
  /// The ring in which completed events are returned.
  private let done: RingWriter<FramedEvent>
  /// The number of applied cancellations, modulo 65,536.
  private var followedOrders: UInt16 = 0
  private let waiting: UnsafeMutablePointer<FramedEvent>
  private var first = 0
  private var count = 0
  /// The origin of the last event with one, and its value.
  private var lastOrigin: (address: UnsafePointer<Atomic<Int64>>?, frame: Int64) = (nil, 0)
  private(set) var lateCount = 0
  private(set) var refusedCount = 0

  init(
    _ events: RingReader<FramedEvent>, _ cancellations: RingReader<FramedCancellation>,
    done: RingWriter<FramedEvent>
  ) {
    (self.events, self.cancellations, self.done) = (events, cancellations, done)
    unsafe waiting = .allocate(capacity: Self.capacity)
    let none = unsafe FramedEvent(frame: 0, epoch: 0, count: 0, short: 0, long: nil, origin: nil)
    unsafe waiting.initialize(repeating: none, count: Self.capacity)
  }

  deinit {
    unsafe waiting.deallocate()
  }

  /// Takes the events and cancellations since the last cycle.
  ///
  /// - Parameters:
  ///   - frame: The end of the frames that were already taken; the senders of cancellations know
  ///     it.
  ///   - orders: The number of cancellations to apply, modulo 65,536; the affected events were sent
  ///     before them.
  @_noAllocation @_noLocks
  mutating func take(from frame: Int64, following orders: UInt16) {
    followOrigin()
    while let event = events.peek() {
      let origin = unsafe Self.origin(event.origin)
      // Its output starts in a later cycle: the event and those after it wait for that.
      guard origin != FramedEvent.unknownOrigin else { return }
      _ = events.pop()
      if origin == FramedEvent.noOrigin {
        _ = done.push(event)
      } else {
        unsafe lastOrigin = unsafe event.origin == nil ? lastOrigin : (event.origin, origin)
        insert(event, origin)
      }
    }
    while followedOrders != orders {
      guard let order = cancellations.pop() else { return }
      followedOrders &+= 1
      let origin = unsafe Self.origin(order.origin)
      // Events of an output that has not started were not taken.
      guard origin != FramedEvent.unknownOrigin, origin != FramedEvent.noOrigin else { continue }
      let limit = order.frame.addingClamped(origin)
      // A cancellation of all events includes late ones.
      forget(order.epoch, from: limit == .min ? limit : max(limit, frame))
    }
  }

  @_noAllocation @_noLocks
  private static func origin(_ origin: UnsafePointer<Atomic<Int64>>?) -> Int64 {
    guard let origin = unsafe origin else { return 0 }
    return unsafe origin.pointee.load(ordering: .acquiring)
  }

  /// Moves events with their output, whose time is paused while a transport waits to start.
  @_noAllocation @_noLocks
  private mutating func followOrigin() {
    guard let address = unsafe lastOrigin.address else { return }
    let distance = unsafe Self.origin(address) &- lastOrigin.frame
    guard distance != 0 else { return }
    unsafe lastOrigin.frame &+= distance
    let mask = Self.capacity &- 1
    for index in 0..<count {
      var event = unsafe waiting[(first &+ index) & mask]
      if unsafe event.origin == address { event.frame = event.frame.addingClamped(distance) }
      place(event, behind: index)
    }
  }

  /// Returns the events at host times, except for those sent at once: the server was gone at their
  /// times.
  mutating func forgetHostTimes(from frame: Int64, following orders: UInt16) {
    take(from: frame, following: orders)
    forget(.max, from: .min, sparesFrames: true)
  }

  /// Writes the events due before the end of a cycle into a buffer, each at its frame.
  ///
  /// An event that is too late for the previous cycle is written at the same offset in this one, so
  /// that the delay of events that are passed on is constant, but before the events that are due in
  /// this one. A SysEx that does not fit into an empty buffer is written in one piece per cycle,
  /// and later events wait.
  ///
  /// - Parameters:
  ///   - start: The client's count at the first frame of the cycle.
  ///   - frameCount: The frames of the cycle.
  ///   - buffer: The buffer of the port.
  ///   - table: The server's functions.
  @_noAllocation @_noLocks
  mutating func write(
    from start: Int64, frameCount: Int, into buffer: UnsafeMutableRawPointer,
    _ table: UnsafePointer<CJACKTable>
  ) {
    let end = start &+ Int64(truncatingIfNeeded: frameCount)
    let firstDue = placeOfFirstDue(from: start, frameCount: frameCount)
    var isEmpty = true
    while count > 0, frameCount > 0 {
      let event = unsafe waiting[first & (Self.capacity &- 1)]
      guard event.frame < end else { return }
      let isLate = event.frame < start && event.written == 0
      let late = event.frame.addingClamped(Int64(truncatingIfNeeded: frameCount) &- start)
      let place = UInt32(
        truncatingIfNeeded: event.frame < start
          ? (isLate ? max(0, min(firstDue, late)) : 0) : event.frame &- start)
      let rest = Int(event.count &- event.written)
      let target = unsafe cjack_midi_reserve(table, buffer, place, rest)
      let hasLeft = unsafe target != nil
      if let target = unsafe target {
        unsafe copy(event, rest, to: target)
      } else {
        // An event that does not fit into the rest of the buffer is the first in the next cycle.
        if !isEmpty { return }
        if unsafe writePiece(of: event, at: place, into: buffer, table) {
          if isLate { lateCount &+= 1 }
          return
        }
        // It does not fit at all: it is never sent.
        refusedCount &+= 1
      }
      if isLate { lateCount &+= 1 }
      isEmpty = false
      drop(event, hasLeft)
    }
  }

  /// The least number of bytes in a piece of a SysEx.
  private static var shortestPiece: Int {
    @_noAllocation @_noLocks
    get { 16 }
  }

  /// Writes the largest possible piece of the first event, a SysEx, into an empty buffer; false if
  /// none fits.
  @_noAllocation @_noLocks
  private mutating func writePiece(
    of event: FramedEvent, at place: UInt32, into buffer: UnsafeMutableRawPointer,
    _ table: UnsafePointer<CJACKTable>
  ) -> Bool {
    guard unsafe event.long != nil else { return false }
    var length = Int(event.count &- event.written) / 2
    while length >= Self.shortestPiece {
      if let target = unsafe cjack_midi_reserve(table, buffer, place, length) {
        unsafe copy(event, length, to: target)
        let slot = first & (Self.capacity &- 1)
        unsafe waiting[slot].written &+= UInt32(length)
        // The rest of it is sent before everything else.
        unsafe waiting[slot].frame = .min
        return true
      }
      length /= 2
    }
    return false
  }

  /// The offset in a cycle of the first event that is due in it, or the last offset if none is.
  @_noAllocation @_noLocks
  private func placeOfFirstDue(from start: Int64, frameCount: Int) -> Int64 {
    let last = Int64(truncatingIfNeeded: frameCount &- 1)
    var index = 0
    while index < count {
      let frame = unsafe waiting[(first &+ index) & (Self.capacity &- 1)].frame
      if frame >= start { return min(last, frame &- start) }
      index &+= 1
    }
    return last
  }

  /// Copies a number of bytes of an event, from the first that was not written.
  @_noAllocation @_noLocks
  private func copy(_ event: FramedEvent, _ count: Int, to target: UnsafeMutablePointer<UInt8>) {
    if let long = unsafe event.long {
      let start = Int(event.written)
      for index in 0..<count { unsafe target[index] = long[start &+ index] }
      return
    }
    for index in 0..<count {
      unsafe target[index] = UInt8(truncatingIfNeeded: event.short >> (8 &* UInt32(index)))
    }
  }

  /// Returns the first event.
  @_noAllocation @_noLocks
  private mutating func drop(_ event: FramedEvent, _ hasLeft: Bool) {
    first &+= 1
    count &-= 1
    var event = event
    event.hasLeft = hasLeft
    _ = done.push(event)
  }

  /// Inserts an event after all events that are not due later.
  @_noAllocation @_noLocks
  private mutating func insert(_ sent: FramedEvent, _ origin: Int64) {
    var event = sent
    event.frame = event.frame.addingClamped(origin)
    // The sender never queues more events than fit.
    guard count < Self.capacity else { return }
    place(event, behind: count)
    count &+= 1
  }

  /// Inserts an event into the first `count` events, which are in order.
  @_noAllocation @_noLocks
  private mutating func place(_ event: FramedEvent, behind count: Int) {
    let mask = Self.capacity &- 1
    var place = first &+ count
    while place > first, unsafe waiting[(place &- 1) & mask].frame > event.frame {
      unsafe waiting[place & mask] = waiting[(place &- 1) & mask]
      place &-= 1
    }
    unsafe waiting[place & mask] = event
  }

  /// Reduces a partly written SysEx to its end.
  @_noAllocation @_noLocks
  private func cutShort(_ event: inout FramedEvent) {
    guard let long = unsafe event.long else { return }
    unsafe long[Int(event.written)] = 0xF7
    event.count = event.written &+ 1
  }

  @_noAllocation @_noLocks
  private mutating func forget(_ epoch: UInt32, from frame: Int64, sparesFrames: Bool = false) {
    let mask = Self.capacity &- 1
    var kept = 0
    for index in 0..<count {
      var event = unsafe waiting[(first &+ index) & mask]
      if event.written > 0, event.epoch < epoch, event.frame >= frame { cutShort(&event) }
      let isSpared = unsafe sparesFrames && (event.origin != nil || event.frame == .min)
      if event.epoch < epoch, event.frame >= frame, !isSpared, event.written == 0 {
        _ = done.push(event)
      } else {
        unsafe waiting[(first &+ kept) & mask] = event
        kept &+= 1
      }
    }
    count = kept
  }
}
