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
  public var names: [SequenceFeatures.Port?] {
    order.keys.isEmpty ? [nil] : order.keys.map(\.name)
  }
  /// The order of the ports.
  let order: PortOrder
  /// For each place its port and a track that goes there; places are counted by first use.
  private(set) var places: [Place] = []
  /// For each place the sixteen channels that it shares with places of its destination and port.
  private var groups: [Int] = []
  /// For each place those whose state changes with what is sent to it: those of its group, if it asks
  /// for no port.
  private(set) var reach: [[Int]] = []
  /// Whether some place asks for no port and shares its channels with another.
  private(set) var hasShared = false
  /// For each place the one of its group that asks for no port, if it is another one.
  private(set) var shared: [Int?] = []
  /// The number of groups of sixteen channels, 1 or more.
  private(set) var groupCount = 1
  /// The port of every event of a sequence of one place; nil if there are several.
  private var onlyPort: Int? = 0
  /// The ports that have notes, in order.
  package private(set) var portsWithNotes: [Int] = []
  /// For each track the place of its first event.
  private var first: [Int] = []
  /// For each track the places of its later events; empty if all are at one.
  private var later: [[Change]] = []
  private var hasChanges = false

  /// A port of one destination, as far as it is asked for in the same way: what asks for no port goes to
  /// all ports of a machine, what asks for one goes there alone.
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
  init() { order = PortOrder([]) }

  /// Finds the ports.
  ///
  /// - Complexity: O(n).
  public init(_ sequence: MusicSequence) {
    let segments = sequence.tracks.map(\.portSegments)
    order = PortOrder(segments.joined(), after: sequence.keptPorts)
    var known: [Goal: Int] = [:]
    // What asks for no port comes first: its state is restored on all ports of a machine.
    for (track, segments) in segments.enumerated() where segments[0].key == .none {
      _ = place(of: segments[0], track, sequence.tracks[track].settings.destination, &known)
    }
    for (track, segments) in segments.enumerated() {
      let destination = sequence.tracks[track].settings.destination
      let changes = segments.map { segment in
        Change(index: segment.start, place: place(of: segment, track, destination, &known))
      }
      first.append(changes[0].place)
      later.append(Array(changes.dropFirst()))
    }
    hasChanges = later.contains { !$0.isEmpty }
    onlyPort = places.count > 1 ? nil : places.first?.port ?? 0
    let order = order
    portsWithNotes = Set(
      segments.joined().filter(\.hasNotes).map { order.port(of: $0.key) }
    ).sorted()
    findGroups()
  }

  private mutating func findGroups() {
    var known: [Goal: Int] = [:]
    groups = places.map { place in
      let goal = Goal(destination: place.destination, port: place.port, number: nil)
      let group = known[goal] ?? known.count
      known[goal] = group
      return group
    }
    groupCount = max(1, known.count)
    let members = Dictionary(grouping: places.indices, by: { groups[$0] })
    shared = Array(repeating: nil, count: places.count)
    reach = places.indices.map { place in
      places[place].number == nil ? members[groups[place]] ?? [place] : [place]
    }
    for (place, others) in reach.enumerated() where others.count > 1 {
      hasShared = true
      for other in others where other != place { shared[other] = place }
    }
  }

  private mutating func place(
    of segment: PortSegment, _ track: Int, _ destination: String?, _ table: inout [Goal: Int]
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
  public var count: Int { max(1, order.keys.count) }

  /// The port of an event, counted from 0.
  ///
  /// - Parameters:
  ///   - track: the index of its track; a track that is not there is on the first port.
  ///   - index: the index of the event in the track; for a note-off that of its note.
  /// - Returns: 0 or more; `limit` or more for an event that is not played.
  /// - Complexity: O(log n) in the changes of port in the track.
  public func port(of track: Int, at index: Int) -> Int {
    onlyPort ?? places[place(of: track, at: index)].port
  }

  /// The ports that the events of a track use, in order of first use.
  public func ports(of track: Int) -> [Int] {
    var known: Set<Int> = []
    return placesUsed(by: track).map { places[$0].port }.filter { known.insert($0).inserted }
  }

  /// The ports of a track's events in order, each with its number among the ports of a machine, or nil
  /// for none.
  package func goals(of track: Int) -> [(port: Int, number: Int?)] {
    placesUsed(by: track).map { (places[$0].port, places[$0].number) }
  }

  /// The sixteen channels that an event belongs to, among those of all destinations and ports.
  @inline(__always)
  func group(of track: Int, at index: Int) -> Int {
    onlyPort == nil ? groups[place(of: track, at: index)] : 0
  }

  /// The sixteen channels that a track's events belong to, each once.
  func groupsUsed(by track: Int) -> Set<Int> { Set(placesUsed(by: track).map { groups[$0] }) }

  /// The place of an event.
  @inline(__always)
  func place(of track: Int, at index: Int) -> Int {
    guard track < first.count else { return 0 }
    return hasChanges ? laterPlace(of: track, at: index) : first[track]
  }

  private func laterPlace(of track: Int, at index: Int) -> Int {
    guard let start = later[track].first?.index, start <= index else { return first[track] }
    var (low, high) = (0, later[track].count)
    while low + 1 < high {
      let middle = (low + high) >> 1
      if later[track][middle].index <= index { low = middle } else { high = middle }
    }
    return later[track][low].place
  }

  /// The places of a track's events, each once, in order of first use.
  private func placesUsed(by track: Int) -> [Int] {
    guard track < first.count else { return [] }
    var known: Set<Int> = []
    return ([first[track]] + later[track].map(\.place)).filter { known.insert($0).inserted }
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
  /// Keeps the numbers of ports as they are: ports that are not among them are counted after them.
  ///
  /// Without this, ports are counted by first use, so that another port is the first once the events of
  /// the first are gone.
  ///
  /// - Parameter ports: the ports of this sequence, or of the one that it takes the place of.
  public mutating func keepPorts(_ ports: TrackPorts) {
    keptPorts = ports.order
  }

  /// For each track the number of the port that its first events ask for, counted from 0; nil for
  /// none.
  ///
  /// A track asks by a number (FF 21), or by the name of a device (FF 09): names count in the
  /// order in which they appear.
  ///
  /// - Complexity: O(n).
  public var portNumbers: [Int?] {
    let segments = tracks.map(\.portSegments)
    let order = PortOrder(segments.joined(), after: keptPorts)
    return segments.map { segments in segments.first.flatMap { order.number(of: $0.key) } }
  }
}
