// SPDX-License-Identifier: Apache-2.0
internal import CALSA
internal import MIDIMessages
internal import MIDIPorts
internal import MusicalTime
internal import Realtime

/// The state guarded by the lock of an output port: sent events, and events that wait.
struct OutputState: Sendable {
  /// The time by which pieces of a SysEx are passed to the kernel early, in nanoseconds.
  static let handOnAhead: Int64 = 500_000_000
  /// The cells of the kernel's pool reserved for releases, resets and clocks.
  static let reserve = 200
  /// The time after its stamp at which an event has certainly left the queue, in nanoseconds.
  static let queueSlack: Int64 = 2_000_000

  /// The payload of a SysEx event.
  enum SysExForm {
    /// A message without its F0 and F7; a long one is sent at this number of bytes per second.
    case whole(speed: Int)
    /// A piece of a message, with F0 and F7 among its bytes, sent unchanged.
    case pieces
  }

  let port: UInt8
  private let form: SysExForm
  /// True if a SysEx sent as pieces is unfinished.
  private var isInPieces = false
  private var notes: SentNotes
  /// The SysEx messages that are being sent; only the last can have pieces that ALSA has not taken
  /// yet.
  private var transfers: [SysExTransfer] = []
  /// The events that wait until ALSA has taken the last piece.
  private var held = HeldEvents()
  /// The events that ALSA has taken and that leave late, because a SysEx leaves before them.
  private var delayed: [DelayedMessage] = []
  /// The number of SysEx messages and delayed events passed to ALSA: the position of the next one.
  private var place = 0
  private var longestDelay: Int64 = 0
  /// The latest queue time of an event of this port.
  private var lastStamp: Int64 = 0

  init(port: UInt8, sysEx form: SysExForm, shared: SharedNotes? = nil) {
    self.port = port
    self.form = form
    notes = SentNotes(shared: shared)
  }

  /// Marks this port's events in the queue, so that they can be cancelled.
  private var tag: UInt8 { port &+ 1 }

  private static var now: HostTime { HostTime(nanoseconds: DeadlineWait.now) }

  /// Passes on the pieces of long SysEx messages that are due, then as many of the events as there
  /// is room for.
  mutating func send(
    _ events: Span<HostEvent>, payloads: Span<UInt8>, to client: inout ClientState
  ) throws(EndpointError) -> Int {
    try client.lookAtQueue()
    notes.settle(before: Self.now.advanced(byNanoseconds: -Self.queueSlack))
    var room = try client.freeCells()
    try handOn(room: &room, to: &client)
    var taken = 0
    while taken < events.count {
      guard try take(events[taken], payloads, room: &room, client: &client) else { break }
      taken += 1
    }
    shareSysEx()
    try client.handle.handOver()
    return taken
  }

  /// Cancels the events due at or after an instant.
  ///
  /// A SysEx that was due before the instant is finished, and the events that wait for it stay.
  mutating func cancel(from time: HostTime, in client: inout ClientState) throws(EndpointError) {
    try client.lookAtQueue()
    let limit = client.stamps.queueTime(at: time, by: client.clock)
    try client.handle.removeEvents(queue: client.queue, tag: tag, from: limit)
    lastStamp = min(lastStamp, limit)
    let now = Self.now
    let gone = transfers.filter { $0.time >= time }
    let isCutShort = gone.contains { $0.isCut(at: time, after: now) }
    // If its end is cancelled, a message is unfinished again.
    isInPieces = isInPieces || gone.contains { $0.part != nil && $0.end >= time }
    transfers.removeAll { $0.time >= time }
    for index in transfers.indices { transfers[index].takeBack(from: max(time, now)) }
    held.cancel(from: time)
    waitAgain(from: time)
    client.stamps.forget(from: time)
    if isCutShort { try endSysEx(at: time, in: &client) }
    notes.cancel(from: time)
    try sendAgain(to: &client)
    try client.handle.handOver()
  }

