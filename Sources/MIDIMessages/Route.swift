// SPDX-License-Identifier: Apache-2.0

/// The way from a lane's tracks to one destination, and what becomes of the messages on it.
///
/// A track that has routes of its own takes those; every other takes the lane's routes without a
/// track. The release of a note follows the note, whatever the settings have become since.
public struct Route: Hashable, Sendable {
  /// The lane the events come along.
  public var lane: UInt8
  /// The track; nil for every track of the lane that has no route of its own.
  public var track: UInt16?
  /// The destination, as `Router.addDestination` numbered it.
  public var destination: Int
  /// Which messages pass, as they come in.
  public var filter: MessageFilter
  /// How those that pass change: channel, transposition (drums spared), velocity.
  public var transform: MessageTransform

  /// Creates a route on which everything passes unchanged.
  public init(
    lane: UInt8 = 0, track: UInt16? = nil, to destination: Int,
    filter: MessageFilter = MessageFilter(), transform: MessageTransform = MessageTransform()
  ) {
    self.lane = lane
    self.track = track
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
  }

  private var byTrack: [UInt32: [Place]] = [:]
  /// Lane by lane.
  private var defaults: [[Place]] = []

  mutating func add(_ route: Route, at place: Place) {
    if let track = route.track {
      byTrack[Self.key(route.lane, track), default: []].append(place)
    } else {
      while defaults.count <= Int(route.lane) { defaults.append([]) }
      defaults[Int(route.lane)].append(place)
    }
  }

  mutating func removeAll(of lane: UInt8) {
    if Int(lane) < defaults.count { defaults[Int(lane)] = [] }
    byTrack = byTrack.filter { UInt8(truncatingIfNeeded: $0.key >> 16) != lane }
  }

  func places(_ lane: UInt8, _ track: UInt16) -> [Place] {
    if !byTrack.isEmpty, let own = byTrack[Self.key(lane, track)] { return own }
    return Int(lane) < defaults.count ? defaults[Int(lane)] : []
  }

  private static func key(_ lane: UInt8, _ track: UInt16) -> UInt32 {
    UInt32(lane) << 16 | UInt32(track)
  }
}
