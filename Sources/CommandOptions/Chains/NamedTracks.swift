// SPDX-License-Identifier: Apache-2.0
internal import ArgumentParser
package import CommandKit
internal import Downbeat
internal import JSONText
package import MusicSequences
internal import PlayerControl

/// The tracks of an option, by number from 1 or by name.
package struct NamedTracks: Hashable {
  /// The text, as it was typed.
  package let text: String

  /// Splits `TRACKS=VALUE`.
  ///
  /// - Throws: `ValidationError` if one of the two is missing.
  package static func split(_ text: String, _ flag: String, _ example: String) throws -> (
    Self, String
  ) {
    guard let sign = text.firstIndex(of: "="), sign > text.startIndex else {
      throw ValidationError("\(flag) \(text): not TRACKS=VALUE (try \(flag) \(example))")
    }
    let rest = text[text.index(after: sign)...]
    guard !rest.isEmpty else {
      throw ValidationError("\(flag) \(text): nothing after the = (try \(flag) \(example))")
    }
    return (NamedTracks(text: String(text[..<sign])), String(rest))
  }

  /// The indices of the tracks in a song.
  ///
  /// - Parameters:
  ///   - sequence: The song.
  ///   - flag: The option that names the tracks, with its text.
  /// - Returns: The indices of the tracks, from 0.
  /// - Throws: `Failure` with exit status 64 if the song does not have such a track.
  package func indices(in sequence: MusicSequence, of flag: FlagText) throws -> Set<Int> {
    if text.allSatisfy({ $0.isWholeNumber || ",-".contains($0) }) {
      let indices = try TrackList(parsing: text).indices
      guard indices.allSatisfy(sequence.tracks.indices.contains) else {
        let count = sequence.tracks.count.counted("track")
        throw flag.failure("the song has only \(count)")
      }
      return Set(indices)
    }
    let decoder = TextDecoder(for: [sequence])
    let names = sequence.tracks.map { track in
      track.firstText(.trackName).map { decoder.text($0).lowercased() } ?? ""
    }
    let found = names.indices.filter { names[$0] == text.lowercased() }
    guard !found.isEmpty else {
      let near = NearestNames.nearest(to: text, among: names.filter { !$0.isEmpty })
      let hint = near.map { " (did you mean \($0)?)" } ?? " (downbeat info SONG lists them)"
      throw flag.failure("no track has that name\(hint)")
    }
    return Set(found)
  }
}