  /// Lets events due before the instant that were cancelled with the others wait again, after a
  /// SysEx and in their original order.
  private mutating func waitAgain(from time: HostTime) {
    held.putBack(DelayedMessage.takenBack(delayed, transfers, from: time))
    transfers.removeAll { $0.handedOn == 0 }
    delayed.removeAll { $0.due >= time }
  }

  private mutating func sendAgain(to client: inout ClientState) throws(EndpointError) {
    var room = try client.freeCells()
    try handOn(room: &room, to: &client)
  }

  /// Cancels all events that are not due yet, and releases all sounding notes at once.
  mutating func silence(in client: inout ClientState) throws(EndpointError) {
    try client.handle.removeEvents(queue: client.queue, tag: tag, from: nil)
    let now = Self.now
    let isCutShort = mayBeInSysEx(at: now)
    isInPieces = false
    lastStamp = 0
    transfers.removeAll()
    held = HeldEvents()
    delayed.removeAll()
    if isCutShort { try endSysEx(at: now, in: &client) }
    // An event due a moment ago may have left or not: it counts as sent.
    for message in notes.silence(at: now.advanced(byNanoseconds: Self.queueSlack)) {
      try emit(message, at: .zero, in: &client)
    }
    try client.handle.handOver()
    notes.forgetShared()
  }

  /// Treats every channel as sounding, because the kernel passes events of other programs.
  mutating func assumeEverything() { notes.assumeEverything() }

  /// From here on the guardian releases nothing.
  func leaveSounding() { notes.forgetShared() }

  /// Returns true if no events wait; passes on the due pieces of long SysEx messages.
  mutating func isDrained(in client: inout ClientState) throws(EndpointError) -> Bool {
    var room = try client.freeCells()
    try handOn(room: &room, to: &client)
    let isHandedOver = try client.handle.handOver()
    let queue = try client.handle.queueStatus(client.queue)
    // Other ports may have events in the same queue.
    let hasLeft = queue.events == 0 || queue.time > lastStamp + Self.queueSlack
    let isDrained = isHandedOver && hasLeft && !isOccupied
    if isDrained { notes.settle(before: HostTime(nanoseconds: .max)) }
    shareSysEx()
    return isDrained
  }

  /// Returns the number of sent bytes and the total of the long SysEx messages being sent.
  mutating func sysExProgress(at time: HostTime) -> (sent: Int, total: Int) {
    forgetTransfers(before: time)
    let long = transfers.filter { $0.bytes.count > ALSAOutputPort.longestAtOnce + 2 }
    return long.reduce((0, held.longByteCount)) {
      ($0.0 + $1.sent(at: time), $0.1 + $1.bytes.count)
    }
  }

  /// True if events wait for a SysEx, or are sent late because of one.
  var isHoldingBack: Bool { isOccupied || heldUntil > Self.now }

  /// Returns the longest time that an event waited for a SysEx since the last call, in nanoseconds.
  mutating func takeLongestDelay() -> Int64 {
    defer { longestDelay = 0 }
    return longestDelay
  }

  private mutating func take(
    _ event: HostEvent, _ payloads: Span<UInt8>, room: inout Int, client: inout ClientState
  ) throws(EndpointError) -> Bool {
    switch event.payload {
    case .message(let message):
      let isHeld = message.status < 0xF8
      if isHeld, isOccupied { return held.add(message, at: event.time) }
      let mayWait = isHeld && !message.isRelease
      guard room > (mayWait ? Self.reserve : 0) else { return false }
      room -= 1
      return try emit(message, at: event.time, held: isHeld, in: &client)
    case .sysEx(let place):
      guard case .whole = form else {
        return try pass(payloads.extracting(place), at: event.time, room: &room, to: &client)
      }
      return try take(
        payloads.extracting(place), nil, at: event.time, room: &room, client: &client)
    case .sysExPart(let place, let part):
      guard case .whole = form else { return true }
      return try take(
        payloads.extracting(place), part, at: event.time, room: &room, client: &client)
    case .parameter, .fact:
      return true
    }
  }

