// SPDX-License-Identifier: Apache-2.0
import MusicalTime

/// A sink, with the events that were sent to it but are not audible yet, and those waiting for
/// room.
///
/// The state at an instant is the ledger of events that are certainly audible, and the log of
/// events sent since then. Future events can therefore be cancelled without losing a release.
final class Destination {
  let sink: any EventSink<ReferenceTime>
  /// The nanoseconds that are added to every event's time.
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
  /// The first time of events that the sink has cancelled in the last `takeBack`.
  private var forgotten = ReferenceTime(nanoseconds: .max)
  /// The SysEx message in progress after the last staged event.
  private var sysEx = SysExState.none
  /// The latest time of events that were sent and not cancelled.
  private(set) var lastTime = ReferenceTime(nanoseconds: .min)

  /// The number of events in transit without an allocation: a horizon of 10,000 events per second,
  /// and the same number again for events that are audible already.
  private static let room = 4096

  /// The route of an event, and the message before the route changed it.
  private struct Origin: BitwiseCopyable {
    var route: Int32
    var incoming: Message
  }

  /// A route with the notes that it holds, as of the last event.
  private struct RouteMap {
    var map: ThruMap
    /// True if the route has changed nothing so far.
    ///
    /// The map then does not keep state.
    var isIdentity: Bool
  }

  /// The progress of a SysEx message that is sent in parts.
  private enum SysExState {
    case none
    case open
    /// The last part was sent.
    ///
    /// The whole message that follows is the same message again.
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

  /// The state after all events that are certainly audible: pending releases, and their routes.
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

  /// Adds a route, or reuses the settings of one that is no longer used.
  func addRoute(_ route: Route) -> Int {
    let map = ThruMap(filter: route.filter, transform: route.transform)
    maps.append(RouteMap(map: map, isIdentity: map.isIdentity))
    heard.ways.append(HeldWays())
    return maps.count - 1
  }

  /// Changes the filter and transform of a route.
  ///
  /// Held notes are released as they began.
  func setRoute(_ index: Int, _ route: Route) {
    maps[index].map.filter = route.filter
    maps[index].map.transform = route.transform
    guard maps[index].isIdentity, !maps[index].map.isIdentity else { return }
    maps[index].isIdentity = false
    restoreWays(of: index)
  }

  /// Applies the route to an event, and appends the result to the waiting events.
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

  /// Appends an event that does not use a route to the waiting events.
  func stage(_ event: TimedEvent) {
    waiting.append(event)
    waitingOrigins.append(Origin(route: -1, incoming: Message(status: 0)))
  }

  /// True if a SysEx message or part is sent: either all parts, or the whole message.
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

  /// Ends a SysEx message in progress, because another message cannot be sent between its parts.
  private func breakOffSysEx(before event: TimedEvent) {
    guard sysEx == .open else { return }
    stage(sysExEnd(at: event.time.advanced(saturating: delay)))
    sysEx = .none
  }

  /// The event that ends an incomplete SysEx message.
  private func sysExEnd(at time: ReferenceTime) -> TimedEvent {
    TimedEvent(
      time: time, payload: .sysExPart(PayloadRange(offset: 0, count: 0), .abandoned),
      track: TimedEvent.noTrack)
  }

  private func changed(_ message: Message, route index: Int) -> Message? {
    maps[index].isIdentity ? message : maps[index].map.apply(message)
  }

  /// Offers the waiting events to the sink.
  ///
  /// - Throws: The error of a sink that is no longer available.
  func send() throws {
    guard next < waiting.events.count else { return try handOn() }
    if !sink.ordersByTime { putInOrder() }
    let count = waiting.events.count
    let taken = try Self.offer(waiting, from: next, to: sink)
    for index in next..<next + taken { log(index) }
    next += taken
    if next == count { forgetWaiting() }
  }

  /// True if the sink holds events back past their times.
  var isHoldingBack: Bool { sink.isHoldingBack }

  /// Lets the sink continue with events that it holds back.
  private func handOn() throws {
    if sink.isHoldingBack { try rehearse() }
  }

  /// Calls the sink without events.
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

  /// Applies the events before an instant, and returns the index of the first later event.
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

  /// Marks events before an instant as audible.
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
  /// Cancels events in the sink from an instant on; returns the first instant that was cancelled.
  func takeBack(from time: ReferenceTime) -> ReferenceTime {
    let limit = time.advanced(saturating: delay)
    forgotten = max(limit, sink.takeBack(from: limit))
    return forgotten == limit ? time : forgotten.advanced(saturating: -delay)
  }

  /// Discards cancelled events from an instant on.
  ///
  /// Cancelled events before it will be sent again.
  func forget(from time: ReferenceTime) {
    let limit = max(forgotten, time.advanced(saturating: delay))
    removeWaiting { $0.time >= limit }
    removeSent { $0.time >= limit }
    restage(from: forgotten)
    for index in maps.indices where !maps[index].isIdentity { restoreWays(of: index) }
    restoreSysEx()
  }

  /// Releases everything that sounds at an instant, and discards waiting events.
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

  /// A sink that plays in order of sending must return future events to accept earlier ones.
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

  /// Cancels all events from an instant on, to send them again.
  private func recall(from limit: ReferenceTime) {
    sink.cancel(from: limit)
    restage(from: limit)
  }

  /// Moves sent events from an instant on in front of the waiting events.
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
    // Stable for both lists: events of one time keep their order.
    let order = (next..<waiting.events.count).sorted {
      (waiting.events[$0].time, $0) < (waiting.events[$1].time, $1)
    }
    var sorted = EventBuffer(capacity: order.count, payloadCapacity: waiting.payloads.count)
    for index in order { Self.add(waiting.events[index], of: waiting, to: &sorted) }
    waitingOrigins = ContiguousArray(order.map { waitingOrigins[$0] })
    (waiting, next) = (sorted, 0)
  }

  /// Restores the held notes of a route from the audible events and the events sent since then.
  private func restoreWays(of index: Int) {
    maps[index].map.ways.take(heard.ways[index])
    for place in firstSent..<sent.events.count {
      replay(sent.events[place], sentOrigins[place], index)
    }
    for place in next..<waiting.events.count {
      replay(waiting.events[place], waitingOrigins[place], index)
    }
  }

  /// Restores the progress of a SysEx message from sent and waiting events.
  private func restoreSysEx() {
    sysEx = heard.sysEx
    for event in sent.events[firstSent...] { sysEx.take(event.payload) }
    for event in waiting.events[next...] { sysEx.take(event.payload) }
    // If the last part was cancelled, the whole message is staged again after it.
    if sysEx == .ended { sysEx = .none }
  }

  private func replay(_ event: TimedEvent, _ origin: Origin, _ index: Int) {
    guard Int(origin.route) == index, case .message(let message) = event.payload,
      let (hold, begins) = origin.incoming.hold
    else { return }
    maps[index].map.ways.note(hold, begins, as: message)
  }
}
