// SPDX-License-Identifier: Apache-2.0
internal import ArgumentParser
internal import AudioProcessing
internal import CommandKit
internal import CommandOptions
internal import MusicSequences

/// What of a song is heard on channels of its own.
struct RouteOptions: ParsableArguments {
  @Option(
    parsing: .unconditionalSingleValue,
    help: ArgumentHelp(
      "Send tracks, by number (2,5-7) or name, to their own output pair instead of the mix;"
        + " repeatable.", valueName: "track=left,right"),
    transform: { try TrackRoute(parsing: $0) })
  var route: [TrackRoute] = []

  /// Looks whether each channel is used once.
  ///
  /// - Parameter main: where the song goes; nil where nobody said.
  /// - Throws: `ValidationError`.
  func check(beside main: ChannelPair?) throws {
    var taken = Set(route.isEmpty ? [] : (main ?? .first).places)
    for pair in route.map(\.pair) {
      guard let place = pair.places.first(where: { !taken.insert($0).inserted }) else { continue }
      let isSong = (main ?? .first).places.contains(place)
      throw ValidationError(
        "--route \(pair.text): channel \(place + 1) is already used by "
          + (isSong ? "the mix (to move the mix: --map)" : "another route"))
    }
    guard route.count < ChannelMap.mostChannels / 2 else {
      throw ValidationError("--route: at most \(ChannelMap.mostChannels / 2 - 1) routes")
    }
  }

  /// The tracks of a song that are heard apart, in the order of the routes.
  ///
  /// - Throws: `Failure` where the song has no such track, or one is in two routes.
  func tracks(of song: MusicSequence) throws(Failure) -> [Set<Int>] {
    var taken: Set<Int> = []
    var sets: [Set<Int>] = []
    for route in route {
      let tracks = try route.tracks(of: song)
      if let twice = taken.intersection(tracks).min() {
        throw Failure(.usage, "--route: track \(twice + 1) has two routes (give it one)")
      }
      taken.formUnion(tracks)
      sets.append(tracks)
    }
    return sets
  }

  /// Where they are heard, and what JACK's ports are called.
  func apart(in song: MusicSequence) -> [(pair: ChannelPair, label: String)] {
    route.map { ($0.pair, $0.label(in: song)) }
  }
}
