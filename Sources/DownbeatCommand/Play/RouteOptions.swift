// SPDX-License-Identifier: Apache-2.0
internal import ArgumentParser
internal import AudioProcessing
internal import CommandKit
internal import CommandOptions
internal import MusicSequences

/// The options for tracks with separate output channels.
struct RouteOptions: ParsableArguments {
  @Option(
    parsing: .unconditionalSingleValue,
    help: ArgumentHelp(
      "Send tracks, by number (2,5-7) or name, to their own output pair instead of the mix;"
        + " repeatable.", valueName: "track=left,right"),
    transform: { try TrackRoute(parsing: $0) })
  var route: [TrackRoute] = []

  /// Checks that each channel is used only once.
  ///
  /// - Parameter main: The channels of the mix; nil for the first two.
  /// - Throws: `ValidationError` if a channel is used twice.
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

  /// Returns the tracks of each route, in the order of the routes.
  ///
  /// - Throws: `Failure` if the song does not contain a track, or if a track is in two routes.
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

  /// Returns the channels of each route, and the labels for JACK ports.
  func apart(in song: MusicSequence) -> [(pair: ChannelPair, label: String)] {
    route.map { ($0.pair, $0.label(in: song)) }
  }
}
