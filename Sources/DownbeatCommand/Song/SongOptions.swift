// SPDX-License-Identifier: Apache-2.0
internal import ArgumentParser
internal import FluidSynthInstruments
internal import MusicSequences

/// How a song is read, and what is said of it on the way.
struct SongOptions: ParsableArguments {
  @Flag(help: "Refuse a file at its first defect instead of putting it right.")
  var strict = false

  @Flag(name: [.short, .long], help: "Say nothing but errors.")
  var quiet = false

  @OptionGroup var texts: TextOptions

  /// The most repairs that are told one by one.
  private static let shownRepairs = 8

  /// Reads a song; its repairs are told on standard error.
  func read(_ path: String) throws -> Song {
    try texts.apply()
    let song = try Song(path: path, strict: strict)
    if !quiet { tell(song) }
    return song
  }

  /// Tells which programs a song plays that no soundfont has.
  func tell(_ missing: [MissingPreset], of name: String) {
    guard !quiet else { return }
    for preset in missing.prefix(Self.shownRepairs) {
      Terminal.report("\(name): \(preset.sentence)")
    }
    let more = missing.count - Self.shownRepairs
    if more > 0 {
      Terminal.report("\(name): \(more) more missing (downbeat soundfont check --song)")
    }
  }

  /// Reports the ports of a song that are not played.
  func tellPorts(of sequence: MusicSequence, named name: String) {
    let count = TrackPorts(sequence).count
    guard !quiet, count > TrackPorts.limit else { return }
    Terminal.report(
      "\(name): \(count) ports: only the first \(TrackPorts.limit) are played")
  }

  private func tell(_ song: Song) {
    for repair in song.defects.prefix(Self.shownRepairs) {
      Terminal.report("\(song.name): \(repair)")
    }
    let more = song.defects.count - Self.shownRepairs + song.file.omittedRepairs
    if more > 0 {
      Terminal.report("\(song.name): \(more) more repairs (downbeat info shows them)")
    }
  }
}
