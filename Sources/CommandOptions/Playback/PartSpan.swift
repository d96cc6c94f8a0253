// SPDX-License-Identifier: Apache-2.0
package import CommandKit
package import MusicSequences
package import MusicalTime
internal import PlayerControl

/// The start and end of the part of a song that options select.
package struct PartSpan {
  /// The first tick.
  package let start: Tick
  /// The tick at which it ends.
  package let end: Tick

  /// Reads the times of options.
  ///
  /// - Parameters:
  ///   - from: The value of --from; nil without it.
  ///   - first: The first value of --ab, which is used without --from; nil without it.
  ///   - to: The value of --to; nil for the end of the song.
  ///   - mayExtend: True if the part may end after the song, as a loop or clicks may.
  ///   - song: The song.
  /// - Throws: `Failure` if a time does not exist in the song, or nothing is left to play.
  package init(
    from: SongTime?, ab first: SongTime? = nil, to: SongTime?, mayExtend: Bool,
    of song: MusicSequence
  ) throws {
    let begin = from ?? first
    start = try begin?.tick(in: song) ?? .zero
    let asked = try to?.tick(in: song) ?? song.length
    end = mayExtend ? asked : min(asked, song.length)
    guard song.length > .zero else { return }
    let option = from != nil ? "--from" : "--ab"
    if let begin, start >= song.length {
      throw Failure(
        .usage,
        "\(option) \(begin): the song ends at \(try Self.end(of: song)) (try an earlier time)",
        options: [option])
    }
    guard let to, end <= start else { return }
    let place = begin.map { "\(option) \($0)" } ?? "the beginning of the song"
    throw Failure(
      .usage, "--to \(to): is not after \(place) (the song ends at \(try Self.end(of: song)))",
      options: ["--to"])
  }

  private static func end(of song: MusicSequence) throws -> String {
    try song.tempoMap.seconds(at: song.length).approximation.lengthText
  }
}
