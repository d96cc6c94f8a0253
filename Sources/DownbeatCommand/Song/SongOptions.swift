// SPDX-License-Identifier: Apache-2.0
internal import ArgumentParser
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

  /// Reports the programs of a song that no soundfont has, and the effects that we do not have.
  func tell(_ missing: MissingSounds, of name: String) {
    guard !quiet else { return }
    for preset in missing.presets.prefix(Self.shownRepairs) {
      Terminal.report("\(name): \(preset.sentence)")
    }
    let more = missing.presets.count - Self.shownRepairs
    if more > 0 {
      Terminal.report("\(name): \(more) more missing (downbeat soundfont check --song)")
    }
    for effect in missing.effects.prefix(Self.shownRepairs) {
      Terminal.report("\(name): \(effect.sentence)")
    }
    let others = missing.effects.count - Self.shownRepairs
    if others > 0 { Terminal.report("\(name): \(others) more effects (downbeat check)") }
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
