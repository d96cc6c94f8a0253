// SPDX-License-Identifier: Apache-2.0
import MusicalTime

/// One sink, what it was sent that has not sounded yet, and what it had no room for.
///
/// What sounds at an instant is the ledger of what has sounded for certain, and the log of what
/// was sent since up to the instant: so the future can be taken back without losing a release.
final class Destination {
  let sink: any EventSink<ReferenceTime>
  /// What is added to every event's time, in nanoseconds.
  let delay: Int64

  private var maps: [RouteMap] = []
  private var heard = Heard()
  private var waiting = EventBuffer()
  private var waitingOrigins: ContiguousArray<Origin> = []
  private var next = 0
  private var sent = EventBuffer(capacity: Destination.room)
  private var sentOrigins: ContiguousArray<Origin> = []
  private var firstSent = 0
  private var settled = ReferenceTime(nanoseconds: .min)
  /// From when on the sink has forgotten everything, when it was last asked to.
  private var forgotten = ReferenceTime(nanoseconds: .max)
  /// The SysEx message under way, as of the last event that was staged.
  private var sysEx = SysExState.none
  /// The latest time of what was sent and not taken back.
  private(set) var lastTime = ReferenceTime(nanoseconds: .min)

  /// How much may be under way without a step allocating: a horizon of 10,000 events a second,
  /// and as much again that has sounded.
  private static let room = 4096

  /// The route an event took, and the message as it came in.
  private struct Origin: BitwiseCopyable {
    var route: Int32
    var incoming: Message
  }

  /// A route, with its memory of what is held as of the last event.
  private struct RouteMap {
    var map: ThruMap
    /// Whether it has changed nothing so far: the map then has no memory.
    var isIdentity: Bool
  }

  /// How far a SysEx message that leaves in parts has come.
  private enum SysExState {
    case none
    case open
    /// Ended a moment ago: the whole message that comes next is the same once more.
    case ended

    mutating func take(_ payload: EventPayload) {
      switch payload {
      case .sysExPart(_, .first), .sysExPart(_, .middle): self = .open
      case .sysExPart(_, .last): self = .ended
      case .sysExPart(_, .abandoned): self = .none
      case .message, .sysEx, .parameter, .fact: break
      }
    }
  }

  /// What has sounded for certain: what is owed, and where it went, route by route.
  private struct Heard {
    var ledger = NoteLedger()
    var ways: [HeldWays] = []
    var sysEx = SysExState.none

    mutating func take(_ event: TimedEvent, _ origin: Origin) {
      sysEx.take(event.payload)
      guard case .message(let message) = event.payload else { return }
      ledger.record(message)
      guard origin.route >= 0, let (hold, begins) = origin.incoming.hold else { return }
      ways[Int(origin.route)].note(hold, begins, as: message)
    }
  }

  init(_ sink: any EventSink<ReferenceTime>, delay: Int64) {
    self.sink = sink
    self.delay = delay
    waitingOrigins.reserveCapacity(1024)
    sentOrigins.reserveCapacity(Self.room)
  }

  var isDrained: Bool { next == waiting.events.count }

  /// Adds a route, or takes over the settings of one that is no longer used.
  func addRoute(_ route: Route) -> Int {
    let map = ThruMap(filter: route.filter, transform: route.transform)
    maps.append(RouteMap(map: map, isIdentity: map.isIdentity))
    heard.ways.append(HeldWays())
    return maps.count - 1
  }

  /// Changes what a route lets through and how; what is held keeps its way.
  func setRoute(_ index: Int, _ route: Route) {
    maps[index].map.filter = route.filter
    maps[index].map.transform = route.transform
    guard maps[index].isIdentity, !maps[index].map.isIdentity else { return }
    maps[index].isIdentity = false
    restoreWays(of: index)
  }

  /// Puts an event, as its route makes it, behind those that wait.
  func stage(_ event: TimedEvent, payloads: Span<UInt8>, route index: Int) {
    var event = event
    var origin = Origin(route: Int32(index), incoming: Message(status: 0))
    switch event.payload {
    case .message(let message):
      guard let changed = changed(message, route: index) else { return }
      if message.status < 0xF8 { breakOffSysEx(before: event) }
      origin.incoming = message
      event.payload = .message(changed)
    case .sysEx, .sysExPart:
      guard maps[index].map.filter.kinds.contains(.sysEx), passes(event) else { return }
    case .parameter, .fact:
      break
    }
    event.time = event.time.advanced(saturating: delay)
    waiting.append(event, payloads: payloads)
    waitingOrigins.append(origin)
  }

  /// Puts an event that takes no route behind those that wait.
  func stage(_ event: TimedEvent) {
    waiting.append(event)
    waitingOrigins.append(Origin(route: -1, incoming: Message(status: 0)))
  }

