// SPDX-License-Identifier: Apache-2.0
internal import MIDIMessages
internal import MusicSequences

extension [MessageTransform] {
  /// The transforms with the drums of a song in the place of channel 10, if they transpose.
  func sparingDrums(of sequence: MusicSequence) -> Self {
    let initial = MessageTransform().drums
    guard contains(where: { $0.transposition != 0 && $0.drums == initial }) else { return self }
    let drums = sequence.drumChannels.most
    return map { transform in
      guard transform.drums == initial else { return transform }
      var transform = transform
      transform.drums = drums
      return transform
    }
  }
}

/// Which destinations a sequence's tracks go to.
///
/// It is decided here alone. A track whose settings name a destination goes there. One that asks for a port
/// (`MusicSequence.portNumbers`) goes to that one of the ports where there are several, counted
/// round and round, and to the synthesiser. All others go to the synthesiser and every port, and so
/// does automation, but for that whose settings name a unit that the session has. Units of the
/// program's own hear nothing but what names them. Of several synthesisers each plays the notes of
/// its own tracks, and hears programs and controllers of all.
struct Routing {
  private let names: [String]
  private let portOffset: Int
  /// The tracks of each synthesiser but the first, which has the rest.
  private let apart: [Set<Int>]
  /// How many of the last are reached by their name alone.
  private let namedCount: Int

  /// Creates a routing to the synthesisers, then ports, then what is reached by its name alone.
  init(_ names: [String], hasInstrument: Bool, apart: [Set<Int>] = [], namedCount: Int = 0) {
    self.names = names
    self.namedCount = namedCount
    self.apart = apart
    portOffset = (hasInstrument ? 1 : 0) + apart.count
  }

  /// - Throws: `PlaybackError.unknownDestination` where a track names one that is not there.
  func routes(
    of sequence: MusicSequence, _ filters: [MessageFilter], _ transforms: [MessageTransform]
  ) throws(PlaybackError) -> [Route] {
    let transforms = transforms.sparingDrums(of: sequence)
    func route(_ track: UInt16?, _ destination: Int, playsNotes: Bool = true) -> Route {
      var filter = filters[destination]
      if !playsNotes { filter.kinds.subtract([.notes, .keyPressure]) }
      return Route(
        track: track, to: destination, filter: filter, transform: transforms[destination])
    }
    var routes = names.indices.dropLast(namedCount).map { route(nil, $0) }
    let numbers = sequence.portNumbers
    for (index, track) in sequence.tracks.enumerated() {
      for destination in try destinations(of: track, at: index, numbers[index]) ?? [] {
        let playsNotes = track.settings.destination != nil || plays(track: index, destination)
        routes.append(route(UInt16(clamping: index), destination, playsNotes: playsNotes))
      }
    }
    return routes
  }

  private func destinations(
    of track: MusicTrack, at index: Int, _ number: Int?
  ) throws(PlaybackError) -> [Int]? {
    if let name = track.settings.destination {
      if !track.settings.isAutomation { return [try place(of: name, track: index)] }
      if let place = names.firstIndex(of: name) { return [place] }
    }
    let ports = names.count - namedCount - portOffset
    guard ports > 1, let number else {
      // A track with routes of its own takes no other.
      return apart.isEmpty ? nil : Array(0..<portOffset + ports)
    }
    return Array(0..<portOffset) + [portOffset + number % ports]
  }

  /// Whether the notes of a track that has not named a destination sound at one.
  private func plays(track: Int, _ destination: Int) -> Bool {
    guard !apart.isEmpty, destination < portOffset else { return true }
    return destination == 0
      ? !apart.contains { $0.contains(track) } : apart[destination - 1].contains(track)
  }

  /// The place of a name among the destinations.
  func place(of name: String, track: Int? = nil) throws(PlaybackError) -> Int {
    guard let index = names.firstIndex(of: name) else {
      throw .unknownDestination(name, track: track, available: names)
    }
    return index
  }
}
