// SPDX-License-Identifier: Apache-2.0
public import MusicalTime

/// Sends the events of each window to their destinations, and records which notes sound at each
/// destination.
///
/// If a sink is full, the router keeps the remaining events and offers them first in the next
/// window, in order. Events that are not audible yet can be cancelled; no event is lost or
/// repeated.
///
/// - Note: Owned by the event thread, or by the owner of the scheduler when rendering offline.
public final class Router {
  private var destinations: [Destination] = []
  /// The order in which destinations receive events: clocks first.
  private var order: [Int] = []
  private var leaderCount = 0
  private var placed: [(route: Route, place: RouteTable.Place)] = []
  private var table = RouteTable()
  private var observers: [Int] = []

  /// Creates a router that sends every event to each of several sinks.
  public init(sinks: [any EventSink<ReferenceTime>] = []) {
    for sink in sinks { addRoute(Route(to: addDestination(sink))) }
  }

  /// Adds a sink as a destination.
  ///
  /// The sink receives events only after a route to it was added.
  ///
  /// - Parameters:
  ///   - sink: The sink that receives the events.
  ///   - delay: The delay of all events at this destination, to align several outputs; zero by
  ///     default. A negative delay sends events earlier, by at most the horizon.
  ///   - leads: True to send each window's events here before other destinations, so that a clock
  ///     precedes notes at the same time. False by default.
  /// - Returns: The number of the destination, for routes.
  public func addDestination(
    _ sink: any EventSink<ReferenceTime>, delay: Duration = .zero, leads: Bool = false
  ) -> Int {
    let number = add(
      Destination(sink, delay: delay.nanosecondsRoundedUp), at: leads ? leaderCount : order.count)
    if leads { leaderCount += 1 }
    return number
  }

  private func add(_ destination: Destination, at place: Int) -> Int {
    destinations.append(destination)
    order.insert(destinations.count - 1, at: place)
    return destinations.count - 1
  }

  /// Adds a sink that receives only facts (`EventFact`), not messages.
  public func addObserver(_ sink: any EventSink<ReferenceTime>) {
    observers.append(add(Destination(sink, delay: 0), at: order.count))
  }

  /// Adds a route to the current ones.
  public func addRoute(_ route: Route) {
    let index = destinations[route.destination].addRoute(route)
    put(
      route,
      at: RouteTable.Place(destination: route.destination, route: index, port: route.port))
  }

  /// Replaces all routes.
  ///
  /// If the route of a sounding note still exists, the note is released on the channel and key on
  /// which it began, even if the route's settings have changed. Call `EventScheduler.setRoutes`
  /// instead while a scheduler runs: it interrupts playback and releases notes whose routes are
  /// removed.
  public func setRoutes(_ routes: [Route]) {
    let old = placed
    placed = []
    table = RouteTable()
    for route in routes {
      if let known = old.first(where: {
        $0.route.track == route.track && $0.route.port == route.port
          && $0.route.destination == route.destination
      }) {
        destinations[route.destination].setRoute(known.place.route, route)
        put(route, at: known.place)
      } else {
        addRoute(route)
      }
    }
  }

  /// The current routes.
  public var routes: [Route] { placed.map(\.route) }

  /// Sends the events of a window, after events that are still waiting.
  ///
  /// - Parameters:
  ///   - buffer: The events.
  ///   - destination: The only destination to send to; nil (the default) for all destinations that
  ///     have a route.
  /// - Throws: The error of a sink that is no longer available.
  public func send(_ buffer: borrowing EventBuffer, to destination: Int? = nil) throws {
    for event in buffer.events {
      if case .fact = event.payload {
        for observer in observers { destinations[observer].stage(event) }
        continue
      }
      for place in table.places(of: event.track)
      where place.takes(port: event.port)
        && (destination == nil || place.destination == destination)
      {
        destinations[place.destination].stage(
          event, payloads: buffer.payloads.span, route: place.route)
      }
    }
    try flush()
  }

  /// Sends the events that are still waiting because a sink was full.
  ///
  /// - Throws: The error of a sink that is no longer available.
  public func flush() throws {
    for index in order { try destinations[index].send() }
  }

  /// Calls each sink without events, so that the work of a first call, such as loading code from
  /// disk, does not delay events later.
  ///
  /// - Throws: The error of a sink that is no longer available.
  public func rehearse() throws {
    for destination in destinations { try destination.rehearse() }
  }

  /// True if the sinks have accepted all events.
  public var isDrained: Bool { destinations.allSatisfy(\.isDrained) }

  /// True if a sink delays events beyond their times, for example until a long SysEx has been sent.
  public var isHoldingBack: Bool { destinations.contains { $0.isHoldingBack } }

  /// The longest delay of the destinations.
  public var longestDelay: Duration { .nanoseconds(destinations.map(\.delay).max() ?? 0) }

  /// Cancels all events due at or after an instant, except those that a device has already
  /// received.
  public func cancel(from time: ReferenceTime) {
    for destination in destinations {
      _ = destination.takeBack(from: time)
      destination.forget(from: time)
    }
  }

  /// Cancels events in all sinks from an instant on.
  ///
  /// `forget` must be called afterwards.
  ///
  /// - Returns: The first instant from which all sinks have cancelled events: `time`, or later if a
  ///   sink had already sent more.
  package func takeBack(from time: ReferenceTime) -> ReferenceTime {
    destinations.reduce(time) { max($0, $1.takeBack(from: time)) }
  }

  /// Discards cancelled events from an instant on, and sends earlier cancelled events again.
  ///
  /// - Throws: The error of a sink that is no longer available.
  package func forget(from time: ReferenceTime) throws {
    for destination in destinations { destination.forget(from: time) }
    try flush()
  }

  /// Informs the router that events before an instant are already audible, or can no longer be
  /// cancelled.
  public func settle(before time: ReferenceTime) {
    for destination in destinations { destination.settle(before: time) }
  }

  /// Releases all held notes and pedals at an instant.
  ///
  /// - Parameters:
  ///   - time: The instant.
  ///   - cuttingSound: True to cut off sound and centre bends; false, the default, to let sound
  ///     decay.
  /// - Throws: The error of a sink that is no longer available.
  public func release(at time: ReferenceTime, cuttingSound: Bool = false) throws {
    for destination in destinations { destination.release(at: time, cuttingSound: cuttingSound) }
    try flush()
  }

  /// Cancels the events due at or after an instant, and cuts off all sound.
  ///
  /// - Throws: The error of a sink that is no longer available.
  public func silence(at time: ReferenceTime) throws {
    cancel(from: time)
    try release(at: time, cuttingSound: true)
  }

  private func put(_ route: Route, at place: RouteTable.Place) {
    placed.append((route, place))
    table.add(route, at: place)
  }
}