  /// True if pieces of a SysEx were not passed on yet, or events wait for that.
  private var isOccupied: Bool { !held.isEmpty || transfers.contains { !$0.isFinished } }

  /// Takes a SysEx message or a part of one; returns false if too many wait.
  private mutating func take(
    _ payload: Span<UInt8>, _ part: SysExPart?, at time: HostTime, room: inout Int,
    client: inout ClientState
  ) throws(EndpointError) -> Bool {
    if isOccupied { return held.add(sysEx: payload, part, at: time) }
    begin(payload, part, at: time)
    try handOn(room: &room, to: &client)
    return true
  }

  /// Begins a SysEx message or a part of one.
  ///
  /// If it is late, all of it is late: its pieces never follow each other faster than the speed
  /// allows.
  private mutating func begin(_ payload: Span<UInt8>, _ part: SysExPart?, at time: HostTime) {
    guard case .whole(let speed) = form else { return }
    note(delayUntil: heldUntil, of: time)
    transfers.append(
      SysExTransfer(
        payload: payload, part: part, time: time, start: max(time, heldUntil, Self.now),
        speed: speed, place: nextPlace()))
    if let part { isInPieces = part == .first || part == .middle }
  }

  private mutating func note(delayUntil due: HostTime, of time: HostTime) {
    guard due > time, time > .zero else { return }
    longestDelay = max(longestDelay, due.nanoseconds(since: time))
  }

  /// Shares with the guardian that a receiver may be waiting for the end of a SysEx.
  private func shareSysEx() {
    notes.record(isInSysEx: mayBeInSysEx(at: Self.now))
  }

  /// Returns true if a SysEx may have begun and not ended; an end that was due a moment ago may
  /// have left or not.
  private func mayBeInSysEx(at now: HostTime) -> Bool {
    let left = now.advanced(byNanoseconds: -Self.queueSlack)
    return isInPieces || transfers.contains { $0.canBeCutShort && $0.end > left }
  }

  /// The end of the SysEx messages: just after the last piece, which may not be queued yet.
  private var heldUntil: HostTime {
    transfers.map { $0.end.advanced(byNanoseconds: 1) }.max() ?? .zero
  }

  /// Passes on the due pieces of long SysEx messages, and after the last piece the events that wait
  /// for it.
  private mutating func handOn(
    room: inout Int, to client: inout ClientState
  ) throws(EndpointError) {
    let now = Self.now
    forgetTransfers(before: now)
    while try handOnPieces(at: now, room: &room, to: &client), let event = held.first {
      switch event.content {
      case .message(let message):
        guard room > (message.isRelease ? 0 : Self.reserve) else { return }
        room -= 1
        guard try emit(message, at: event.time, held: true, in: &client) else { return }
      case .sysEx(let bytes, let part): begin(bytes.span, part, at: event.time)
      }
      held.removeFirst()
    }
  }

  /// Passes on the pieces that are due; returns true if no pieces are left.
  private mutating func handOnPieces(
    at now: HostTime, room: inout Int, to client: inout ClientState
  ) throws(EndpointError) -> Bool {
    let limit = max(now.advanced(byNanoseconds: Self.handOnAhead), .zero)
    for index in transfers.indices where !transfers[index].isFinished {
      transfers[index].postpone(to: now)
      while !transfers[index].isFinished {
        guard transfers[index].nextTime <= limit else { return false }
        let piece = transfers[index].nextPiece
        let cells = 1 + (piece.count + 27) / 28
        guard room >= cells + Self.reserve else { return false }
        let template = unsafe stamped(snd_seq_event_t(), at: transfers[index].nextTime, in: &client)
        let isTaken = unsafe try client.handle.output(
          sysEx: transfers[index].bytes, piece: piece, as: template)
        guard isTaken else { return false }
        room -= cells
        client.hasSent = true
        transfers[index].advance()
      }
    }
    return true
  }

