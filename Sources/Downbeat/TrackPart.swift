// SPDX-License-Identifier: Apache-2.0
internal import FluidSynthInstruments
internal import MIDIMessages
internal import MusicSequences
internal import SequencePlayback

/// Tracks that are heard apart from the others, and the synthesiser that plays them alone.
struct TrackPart {
  let instrument: InstrumentUnit
  /// The tracks whose notes it plays, counted from 0.
  let tracks: Set<Int>

  /// Loads a synthesiser for what is left of a song, and one for each set of tracks.
  ///
  /// They share out the voices by the most notes that each has at once.
  ///
  /// - Parameters:
  ///   - score: the song.
  ///   - settings: what the sound is made with.
  ///   - apart: the tracks of each set.
  /// - Returns: the synthesisers, and the programs that no soundfont has, each once.
  /// - Throws: where the soundfont cannot be used.
  static func load(
    _ score: PlayerScore, _ settings: SessionSettings, apart: [Set<Int>]
  ) throws -> (instrument: InstrumentUnit, apart: [TrackPart], missing: [MissingPreset]) {
    let everything = try score.everything()
    let fonts = try settings.fonts(for: settings.readsAllPresets ? nil : everything)
    let taken = apart.reduce(into: Set()) { $0.formUnion($1) }
    let rest = score.sequence.tracks.indices.filter { !taken.contains($0) }
    // A song that is edited may get tracks that are not known yet: they are the first part's.
    let first = apart.isEmpty ? EnsemblePart(channels: .max) : share(of: Set(rest))
    let shares = [first] + apart.map(share)
    let voices = EnsemblePart.voices(settings.polyphony, of: shares, in: everything)
    var missing: [MissingPreset] = []
    var instruments: [InstrumentUnit] = []
    for (share, voiceCount) in zip(shares, voices) {
      let (instrument, lacks) = try InstrumentUnit.load(
        fonts, settings, for: everything, share: share, voiceCount: voiceCount,
        readsAllPresets: settings.readsAllPresets,
        workShare: SessionSettings.workShare / Double(shares.count))
      instruments.append(instrument)
      missing += lacks.filter { lack in
        !missing.contains { ($0.bank, $0.program) == (lack.bank, lack.program) }
      }
    }
    let parts = zip(instruments.dropFirst(), apart).map { TrackPart(instrument: $0, tracks: $1) }
    return (instruments[0], parts, missing)
  }

  private static func share(of tracks: Set<Int>) -> EnsemblePart {
    EnsemblePart(channels: .max, tracks: Set(tracks.map(UInt16.init(clamping:))))
  }
}
