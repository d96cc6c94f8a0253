// SPDX-License-Identifier: Apache-2.0

/// The ports of a sequence, each with sixteen channels of its own, and the port of every event.
///
/// A port number (FF 21) or a device name (FF 09) applies to the events after it in its track. Equal
/// numbers are one port, and so are equal names; in a track with both the number counts. Ports are
/// numbered from 0 by their first use, track by track. An event before any number and name is on the
/// first port; if notes without a port are the first to use one, that port is also number 0.
///
/// Tracks with different destinations share no channels (`places`), whatever their ports.
///
/// Source: RP-019 (FF 09); FF 21 is a practice of sequencers that no standard describes.
public struct TrackPorts: Sendable {
  /// The most ports that are played, 16 channels each.
  public static let limit = 16

  /// What each port is asked for by: a number, a name, or nil for neither.
  public let names: [SequenceFeatures.Port?]
  /// For each place its port and a track that goes there; places are counted by first use.
  private(set) var places: [Place] = []
  /// For each track the place of its first event.
  private var first: [Int] = []
  /// For each track the places of its later events; empty if all are at one.
  private var later: [[Change]] = []
  private var hasChanges = false

  /// Sixteen channels: a port of one destination.
  struct Place: Hashable, Sendable {
    let destination: String?
    let port: Int
    /// The number that is looked up among the ports of a machine; nil for none.
    let number: Int?
    let track: Int
  }

  private struct Goal: Hashable {
    let destination: String?
    let port: Int
    let number: Int?
  }

  private struct Change: Hashable, Sendable {
    let index: Int
    let place: Int
  }

  /// One port for every track.
  init() { names = [nil] }

  /// Finds the ports.
  ///
  /// - Complexity: O(n).
  public init(_ sequence: MusicSequence) {
    let segments = sequence.tracks.map(\.portSegments)
    let order = PortOrder(segments.joined())
    var known: [Goal: Int] = [:]
    names = order.keys.isEmpty ? [nil] : order.keys.map(\.name)
    for (track, segments) in segments.enumerated() {
      let destination = sequence.tracks[track].settings.destination
      let changes = segments.map { segment in
        Change(index: segment.start, place: place(of: segment, track, destination, order, &known))
      }
      first.append(changes[0].place)
      later.append(Array(changes.dropFirst()))
    }
    hasChanges = later.contains { !$0.isEmpty }
  }

  private mutating func place(
    of segment: PortSegment, _ track: Int, _ destination: String?, _ order: PortOrder,
    _ table: inout [Goal: Int]
  ) -> Int {
    let port = order.port(of: segment.key)
    let number = order.number(of: segment.key)
    // What asks for no port goes to all ports of a machine: its state is restored there.
    let goal = Goal(destination: destination, port: port, number: number)
    if let known = table[goal] { return known }
    table[goal] = places.count
    places.append(Place(destination: destination, port: port, number: number, track: track))
    return places.count - 1
  }

  /// The number of ports, 1 or more; those from `limit` on are not played.
  public var count: Int { names.count }

  /// The port of an event, counted from 0.
  ///
  /// - Parameters:
  ///   - track: the index of its track; a track that is not there is on the first port.
  ///   - index: the index of the event in the track; for a note-off that of its note.
  /// - Returns: 0 or more; `limit` or more for an event that is not played.
  /// - Complexity: O(log n) in the changes of port in the track.
  public func port(of track: Int, at index: Int) -> Int {
    places.isEmpty ? 0 : places[place(of: track, at: index)].port
  }

  /// The ports that the events of a track use, in order of first use.
  public func ports(of track: Int) -> [Int] {
    var ports: [Int] = []
    for place in placesUsed(by: track) where !ports.contains(places[place].port) {
      ports.append(places[place].port)
    }
    return ports
  }

  /// The ports of a track's events in order, each with its number among the ports of a machine, or nil
  /// for none.
  package func goals(of track: Int) -> [(port: Int, number: Int?)] {
    var goals: [(port: Int, number: Int?)] = []
    for place in placesUsed(by: track).map({ places[$0] })
    where !goals.contains(where: { $0 == (place.port, place.number) }) {
      goals.append((place.port, place.number))
    }
    return goals
  }

  /// The sixteen channels that an event belongs to.
  func place(of track: Int, at index: Int) -> Int {
    guard track < first.count else { return 0 }
    guard hasChanges, let start = later[track].first?.index, start <= index else {
      return first[track]
    }
    var (low, high) = (0, later[track].count)
    while low + 1 < high {
      let middle = (low + high) >> 1
      if later[track][middle].index <= index { low = middle } else { high = middle }
    }
    return later[track][low].place
  }

  /// The places of a track's events.
  func placesUsed(by track: Int) -> [Int] {
    guard track < first.count else { return [] }
    return [first[track]] + later[track].map(\.place)
  }

  /// The place that is one of another sequence's places; nil if there is none.
  ///
  /// Tracks that ask for no port, and those that ask for the first one, go to the same place.
  func place(like other: TrackPorts, _ place: Int) -> Int? {
    let wanted = other.places[place]
    let like = places.indices.filter { places[$0].destination == wanted.destination }
    return like.first { places[$0].number == wanted.number }
      ?? like.first { places[$0].number ?? 0 == wanted.number ?? 0 }
  }
}

extension MusicSequence {
  /// For each track the number of the port that its first events ask for, counted from 0; nil for
  /// none.
  ///
  /// A track asks by a number (FF 21), or by the name of a device (FF 09): names count in the
  /// order in which they appear.
  ///
  /// - Complexity: O(n).
  public var portNumbers: [Int?] {
    let segments = tracks.map(\.portSegments)
    let order = PortOrder(segments.joined())
    return segments.map { segments in segments.first.flatMap { order.number(of: $0.key) } }
  }
}
