// SPDX-License-Identifier: Apache-2.0

/// The way from tracks to one destination, and what becomes of the messages on it.
///
/// A track that has routes of its own takes those; every other takes the routes without a track.
/// The release of a note follows the note, whatever the settings have become since.
public struct Route: Hashable, Sendable {
  /// The track; nil for every track that has no route of its own.
  public var track: UInt16?
  /// The only port whose events take the route, counted from 0; nil for every port.
  public var port: UInt8?
  /// The destination, as `Router.addDestination` numbered it.
  public var destination: Int
  /// Which messages pass, as they come in.
  public var filter: MessageFilter
  /// How those that pass change: channel, transposition (drums spared), velocity.
  public var transform: MessageTransform

  /// Creates a route on which everything passes unchanged.
  public init(
    track: UInt16? = nil, port: UInt8? = nil, to destination: Int,
    filter: MessageFilter = MessageFilter(), transform: MessageTransform = MessageTransform()
  ) {
    self.track = track
    self.port = port
    self.destination = destination
    self.filter = filter
    self.transform = transform
  }
}

/// Which routes a track's events take: a table, so that many tracks cost no more than one.
struct RouteTable: Sendable {
  /// A route's place: its destination, and its index among the destination's routes.
  struct Place: BitwiseCopyable, Sendable {
    var destination: Int
    var route: Int
    /// The only port whose events it takes; nil for all.
    var port: UInt8?

    /// Whether it takes the events of a port.
    func takes(port other: UInt8) -> Bool { port == nil || port == other }
  }

  private var byTrack: [UInt16: [Place]] = [:]
  private var defaults: [Place] = []

  mutating func add(_ route: Route, at place: Place) {
    if let track = route.track {
      byTrack[track, default: []].append(place)
    } else {
      defaults.append(place)
    }
  }

  func places(of track: UInt16) -> [Place] {
    byTrack.isEmpty ? defaults : byTrack[track] ?? defaults
  }
}