  /// Whether a SysEx message or a part of one is sent: either all parts are, or the whole message.
  private func passes(_ event: TimedEvent) -> Bool {
    switch event.payload {
    case .sysExPart(_, .first):
      guard sink.takesSysExParts else { return false }
      breakOffSysEx(before: event)
    case .sysExPart: guard sysEx == .open else { return false }
    case .sysEx:
      guard sysEx != .ended else {
        sysEx = .none
        return false
      }
      breakOffSysEx(before: event)
    case .message, .parameter, .fact: break
    }
    sysEx.take(event.payload)
    return true
  }

  /// Ends a SysEx message of which parts were sent: another message cannot leave between them.
  private func breakOffSysEx(before event: TimedEvent) {
    guard sysEx == .open else { return }
    stage(sysExEnd(at: event.time.advanced(saturating: delay)))
    sysEx = .none
  }

  /// The end of a SysEx message that goes on no more.
  private func sysExEnd(at time: ReferenceTime) -> TimedEvent {
    TimedEvent(
      time: time, payload: .sysExPart(PayloadRange(offset: 0, count: 0), .abandoned),
      track: TimedEvent.noTrack)
  }

  private func changed(_ message: Message, route index: Int) -> Message? {
    maps[index].isIdentity ? message : maps[index].map.apply(message)
  }

  /// Offers what waits.
  ///
  /// - Throws: what the sink throws when it is gone.
  func send() throws {
    guard next < waiting.events.count else { return try handOn() }
    if !sink.ordersByTime { putInOrder() }
    let count = waiting.events.count
    let taken = try Self.offer(waiting, from: next, to: sink)
    for index in next..<next + taken { log(index) }
    next += taken
    if next == count { forgetWaiting() }
  }

  /// Whether the sink holds events back past their times.
  var isHoldingBack: Bool { sink.isHoldingBack }

  /// Has a sink go on with what it holds back.
  private func handOn() throws {
    if sink.isHoldingBack { try rehearse() }
  }

  /// Offers nothing.
  func rehearse() throws {
    _ = try Self.offer(EventBuffer(capacity: 0, payloadCapacity: 0), from: 0, to: sink)
  }

  private static func offer(
    _ buffer: borrowing EventBuffer, from start: Int, to sink: any EventSink<ReferenceTime>
  ) throws -> Int {
    try sink.send(
      buffer.events.span.extracting(start..<buffer.events.count), payloads: buffer.payloads.span)
  }

  private func forgetWaiting() {
    waiting.removeAll()
    waitingOrigins.removeAll(keepingCapacity: true)
    next = 0
  }

  private func log(_ index: Int) {
    let event = waiting.events[index]
    if event.time > lastTime { lastTime = event.time }
    guard event.time >= settled else { return heard.take(event, waitingOrigins[index]) }
    Self.add(event, of: waiting, to: &sent)
    sentOrigins.append(waitingOrigins[index])
  }

  private static func add(
    _ event: TimedEvent, of source: borrowing EventBuffer, to buffer: inout EventBuffer
  ) {
    buffer.append(event, payloads: source.payloads.span)
  }

  /// Takes what lies before an instant; returns the place of the first that does not.
  private static func hear(
    _ events: ContiguousArray<TimedEvent>, _ origins: ContiguousArray<Origin>, from first: Int,
    before time: ReferenceTime, _ heard: inout Heard
  ) -> Int {
    var place = first
    while place < events.count, events[place].time < time {
      heard.take(events[place], origins[place])
      place += 1
    }
    return place
  }

  /// What lies before an instant has sounded.
  func settle(before time: ReferenceTime) {
    settled = max(settled, time.advanced(saturating: delay))
    firstSent = Self.hear(sent.events, sentOrigins, from: firstSent, before: settled, &heard)
    if firstSent == sent.events.count {
      sent.removeAll()
      sentOrigins.removeAll(keepingCapacity: true)
      firstSent = 0
    } else if firstSent >= Self.room / 4, firstSent >= sent.events.count - firstSent {
      sent.removeFirst(firstSent)
      sentOrigins.removeFirst(firstSent)
      firstSent = 0
    }
  }
}

extension Destination {
  /// Has the sink forget what is due from an instant on; returns from when on it has.
  func takeBack(from time: ReferenceTime) -> ReferenceTime {
    let limit = time.advanced(saturating: delay)
    forgotten = max(limit, sink.takeBack(from: limit))
    return forgotten == limit ? time : forgotten.advanced(saturating: -delay)
  }

  /// Forgets what is due from an instant on and was taken back; what is due before is to be sent again.
  func forget(from time: ReferenceTime) {
    let limit = max(forgotten, time.advanced(saturating: delay))
    removeWaiting { $0.time >= limit }
    removeSent { $0.time >= limit }
    restage(from: forgotten)
    for index in maps.indices where !maps[index].isIdentity { restoreWays(of: index) }
    restoreSysEx()
  }

