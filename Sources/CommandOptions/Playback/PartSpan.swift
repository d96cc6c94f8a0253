// SPDX-License-Identifier: Apache-2.0
internal import CommandKit
internal import MusicSequences
internal import MusicalTime
internal import PlayerControl

/// The start and end of the part of a song that flags ask for.
struct PartSpan {
  /// The first tick.
  let start: Tick
  /// The tick at which it ends.
  let end: Tick

  /// Reads the flags.
  ///
  /// An end after the song's is the song's, except that a loop repeats there, and clicks go on.
  ///
  /// - Parameters:
  ///   - flags: The part that is asked for.
  ///   - song: The song.
  /// - Throws: `Failure` if a time does not exist in the song, or nothing is left to play.
  init(_ flags: PlaybackFlags, of song: MusicSequence) throws {
    let first = flags.from ?? flags.ab?.first
    let from = try first?.tick(in: song) ?? .zero
    let to = try flags.to?.tick(in: song)
    let mayExtend = flags.loop != nil || flags.metronome
    start = from
    end = to.map { mayExtend ? $0 : min($0, song.length) } ?? song.length
    guard song.length > .zero else { return }
    let option = flags.from != nil ? "--from" : "--ab"
    if let first, from >= song.length {
      throw Failure(
        .usage,
        "\(option) \(first): the song ends at \(try Self.end(of: song)) (try an earlier time)",
        options: [option])
    }
    if let to = flags.to, end <= start {
      let begin = first.map { "\(option) \($0)" } ?? "the beginning of the song"
      throw Failure(
        .usage,
        "--to \(to): is not after \(begin) (the song ends at \(try Self.end(of: song)))",
        options: ["--to"])
    }
  }

  private static func end(of song: MusicSequence) throws -> String {
    try song.tempoMap.seconds(at: song.length).approximation.lengthText
  }
}
