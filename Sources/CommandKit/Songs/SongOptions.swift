// SPDX-License-Identifier: Apache-2.0
package import ArgumentParser
package import MusicSequences

/// The options for reading a song, and for messages about it.
package struct SongOptions: ParsableArguments {
  package init() {}

  @Flag(help: "Fail on damaged files instead of repairing them.")
  package var strict = false

  @Flag(name: [.short, .long], help: "Print only errors.")
  package var quiet = false

  @OptionGroup package var texts: TextOptions

  /// The maximum number of repairs that are reported separately.
  package static let shownRepairs = 8

  /// Reads a song, and reports its repairs on standard error.
  package func read(_ path: String) throws -> Song {
    try texts.apply()
    let song = try Song(path: path, strict: strict)
    if !quiet { tell(song) }
    return song
  }

  /// Reports that some ports of a song are not played.
  package func tellPorts(of sequence: MusicSequence, named name: String) {
    let count = TrackPorts(sequence).count
    guard !quiet, count > TrackPorts.limit else { return }
    Terminal.report(
      "\(name): uses \(count) ports, but only the first \(TrackPorts.limit) are played")
  }

  private func tell(_ song: Song) {
    for repair in song.defects.prefix(Self.shownRepairs) {
      Terminal.report("\(song.name): \(repair)")
    }
    let more = song.defects.count - Self.shownRepairs + song.file.omittedRepairs
    if more > 0 {
      Terminal.report("\(song.name): \(more) more repairs (downbeat info lists them)")
    }
  }
}
