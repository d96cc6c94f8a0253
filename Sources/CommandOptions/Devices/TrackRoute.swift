// SPDX-License-Identifier: Apache-2.0
internal import ArgumentParser
package import CommandKit
internal import Downbeat
package import MusicSequences
internal import PlayerControl

/// The value of `--route`: tracks with a separate pair of output channels, such as `2=3,4` or
/// `Bass=5,6`.
package struct TrackRoute {
  /// The tracks, as they were typed.
  private let name: String
  /// The indices of the tracks; nil if they are named.
  private let indices: [Int]?
  /// The output channels.
  package let pair: ChannelPair

  /// Reads tracks and channels.
  ///
  /// - Throws: `ValidationError` if the text is not valid.
  package init(parsing text: String) throws {
    guard let sign = text.lastIndex(of: "="), sign != text.startIndex else {
      throw ValidationError("--route \(text): not TRACKS=LEFT,RIGHT (try 2=3,4)")
    }
    name = String(text[..<sign])
    pair = try ChannelPair(
      parsing: String(text[text.index(after: sign)...]), of: "--route \(name)=")
    let isNumber = name.allSatisfy { $0.isNumber || $0 == "," || $0 == "-" }
    indices = isNumber ? try TrackList(parsing: name).indices : nil
  }

  /// The indices of the tracks in a song.
  ///
  /// A name means all tracks with exactly that name, or, if none has it, all with that name in any
  /// case.
  ///
  /// - Throws: `Failure` if the song does not have such a track.
  package func tracks(of song: MusicSequence) throws(Failure) -> Set<Int> {
    if let indices {
      guard indices.allSatisfy(song.tracks.indices.contains) else {
        let count = song.tracks.count.counted("track")
        throw failure("the song has only \(count)")
      }
      return Set(indices)
    }
    let decoder = TextDecoder(for: [song])
    let names = song.tracks.map { Self.name(of: $0, decoder) ?? "" }
    for isSame in [{ $0 == name }, { $0.lowercased() == name.lowercased() }] as [(String) -> Bool] {
      let found = names.indices.filter { isSame(names[$0]) }
      if !found.isEmpty { return Set(found) }
    }
    let others = names.filter { !$0.isEmpty }.map { "'\($0)'" }
    throw failure(
      "no track has that name"
        + (others.isEmpty ? "; its tracks are unnamed" : " (\(others.joined(separator: ", ")))"))
  }

  private func failure(_ reason: String) -> Failure {
    FlagText("--route", "\(name)=\(pair.text)").failure(reason)
  }

  /// The name of its JACK ports: the name that was typed, or the name of a single track.
  package func label(in song: MusicSequence) -> String {
    var label = name
    if let indices {
      let decoder = TextDecoder(for: [song])
      let given = indices.count == 1 ? Self.name(of: song.tracks[indices[0]], decoder) : nil
      label = given ?? "track_\(name)"
    }
    // A colon would end the name of the client.
    return String(label.prefix(64).map { $0 == ":" || $0.isNewline ? "-" : $0 })
  }

  private static func name(of track: MusicTrack, _ decoder: TextDecoder) -> String? {
    let name = track.firstText(.trackName).map(decoder.text)
    return name?.contains { !$0.isWhitespace } == true ? name : nil
  }
}