  /// Ends what sounds, at an instant; what still waits is forgotten.
  func release(at time: ReferenceTime, cuttingSound: Bool) {
    forgetWaiting()
    var sounding = heard.ledger
    for event in sent.events[firstSent...] {
      if case .message(let message) = event.payload { sounding.record(message) }
    }
    let due = time.advanced(saturating: delay)
    restoreSysEx()
    if sysEx == .open { stage(sysExEnd(at: due)) }
    sysEx = .none
    for message in sounding.takeReleases(cuttingSound: cuttingSound) {
      waiting.append(TimedEvent(time: due, payload: .message(message)))
      waitingOrigins.append(Origin(route: -1, incoming: message))
    }
    for index in maps.indices {
      maps[index].map.ways.forget()
      heard.ways[index].forget()
    }
  }

  /// A sink that plays in the order of sending must have the future back to take what is earlier.
  private func putInOrder() {
    var earliest = ReferenceTime(nanoseconds: .max)
    var isOrdered = true
    var previous = ReferenceTime(nanoseconds: .min)
    for event in waiting.events[next...] {
      earliest = min(earliest, event.time)
      if event.time < previous { isOrdered = false }
      previous = event.time
    }
    if earliest < lastTime, let last = sent.events.last, earliest < last.time {
      recall(from: earliest)
      isOrdered = false
    }
    if !isOrdered { sortWaiting() }
  }

  /// Takes back everything that is due from an instant on, to be sent again.
  private func recall(from limit: ReferenceTime) {
    sink.cancel(from: limit)
    restage(from: limit)
  }

  /// Puts what was sent and is due from an instant on before what waits.
  private func restage(from limit: ReferenceTime) {
    lastTime = min(lastTime, limit)
    let old = waiting
    let oldOrigins = waitingOrigins
    var recalled = EventBuffer(capacity: old.events.count, payloadCapacity: 0)
    var recalledOrigins: ContiguousArray<Origin> = []
    for index in firstSent..<sent.events.count where sent.events[index].time >= limit {
      Self.add(sent.events[index], of: sent, to: &recalled)
      recalledOrigins.append(sentOrigins[index])
    }
    guard !recalled.isEmpty else { return }
    for index in next..<old.events.count {
      Self.add(old.events[index], of: old, to: &recalled)
      recalledOrigins.append(oldOrigins[index])
    }
    removeSent { $0.time >= limit }
    (waiting, waitingOrigins, next) = (recalled, recalledOrigins, 0)
  }

  private func removeSent(where isGone: (TimedEvent) -> Bool) {
    var place = firstSent
    for index in firstSent..<sent.events.count where !isGone(sent.events[index]) {
      sentOrigins[place] = sentOrigins[index]
      place += 1
    }
    sentOrigins.removeLast(sentOrigins.count - place)
    sent.keep(from: firstSent) { _, event in !isGone(event) }
  }

  private func removeWaiting(where isGone: (TimedEvent) -> Bool) {
    var place = next
    for index in next..<waiting.events.count where !isGone(waiting.events[index]) {
      waitingOrigins[place] = waitingOrigins[index]
      place += 1
    }
    waitingOrigins.removeLast(waitingOrigins.count - place)
    waiting.keep(from: next) { _, event in !isGone(event) }
    if isDrained { forgetWaiting() }
  }

  private func sortWaiting() {
    // A stable order of both lists: events of one time stay as they came.
    let order = (next..<waiting.events.count).sorted {
      (waiting.events[$0].time, $0) < (waiting.events[$1].time, $1)
    }
    var sorted = EventBuffer(capacity: order.count, payloadCapacity: waiting.payloads.count)
    for index in order { Self.add(waiting.events[index], of: waiting, to: &sorted) }
    waitingOrigins = ContiguousArray(order.map { waitingOrigins[$0] })
    (waiting, next) = (sorted, 0)
  }

  /// What a route holds as of the last event: what is held of what has sounded, and what was sent
  /// since.
  private func restoreWays(of index: Int) {
    maps[index].map.ways.take(heard.ways[index])
    for place in firstSent..<sent.events.count {
      replay(sent.events[place], sentOrigins[place], index)
    }
    for place in next..<waiting.events.count {
      replay(waiting.events[place], waitingOrigins[place], index)
    }
  }

  /// How far a SysEx message has come in what was sent and still waits.
  private func restoreSysEx() {
    sysEx = heard.sysEx
    for event in sent.events[firstSent...] { sysEx.take(event.payload) }
    for event in waiting.events[next...] { sysEx.take(event.payload) }
    // Where its end was taken back, the whole message is staged again behind it.
    if sysEx == .ended { sysEx = .none }
  }

  private func replay(_ event: TimedEvent, _ origin: Origin, _ index: Int) {
    guard Int(origin.route) == index, case .message(let message) = event.payload,
      let (hold, begins) = origin.incoming.hold
    else { return }
    maps[index].map.ways.note(hold, begins, as: message)
  }
}
