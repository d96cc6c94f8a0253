// SPDX-License-Identifier: Apache-2.0

/// The ports of a song, with sixteen channels each, and the port of every event.
///
/// A port number (FF 21) or a device name (FF 09) applies to the following events of its track.
/// Equal numbers select the same port, and so do equal names. In a track with both, only numbers
/// are used. Ports are counted from 0 in order of first use, track by track. Events before the
/// first number or name of their track use the first port. If notes without a number or name are
/// the first to use a port, that port is also port number 0.
///
/// Tracks with different destinations do not share channels (`places`), even on the same port.
///
/// Source: RP-019 (FF 09); FF 21 is a practice of sequencers that is not part of a standard.
public struct TrackPorts: Sendable {
  /// The maximum number of ports that are played: 16, with 16 channels each.
  public static let limit = 16

  /// The number or device name that selects each port; nil for a port without either.
  public var names: [SequenceFeatures.Port?] {
    order.keys.isEmpty ? [nil] : order.keys.map(\.name)
  }
  /// The order of the ports.
  let order: PortOrder
  /// The places, in order of first use; a place is a port of one destination.
  private(set) var places: [Place] = []
  /// For each place, the number of its group of sixteen channels.
  ///
  /// Places of one destination and port share a group.
  private var groups: [Int] = []
  /// For each place, the places that receive its events: its whole group if it does not select a
  /// port.
  private(set) var reach: [[Int]] = []
  /// True if a place that does not select a port shares its channels with another.
  private(set) var hasShared = false
  /// For each place, another place of its group that does not select a port; nil if none exists.
  private(set) var shared: [Int?] = []
  /// The number of groups of sixteen channels, 1 or more.
  private(set) var groupCount = 1
  /// The port of all events if the sequence has only one place; otherwise nil.
  private var onlyPort: Int? = 0
  /// The ports with notes, in order.
  package private(set) var portsWithNotes: [Int] = []
  /// For each track, the place of its first event.
  private var first: [Int] = []
  /// For each track, the later changes of place.
  private var later: [[Change]] = []
  private var hasChanges = false

  /// A port of one destination with one way of selecting it.
  ///
  /// Events that do not select a port go to all ports of a machine; others go only to the selected
  /// port.
  struct Place: Hashable, Sendable {
    let destination: String?
    let port: Int
    /// The number that selects one of the ports of a machine; nil for all.
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

  /// Creates a single port for all tracks.
  init() { order = PortOrder([]) }

  /// Finds the ports of a sequence.
  ///
  /// - Complexity: O(n).
  public init(_ sequence: MusicSequence) {
    let segments = sequence.tracks.map(\.portSegments)
    order = PortOrder(segments.joined(), after: sequence.keptPorts)
    var known: [Goal: Int] = [:]
    // Events without a port are first: their state is restored on all ports of a machine.
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
    // Events without a port go to all ports of a machine, and their state is restored there.
    let goal = Goal(destination: destination, port: port, number: number)
    if let known = table[goal] { return known }
    table[goal] = places.count
    places.append(Place(destination: destination, port: port, number: number, track: track))
    return places.count - 1
  }

  /// The number of ports, 1 or more.
  ///
  /// Ports from `limit` on are not played.
  public var count: Int { max(1, order.keys.count) }

  /// Returns the port of an event, counted from 0.
  ///
  /// - Parameters:
  ///   - track: The index of the track. A track that does not exist is on the first port.
  ///   - index: The index of the event in the track; for a note-off, the index of its note.
  /// - Returns: 0 or more; `limit` or more for an event that is not played.
  /// - Complexity: O(log n) in the changes of port in the track.
  public func port(of track: Int, at index: Int) -> Int {
    onlyPort ?? places[place(of: track, at: index)].port
  }

  /// Returns the ports of a track's events, in order of first use.
  public func ports(of track: Int) -> [Int] {
    var known: Set<Int> = []
    return placesUsed(by: track).map { places[$0].port }.filter { known.insert($0).inserted }
  }

  /// The ports of a track's events, in order of first use.
  ///
  /// `number` selects one of the ports of a machine; nil if the events do not select a port.
  package func goals(of track: Int) -> [(port: Int, number: Int?)] {
    placesUsed(by: track).map { (places[$0].port, places[$0].number) }
  }

  /// The group of sixteen channels of an event, among all destinations and ports.
  @inline(__always)
  func group(of track: Int, at index: Int) -> Int {
    onlyPort == nil ? groups[place(of: track, at: index)] : 0
  }

  /// The groups of sixteen channels of a track's events, each once.
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

  /// The place that corresponds to a place of another sequence, or nil if none does.
  ///
  /// Tracks that do not select a port, and those that select the first one, correspond to the same
  /// place.
  func place(like other: TrackPorts, _ place: Int) -> Int? {
    let wanted = other.places[place]
    let like = places.indices.filter { places[$0].destination == wanted.destination }
    return like.first { places[$0].number == wanted.number }
      ?? like.first { places[$0].number ?? 0 == wanted.number ?? 0 }
  }
}

extension MusicSequence {
  /// Keeps the port numbers from before an edit; new ports are numbered after them.
  ///
  /// Otherwise ports are numbered by first use, so removing the events of the first port would make
  /// another port the first.
  ///
  /// - Parameter ports: The ports of this sequence, or of the sequence that it replaces.
  public mutating func keepPorts(_ ports: TrackPorts) {
    keptPorts = ports.order
  }

  /// For each track, the port number of its first events, from 0; nil without a number or name.
  ///
  /// The number is that of FF 21. Device names (FF 09) are numbered in the order in which they
  /// appear.
  ///
  /// - Complexity: O(n).
  public var portNumbers: [Int?] {
    let segments = tracks.map(\.portSegments)
    let order = PortOrder(segments.joined(), after: keptPorts)
    return segments.map { segments in segments.first.flatMap { order.number(of: $0.key) } }
  }
}