  private mutating func forgetTransfers(before time: HostTime) {
    transfers.removeAll { $0.isFinished && $0.end < time }
    delayed.removeAll { $0.due < time }
  }

  /// Sends a piece unchanged, in as many events as its length requires; returns false if there is
  /// no room.
  private mutating func pass(
    _ bytes: Span<UInt8>, at time: HostTime, room: inout Int, to client: inout ClientState
  ) throws(EndpointError) -> Bool {
    var copy: ContiguousArray<UInt8> = []
    for index in bytes.indices { copy.append(bytes[index]) }
    let length = SysExTransfer.pieceLength
    let count = (copy.count + length - 1) / length
    // A piece too long for any pool must not wait for room.
    let cells = min(count * (1 + (length + 27) / 28), 1000)
    guard room >= cells + Self.reserve else { return false }
    room -= cells
    client.hasSent = true
    for start in stride(from: 0, to: copy.count, by: length) {
      let piece = start..<min(start + length, copy.count)
      let template = unsafe stamped(snd_seq_event_t(), at: time, in: &client)
      _ = unsafe try client.handle.output(sysEx: copy, piece: piece, as: template)
    }
    isInPieces = copy.last != 0xF7
    return true
  }

  /// Ends a SysEx that will not be finished; otherwise a receiver would wait.
  private mutating func endSysEx(
    at time: HostTime, in client: inout ClientState
  ) throws(EndpointError) {
    let end: ContiguousArray<UInt8> = [0xF7]
    let template = unsafe stamped(snd_seq_event_t(), at: time, in: &client)
    _ = unsafe try client.handle.output(sysEx: end, piece: 0..<1, as: template)
  }

  /// Sends a message at its time, or after the last piece of a SysEx if it must wait for that.
  private mutating func emit(
    _ message: Message, at time: HostTime, held isHeld: Bool, in client: inout ClientState
  ) throws(EndpointError) -> Bool {
    let due = isHeld ? max(time, heldUntil) : time
    client.hasSent = true
    notes.record(message, due: due)
    guard try emit(message, at: due, in: &client) else { return false }
    guard due > time else { return true }
    note(delayUntil: due, of: time)
    delayed.append(DelayedMessage(message: message, time: time, due: due, place: nextPlace()))
    return true
  }

  private mutating func nextPlace() -> Int {
    defer { place += 1 }
    return place
  }

  @discardableResult
  private mutating func emit(
    _ message: Message, at time: HostTime, in client: inout ClientState
  ) throws(EndpointError) -> Bool {
    // A status without an event sends nothing.
    guard let bare = unsafe EventConversion.event(for: message) else { return true }
    var event = unsafe stamped(bare, at: time, in: &client)
    return unsafe try client.handle.output(&event)
  }

  /// Returns the event from our port to all connected ports, stamped for the queue.
  ///
  /// All events pass through the queue: an event delivered directly is refused for all receivers if
  /// the pool of one is full, and sending it again would deliver it twice to the others.
  private mutating func stamped(
    _ event: snd_seq_event_t, at time: HostTime, in client: inout ClientState
  ) -> snd_seq_event_t {
    var event = unsafe event
    unsafe event.source.port = port
    unsafe event.dest.client = UInt8(SND_SEQ_ADDRESS_SUBSCRIBERS)
    unsafe event.dest.port = UInt8(SND_SEQ_ADDRESS_UNKNOWN)
    unsafe event.tag = tag
    unsafe event.queue = UInt8(truncatingIfNeeded: client.queue)
    unsafe event.flags |= UInt8(SND_SEQ_TIME_STAMP_REAL | SND_SEQ_TIME_MODE_ABS)
    let stamp = client.stamps.stamp(time, at: Self.now, by: client.clock)
    lastStamp = max(lastStamp, stamp)
    unsafe event.time.time = snd_seq_real_time_t(nanoseconds: stamp)
    return unsafe event
  }
}
