// SPDX-License-Identifier: Apache-2.0
internal import MIDIMessages
internal import MusicSequences

/// Which destinations a sequence's tracks go to.
///
/// A track whose settings name a destination goes there. One that asks for a port
/// (`MusicSequence.portNumbers`) goes to that one of the ports where there are several, counted
/// round and round, and to the synthesiser. All others go to every destination.
struct Routing {
  private let names: [String]
  private let portOffset: Int

  init(_ names: [String], hasInstrument: Bool) {
    self.names = names
    portOffset = hasInstrument ? 1 : 0
  }

  func routes(
    of sequence: MusicSequence, _ filters: [MessageFilter], _ transforms: [MessageTransform]
  ) -> [Route] {
    func route(_ track: UInt16?, _ destination: Int) -> Route {
      Route(
        track: track, to: destination, filter: filters[destination],
        transform: transforms[destination])
    }
    var routes = names.indices.map { route(nil, $0) }
    let numbers = sequence.portNumbers
    for (index, track) in sequence.tracks.enumerated() {
      for destination in destinations(of: track, numbers[index]) ?? [] {
        routes.append(route(UInt16(clamping: index), destination))
      }
    }
    return routes
  }

  private func destinations(of track: MusicTrack, _ number: Int?) -> [Int]? {
    if let name = track.settings.destination, let index = names.firstIndex(of: name) {
      return [index]
    }
    let ports = names.count - portOffset
    guard ports > 1, let number else { return nil }
    return Array(0..<portOffset) + [portOffset + number % ports]
  }
}
