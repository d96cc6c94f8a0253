// SPDX-License-Identifier: Apache-2.0
import MusicalTime

/// One sink, what it was sent that has not sounded yet, and what it had no room for.
///
/// What sounds at an instant is the ledger of what has sounded for certain, and the log of what
/// was sent since up to the instant: so the future can be taken back without losing a release.
final class Destination {
  var sink: any EventSink<ReferenceTime>
  /// What is added to every event's time, in nanoseconds.
  let delay: Int64
  private(set) var isParked = false

  private var routes: [RouteMemory] = []
  private var ledgers: [NoteLedger] = []
  private var waiting = EventBuffer()
  private var waitingOrigins: ContiguousArray<Origin> = []
  private var next = 0
  private var sent = EventBuffer(capacity: Destination.room)
  private var sentOrigins: ContiguousArray<Origin> = []
  private var firstSent = 0
  private var settled = ReferenceTime(nanoseconds: .min)
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

  /// A route's memory of held notes: as of the last event, and as of what has sounded.
  private struct RouteMemory {
    var lane: UInt8
    var current: ThruMap
    var heard: ThruMap
    var isIdentity: Bool
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
    routes.append(
      RouteMemory(lane: route.lane, current: map, heard: map, isIdentity: map.isIdentity))
    return routes.count - 1
  }

  /// Changes what a route lets through and how; notes that are held keep their way.
  func setRoute(_ index: Int, _ route: Route) {
    routes[index].current.filter = route.filter
    routes[index].current.transform = route.transform
    routes[index].heard.filter = route.filter
    routes[index].heard.transform = route.transform
    // A map that has changed notes keeps its memory; one that never did has none to keep.
    if !routes[index].current.isIdentity { routes[index].isIdentity = false }
  }

  /// Puts an event, as its route makes it, behind those that wait.
  func stage(_ event: TimedEvent, payloads: Span<UInt8>, route index: Int) {
    var event = event
    var origin = Origin(route: Int32(index), incoming: Message(status: 0))
    switch event.payload {
    case .message(let message):
      guard let changed = changed(message, route: index) else { return }
      origin.incoming = message
      event.payload = .message(changed)
    case .sysEx:
      guard routes[index].current.filter.kinds.contains(.sysEx) else { return }
    case .parameter, .fact:
      break
    }
    event.time = event.time.advanced(saturating: delay)
    waiting.append(event, payloads: payloads)
    waitingOrigins.append(origin)
  }

  /// Puts a fact behind those that wait.
  func stage(_ fact: TimedEvent) {
    waiting.append(fact)
    waitingOrigins.append(Origin(route: -1, incoming: Message(status: 0)))
  }

  private func changed(_ message: Message, route index: Int) -> Message? {
    routes[index].isIdentity ? message : routes[index].current.apply(message)
  }

  /// Offers what waits.
  ///
  /// - Throws: what the sink throws when it is gone.
  func send() throws {
    guard next < waiting.events.count else { return }
    guard !isParked else { return forgetWaiting() }
    if !sink.ordersByTime { putInOrder() }
    let count = waiting.events.count
    let taken = try Self.offer(waiting, from: next, to: sink)
    for index in next..<next + taken { log(waiting.events[index], waitingOrigins[index]) }
    next += taken
    if next == count { forgetWaiting() }
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

  private func log(_ event: TimedEvent, _ origin: Origin) {
    lastTime = max(lastTime, event.time)
    guard event.time >= settled else { return settle(event, origin) }
    Self.add(event, of: waiting, to: &sent)
    sentOrigins.append(origin)
  }

  private static func add(
    _ event: TimedEvent, of source: borrowing EventBuffer, to buffer: inout EventBuffer
  ) {
    buffer.append(event, payloads: source.payloads.span)
  }

  private func settle(_ event: TimedEvent, _ origin: Origin) {
    guard case .message(let message) = event.payload else { return }
    ledger(of: event.lane) { $0.record(message) }
    let index = Int(origin.route)
    guard index >= 0, !routes[index].isIdentity, event.lane == routes[index].lane else { return }
    _ = routes[index].heard.apply(origin.incoming)
  }

  private func ledger(of lane: UInt8, _ change: (inout NoteLedger) -> Void) {
    while ledgers.count <= Int(lane) { ledgers.append(NoteLedger()) }
    change(&ledgers[Int(lane)])
  }

  /// What lies before an instant has sounded.
  func settle(before time: ReferenceTime) {
    settled = max(settled, time.advanced(saturating: delay))
    while firstSent < sent.events.count, sent.events[firstSent].time < settled {
      settle(sent.events[firstSent], sentOrigins[firstSent])
      firstSent += 1
    }
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
  /// Takes back what a lane sent that is due from an instant on; the other lanes' is sent again.
  func cancel(lane: UInt8, from time: ReferenceTime) {
    let limit = time.advanced(saturating: delay)
    recall(from: limit)
    removeWaiting { $0.lane == lane && $0.time >= limit }
    restoreMemory(of: lane)
  }

  /// Takes back everything that is due from an instant on.
  func cancelAll(from time: ReferenceTime) {
    let limit = time.advanced(saturating: delay)
    recall(from: limit)
    removeWaiting { $0.time >= limit }
  }

  /// Ends what a lane left sounding, at an instant; what still waits of it is forgotten.
  func release(lane: UInt8, at time: ReferenceTime, cuttingSound: Bool) {
    removeWaiting { $0.lane == lane }
    guard Int(lane) < ledgers.count || sent.events.count > firstSent else { return }
    var sounding = Int(lane) < ledgers.count ? ledgers[Int(lane)] : NoteLedger()
    for event in sent.events[firstSent...] where event.lane == lane {
      if case .message(let message) = event.payload { sounding.record(message) }
    }
    let due = time.advanced(saturating: delay)
    for message in sounding.takeReleases(cuttingSound: cuttingSound) {
      waiting.append(TimedEvent(time: due, payload: .message(message), lane: lane))
      waitingOrigins.append(Origin(route: -1, incoming: message))
    }
    for index in routes.indices where routes[index].lane == lane {
      routes[index].current.forgetNotes()
      routes[index].heard.forgetNotes()
    }
  }

  /// The lanes that have sent anything.
  var laneCount: Int {
    let recent = sent.events[firstSent...].reduce(0) { max($0, Int($1.lane) + 1) }
    return max(ledgers.count, recent)
  }

  /// Stops offering, and forgets everything: the sink is gone, and what sounded there with it.
  func park() {
    isParked = true
    forgetWaiting()
    sent.removeAll()
    sentOrigins.removeAll(keepingCapacity: true)
    firstSent = 0
    ledgers.removeAll()
    for index in routes.indices {
      routes[index].current.forgetNotes()
      routes[index].heard.forgetNotes()
    }
  }

  /// Offers to another sink from now on.
  func rebind(_ sink: any EventSink<ReferenceTime>) {
    self.sink = sink
    isParked = false
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

  private func restoreMemory(of lane: UInt8) {
    for index in routes.indices where routes[index].lane == lane && !routes[index].isIdentity {
      routes[index].current = routes[index].heard
      for place in firstSent..<sent.events.count { replay(sentOrigins[place], on: index) }
      for place in next..<waiting.events.count { replay(waitingOrigins[place], on: index) }
    }
  }

  private func replay(_ origin: Origin, on route: Int) {
    guard Int(origin.route) == route, origin.incoming.status != 0 else { return }
    _ = routes[route].current.apply(origin.incoming)
  }
}
