// SPDX-License-Identifier: Apache-2.0
internal import CALSA
internal import MIDIMessages
internal import MIDIPorts
internal import MusicalTime
internal import Realtime

/// What an output port's lock guards: what was sent, and what must wait.
struct OutputState: Sendable {
  /// How far ahead pieces of a SysEx are handed to the kernel, in nanoseconds.
  static let handOnAhead: Int64 = 500_000_000
  /// Cells of the kernel's pool that only releases, resets and clocks may use.
  static let reserve = 200
  /// After this a stamp's event has certainly left the queue, in nanoseconds.
  static let queueSlack: Int64 = 2_000_000

  /// What the payload of a SysEx event is.
  enum SysExForm {
    /// A message without its F0 and F7, which leaves at so many bytes a second where it is long.
    case whole(speed: Int)
    /// A piece of one, F0 and F7 among its bytes, which leaves as it is.
    case pieces
  }

  let port: UInt8
  private let form: SysExForm
  /// Whether a SysEx that came in pieces is not ended yet.
  private var isInPieces = false
  private var notes: SentNotes
  /// The SysEx messages that are being sent; only the last can have pieces that ALSA has not taken yet.
  private var transfers: [SysExTransfer] = []
  /// The events that wait until ALSA has taken the last piece.
  private var held = HeldEvents()
  /// The events that ALSA has taken and that leave late, since a SysEx leaves before them.
  private var delayed: [DelayedMessage] = []
  /// How many SysEx messages and delayed events ALSA was given: the place of the next among them.
  private var place = 0
  private var longestDelay: Int64 = 0
  /// The latest queue time that an event of this port was stamped with.
  private var lastStamp: Int64 = 0

  init(port: UInt8, sysEx form: SysExForm, shared: SharedNotes? = nil) {
    self.port = port
    self.form = form
    notes = SentNotes(shared: shared)
  }

  /// Marks our events in the queue, so that one port's can be cancelled.
  private var tag: UInt8 { port &+ 1 }

  private static var now: HostTime { HostTime(nanoseconds: DeadlineWait.now) }

  /// Hands on what is due of long SysEx messages, then as many of the events as there is room
  /// for.
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

  /// Forgets what was to leave from an instant on.
  ///
  /// A SysEx that was to leave before it is finished, and what waits behind that stays.
  mutating func cancel(from time: HostTime, in client: inout ClientState) throws(EndpointError) {
    try client.lookAtQueue()
    let limit = client.stamps.queueTime(at: time, by: client.clock)
    try client.handle.removeEvents(queue: client.queue, tag: tag, from: limit)
    lastStamp = min(lastStamp, limit)
    let now = Self.now
    let gone = transfers.filter { $0.time >= time }
    let isCutShort = gone.contains { $0.isCut(at: time, after: now) }
    // Where its end is taken back, a message is open again.
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

  /// Has what was taken back with the rest wait, though it was to leave before that: it leaves behind
  /// a SysEx, in the order in which it was sent.
  private mutating func waitAgain(from time: HostTime) {
    held.putBack(DelayedMessage.takenBack(delayed, transfers, from: time))
    transfers.removeAll { $0.handedOn == 0 }
    delayed.removeAll { $0.due >= time }
  }

  private mutating func sendAgain(to client: inout ClientState) throws(EndpointError) {
    var room = try client.freeCells()
    try handOn(room: &room, to: &client)
  }

  /// Forgets what is still to come, and releases everything, at once.
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
    // What was due a moment ago may have left or not: it counts as sent.
    for message in notes.silence(at: now.advanced(byNanoseconds: Self.queueSlack)) {
      try emit(message, at: .zero, in: &client)
    }
    try client.handle.handOver()
    notes.forgetShared()
  }

  /// Takes every channel as sounding: the kernel carries what others play.
  mutating func assumeEverything() { notes.assumeEverything() }

  /// From here on no guardian releases anything.
  func leaveSounding() { notes.forgetShared() }

  /// Whether nothing waits any more; hands on what is due of long SysEx messages.
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

  /// The bytes that have left of the long SysEx messages under way, and of how many.
  mutating func sysExProgress(at time: HostTime) -> (sent: Int, total: Int) {
    forgetTransfers(before: time)
    let long = transfers.filter { $0.bytes.count > ALSAOutputPort.longestAtOnce + 2 }
    return long.reduce((0, held.longByteCount)) {
      ($0.0 + $1.sent(at: time), $0.1 + $1.bytes.count)
    }
  }

  /// Whether something waits for a SysEx, or leaves late because of one.
  var isHoldingBack: Bool { isOccupied || heldUntil > Self.now }

  /// The longest time that an event waited behind a SysEx since the last call, in nanoseconds.
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

  /// Whether pieces of a SysEx were not handed on yet, or something waits for that.
  private var isOccupied: Bool { !held.isEmpty || transfers.contains { !$0.isFinished } }

  /// Takes a SysEx message or a part of one; false if too many wait.
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
  /// One that comes late leaves late as a whole: its pieces never follow each other faster than the
  /// wire.
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

  /// Tells the guardian whether a receiver may wait for the end of a SysEx.
  private func shareSysEx() {
    notes.record(isInSysEx: mayBeInSysEx(at: Self.now))
  }

  /// Whether a SysEx may have begun and not ended; an end that was due a moment ago may have left or
  /// not.
  private func mayBeInSysEx(at now: HostTime) -> Bool {
    let left = now.advanced(byNanoseconds: -Self.queueSlack)
    return isInPieces || transfers.contains { $0.canBeCutShort && $0.end > left }
  }

  /// Until when a SysEx keeps the port: just past its last piece, which may be queued later.
  private var heldUntil: HostTime {
    transfers.map { $0.end.advanced(byNanoseconds: 1) }.max() ?? .zero
  }

  /// Hands on what is due of long SysEx messages, and behind the last piece what waits for it.
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

  /// Hands on the pieces that are due; whether there are no more.
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

  /// Sends a piece as it is, in as many events as its length asks for; false where there is no
  /// room for it.
  private mutating func pass(
    _ bytes: Span<UInt8>, at time: HostTime, room: inout Int, to client: inout ClientState
  ) throws(EndpointError) -> Bool {
    var copy: ContiguousArray<UInt8> = []
    for index in bytes.indices { copy.append(bytes[index]) }
    let length = SysExTransfer.pieceLength
    let count = (copy.count + length - 1) / length
    // One that no pool holds is not waited for.
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

  /// A SysEx that was begun and will not be finished: without an end a receiver would wait.
  private mutating func endSysEx(
    at time: HostTime, in client: inout ClientState
  ) throws(EndpointError) {
    let end: ContiguousArray<UInt8> = [0xF7]
    let template = unsafe stamped(snd_seq_event_t(), at: time, in: &client)
    _ = unsafe try client.handle.output(sysEx: end, piece: 0..<1, as: template)
  }

  /// Sends a message for its time, or behind the last piece of a SysEx if it has to wait for that.
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
    // A status that has no event has nothing to be sent.
    guard let bare = unsafe EventConversion.event(for: message) else { return true }
    var event = unsafe stamped(bare, at: time, in: &client)
    return unsafe try client.handle.output(&event)
  }

  /// The event from our port to whoever is connected, for the queue at a time.
  ///
  /// Nothing goes past the queue: an event delivered directly is refused as a whole when one
  /// listener's pool is full, and sending it again would give it to the others twice.
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
