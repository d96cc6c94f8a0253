// SPDX-License-Identifier: Apache-2.0
internal import MIDIMessages
internal import MusicSequences

/// Which destinations a sequence's tracks go to.
///
/// It is decided here alone. A track whose settings name a destination goes there. One that asks for a port
/// (`MusicSequence.portNumbers`) goes to that one of the ports where there are several, counted
/// round and round, and to the synthesiser. All others go to the synthesiser and every port, and so
/// does automation, but for that whose settings name a unit that the session has. Units of the
/// program's own hear nothing but what names them.
struct Routing {
  private let names: [String]
  private let portOffset: Int
  /// How many of the last are reached by their name alone.
  private let namedCount: Int

  init(_ names: [String], hasInstrument: Bool, namedCount: Int = 0) {
    self.names = names
    self.namedCount = namedCount
    portOffset = hasInstrument ? 1 : 0
  }

  /// - Throws: `PlaybackError.unknownDestination` where a track names one that is not there.
  func routes(
    of sequence: MusicSequence, _ filters: [MessageFilter], _ transforms: [MessageTransform]
  ) throws(PlaybackError) -> [Route] {
    func route(_ track: UInt16?, _ destination: Int) -> Route {
      Route(
        track: track, to: destination, filter: filters[destination],
        transform: transforms[destination])
    }
    var routes = names.indices.dropLast(namedCount).map { route(nil, $0) }
    let numbers = sequence.portNumbers
    for (index, track) in sequence.tracks.enumerated() {
      for destination in try destinations(of: track, at: index, numbers[index]) ?? [] {
        routes.append(route(UInt16(clamping: index), destination))
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
    guard ports > 1, let number else { return nil }
    return Array(0..<portOffset) + [portOffset + number % ports]
  }

  /// The place of a name among the destinations.
  func place(of name: String, track: Int? = nil) throws(PlaybackError) -> Int {
    guard let index = names.firstIndex(of: name) else {
      throw .unknownDestination(name, track: track, available: names)
    }
    return index
  }
}
