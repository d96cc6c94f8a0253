// SPDX-License-Identifier: Apache-2.0

/// A route from tracks to one destination, with a filter and a transform.
///
/// A track for which routes are defined uses only these; all other tracks use the routes without a
/// track. A note is released on the channel and key on which it began, even if the filter or
/// transform has changed since.
public struct Route: Hashable, Sendable {
  /// The index of the track; nil for all tracks for which routes are not defined.
  public var track: UInt16?
  /// The port whose events use the route, counted from 0; nil for all ports.
  public var port: UInt8?
  /// The number of the destination, which `Router.addDestination` returned.
  public var destination: Int
  /// The messages that pass; the filter is applied before the transform.
  public var filter: MessageFilter
  /// The transform that is applied to the messages that pass.
  public var transform: MessageTransform

  /// Creates a route that all messages pass unchanged, except as specified.
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

/// The routes by track.
///
/// A lookup does not depend on the number of tracks.
struct RouteTable: Sendable {
  /// The position of a route: its destination, and its index in the destination.
  struct Place: BitwiseCopyable, Sendable {
    var destination: Int
    var route: Int
    /// The port whose events use the route; nil for all.
    var port: UInt8?

    /// Returns true if the route is for events of a port.
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
