// SPDX-License-Identifier: Apache-2.0
internal import MIDIMessages
internal import MusicSequences

extension MessageTransform {
  /// The transform with the drum channels of a port in place of channel 10, if it transposes.
  func sparing(_ drums: DrumChannels) -> MessageTransform {
    guard transposition != 0, self.drums == MessageTransform().drums else { return self }
    var transform = self
    transform.drums = drums.most
    return transform
  }
}

/// Decides the destinations of a sequence's tracks.
///
/// Only this type decides them:
///
/// - A track whose settings name a destination goes there.
/// - A track that selects a port (`MusicSequence.portNumbers`) goes to the synthesiser and, if
///   there are several ports, to the port with that number; numbers beyond the last port start
///   again at the first.
/// - All other tracks go to the synthesiser and to every port. So does automation, unless its
///   settings name a unit of the session.
/// - Custom units receive only the tracks that name them.
/// - If there are several synthesisers, each plays the notes of its tracks and port, and
///   receives the programs and controllers of all tracks on its port.
struct Routing {
  private let names: [String]
  /// The part that each synthesiser plays; the synthesisers are the first destinations.
  private let synths: [TrackPart.Share]
  /// The number of destinations at the end of the list that only their names select.
  private let namedCount: Int
  private let bankMode: BankMode

  /// A destination, and the only port whose events go there, or nil for every port.
  private struct Way: Hashable {
    var destination: Int
    var port: UInt8?
  }

  /// Creates a routing: first synthesisers, then ports, then destinations that only their names
  /// select.
  init(
    _ names: [String], synths: [TrackPart.Share], namedCount: Int = 0, bankMode: BankMode = .auto
  ) {
    self.names = names
    self.bankMode = bankMode
    self.namedCount = namedCount
    self.synths = synths
  }

  private var hasApart: Bool { synths.contains { $0.pair > 0 } }

  /// - Throws: `PlaybackError.unknownDestination` if a track names a destination that does not
  ///   exist.
  func routes(
    of sequence: MusicSequence, _ filters: [PortFilter], _ transforms: [MessageTransform]
  ) throws(PlaybackError) -> [Route] {
    let drums = sequence.portDrums(in: bankMode)
    let trackPorts = TrackPorts(sequence)
    let synthWays = synthWays(for: trackPorts)
    func routes(_ track: UInt16?, _ way: Way, playsNotes: Bool = true) -> [Route] {
      let (filter, transform) = (filters[way.destination], transforms[way.destination])
      return ports(of: way, filter, transform, drums).map { port in
        var filter = filter[port ?? 0]
        if !playsNotes { filter.kinds.subtract([.notes, .keyPressure]) }
        return Route(
          track: track, port: port, to: way.destination, filter: filter,
          transform: transform.sparing(drums[Int(port ?? 0)]))
      }
    }
    let toPorts = names.indices.dropLast(namedCount).dropFirst(synths.count)
    var result = (synthWays + toPorts.map { Way(destination: $0) }).flatMap { routes(nil, $0) }
    for (index, track) in sequence.tracks.enumerated() {
      let asked = trackPorts.goals(of: index)
      for way in try ways(of: track, at: index, asked, synthWays) ?? [] {
        let playsNotes =
          track.settings.destination != nil || plays(track: index, way.destination)
        result += routes(UInt16(clamping: index), way, playsNotes: playsNotes)
      }
    }
    return result
  }

  /// The ports that need separate routes: all if their filters or transforms differ.
  private func ports(
    of way: Way, _ filter: PortFilter, _ transform: MessageTransform, _ drums: PortDrums
  ) -> [UInt8?] {
    guard way.port == nil, drums.count > 1 else { return [way.port] }
    let ports = (0..<min(drums.count, TrackPorts.limit)).map { UInt8($0) }
    let isSame = ports.allSatisfy {
      filter[$0] == filter[0] && transform.sparing(drums[Int($0)]) == transform.sparing(drums[0])
    }
    return isSame ? [nil] : ports
  }

  /// The ways to the synthesisers: each has its port; ports without notes at loading go to the
  /// first synthesiser of each pair of channels.
  private func synthWays(for ports: TrackPorts) -> [Way] {
    let ways = synths.indices.map { Way(destination: $0, port: synths[$0].port) }
    guard !synths.isEmpty, ways.allSatisfy({ $0.port != nil }) else { return ways }
    let others = ports.portsWithNotes.filter { $0 < TrackPorts.limit }.map { UInt8($0) }
      .filter { port in ways.allSatisfy { $0.port != port } }
    let firsts = synths.indices.filter { synths[$0].isFirst }
    return ways + firsts.flatMap { first in others.map { Way(destination: first, port: $0) } }
  }

  private func ways(
    of track: MusicTrack, at index: Int, _ asked: [(port: Int, number: Int?)], _ toSynths: [Way]
  ) throws(PlaybackError) -> [Way]? {
    if let name = track.settings.destination {
      if !track.settings.isAutomation {
        let places = try places(of: name, track: index)
        return toSynths.filter { places.contains($0.destination) }
          + places.filter { $0 >= synths.count }.map { Way(destination: $0) }
      }
      if let place = names.firstIndex(of: name) { return [Way(destination: place)] }
    }
    let ports = names.count - namedCount - synths.count
    guard ports > 1, asked.contains(where: { $0.number != nil }) else {
      // A track with its own routes uses no other.
      let toPorts = (0..<ports).map { Way(destination: synths.count + $0) }
      return hasApart ? toSynths + toPorts : nil
    }
    return toSynths
      + asked.filter { way in
        // A port that is also selected by its number is used only once.
        way.number != nil || !asked.contains { $0.port == way.port && $0.number != nil }
      }.flatMap { port, number in
        (number.map { [$0 % ports] } ?? Array(0..<ports)).map {
          Way(
            destination: synths.count + $0, port: asked.count > 1 ? UInt8(clamping: port) : nil)
        }
      }
  }

  /// Returns true if a synthesiser plays the notes of a track that does not name a destination.
  private func plays(track: Int, _ destination: Int) -> Bool {
    guard hasApart, destination < synths.count else { return true }
    if let tracks = synths[destination].tracks { return tracks.contains(track) }
    return !synths.contains { $0.tracks?.contains(track) == true }
  }

  /// The index of the destination with a name.
  func place(of name: String, track: Int? = nil) throws(PlaybackError) -> Int {
    guard let index = names.firstIndex(of: name) else {
      throw .unknownDestination(name, track: track, available: names)
    }
    return index
  }

  /// The indices of the destinations with a name: all parts of a synthesiser with several ports.
  func places(of name: String, track: Int? = nil) throws(PlaybackError) -> [Int] {
    let first = try place(of: name, track: track)
    guard first < synths.count else { return [first] }
    return synths.indices.filter { synths[$0].pair == synths[first].pair }
  }
}
