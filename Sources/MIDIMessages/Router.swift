// SPDX-License-Identifier: Apache-2.0
public import MusicalTime

/// Sends each window's events to their destinations and knows what sounds at each.
///
/// What a sink has no room for is kept and offered first in the next window, in order. What was
/// sent and has not sounded yet can be taken back: nothing is lost by it or heard twice.
///
/// - Note: owned by the event thread, or by whoever drives the scheduler offline.
public final class Router {
  private var destinations: [Destination] = []
  /// The order in which they are offered what waits: clocks first.
  private var order: [Int] = []
  private var leaderCount = 0
  private var placed: [(route: Route, place: RouteTable.Place)] = []
  private var table = RouteTable()
  private var observers: [Int] = []

  /// Creates a router to a number of sinks; every event goes to each.
  public init(sinks: [any EventSink<ReferenceTime>] = []) {
    for sink in sinks { addRoute(Route(to: addDestination(sink))) }
  }

  /// Adds a sink; nothing goes there until there is a route.
  ///
  /// - Parameters:
  ///   - sink: what takes the events.
  ///   - delay: by how much everything is later there, so that several outputs sound in
  ///     line; below zero earlier, at most by the horizon.
  ///   - leads: whether each window's events go there before they go to those that do not lead: a
  ///     clock comes before the notes of its instant.
  /// - Returns: the number of the destination, for routes.
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

  /// Adds a sink that takes facts and nothing else.
  public func addObserver(_ sink: any EventSink<ReferenceTime>) {
    observers.append(add(Destination(sink, delay: 0), at: order.count))
  }

  /// Adds a way for events.
  public func addRoute(_ route: Route) {
    let index = destinations[route.destination].addRoute(route)
    put(
      route,
      at: RouteTable.Place(destination: route.destination, route: index, port: route.port))
  }

  /// Replaces the routes.
  ///
  /// A note that is held keeps the way it took where its route is still there, whatever its
  /// settings are now. Do it where the scheduler is interrupted and what no longer has a route was
  /// released: `EventScheduler.setRoutes`.
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

  /// The routes in use.
  public var routes: [Route] { placed.map(\.route) }

  /// Sends a window's events, after any that are still waiting.
  ///
  /// - Parameters:
  ///   - buffer: the events.
  ///   - destination: the one destination that takes them; nil for all that have a route.
  /// - Throws: what a sink throws when it is gone.
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

  /// Offers what still waits.
  ///
  /// - Throws: what a sink throws when it is gone.
  public func flush() throws {
    for index in order { try destinations[index].send() }
  }

  /// Offers nothing to each sink, so that what a first call costs, such as code that comes from a
  /// disk, is paid before anything is due.
  ///
  /// - Throws: what a sink throws when it is gone.
  public func rehearse() throws {
    for destination in destinations { try destination.rehearse() }
  }

  /// Whether every sink has taken everything that was sent.
  public var isDrained: Bool { destinations.allSatisfy(\.isDrained) }

  /// Whether a sink holds events back past their times, as a port does behind a long SysEx.
  public var isHoldingBack: Bool { destinations.contains { $0.isHoldingBack } }

  /// By how much the latest of the destinations is behind.
  public var longestDelay: Duration { .nanoseconds(destinations.map(\.delay).max() ?? 0) }

  /// Takes back everything that is due from an instant on, as far as it has not left.
  public func cancel(from time: ReferenceTime) {
    for destination in destinations {
      _ = destination.takeBack(from: time)
      destination.forget(from: time)
    }
  }

  /// Has every sink forget what is due from an instant on; `forget` is to follow.
  ///
  /// - Returns: the first instant from which on all of them have: `time`, or a later one where a sink has let
  ///   go of more.
  package func takeBack(from time: ReferenceTime) -> ReferenceTime {
    destinations.reduce(time) { max($0, $1.takeBack(from: time)) }
  }

  /// Forgets what was taken back and is due from an instant on; what is due before goes to its sink again.
  ///
  /// - Throws: what a sink throws when it is gone.
  package func forget(from time: ReferenceTime) throws {
    for destination in destinations { destination.forget(from: time) }
    try flush()
  }

  /// What lies before an instant has sounded, or cannot be taken back any more.
  public func settle(before time: ReferenceTime) {
    for destination in destinations { destination.settle(before: time) }
  }

  /// Releases every note and pedal that is still held, at an instant.
  ///
  /// - Parameters:
  ///   - time: when.
  ///   - cuttingSound: whether sound is cut and bends are centred; if not, what sounds rings out.
  /// - Throws: what a sink throws when it is gone.
  public func release(at time: ReferenceTime, cuttingSound: Bool = false) throws {
    for destination in destinations { destination.release(at: time, cuttingSound: cuttingSound) }
    try flush()
  }

  /// Takes back what is due from an instant on and ends everything that sounds.
  ///
  /// - Throws: what a sink throws when it is gone.
  public func silence(at time: ReferenceTime) throws {
    cancel(from: time)
    try release(at: time, cuttingSound: true)
  }

  private func put(_ route: Route, at place: RouteTable.Place) {
    placed.append((route, place))
    table.add(route, at: place)
  }
}
