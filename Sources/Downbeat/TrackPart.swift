internal import MIDIMessages
internal import MusicSequences
internal import SequencePlayback
// SPDX-License-Identifier: Apache-2.0
internal import SoundFontInstruments

/// A synthesiser of a song, and the tracks and the port whose notes it plays.
///
/// A song with one port and without separate tracks has one.
struct TrackPart {
  let instrument: InstrumentUnit
  let share: Share

  /// The part of a song that one of several synthesisers plays.
  struct Share: Hashable {
    /// The pair of output channels that it plays on: 0 is the main pair.
    var pair = 0
    /// The tracks whose notes it plays, counted from 0; nil for all tracks without a separate
    /// output.
    var tracks: Set<Int>?
    /// The port that it plays, counted from 0; nil for every port.
    var port: UInt8?
    /// True for the first synthesiser of its pair.
    var isFirst = true

    /// The name of the destination: `synth`, `synth 2` for the second pair, `synth:2` for the
    /// second port.
    var name: String {
      let base = pair == 0 ? "synth" : "synth \(pair + 1)"
      guard !isFirst, let port else { return base }
      return "\(base):\(port + 1)"
    }
  }

  /// Loads a synthesiser for the tracks of a song without a separate output, and one for each set
  /// of separate tracks; in a song with several ports, one for each port of these.
  ///
  /// The voices are divided among them by the maximum number of notes that each plays at the same
  /// time.
  ///
  /// - Parameters:
  ///   - score: The song.
  ///   - settings: The soundfonts and the settings of the synthesiser.
  ///   - apart: The tracks of each set.
  /// - Returns: The synthesisers, those of the main pair first; the presets that no soundfont has,
  ///   and the effects that Downbeat's own voices do not have, without duplicates.
  /// - Throws: `InstrumentError` if a soundfont cannot be used.
  static func load(
    _ score: PlayerScore, _ settings: SessionSettings, apart: [Set<Int>]
  ) throws -> (
    parts: [TrackPart], missingPresets: [MissingPreset], missingEffects: [RequestedEffect]
  ) {
    let everything = try score.everything()
    let fonts = try settings.fonts(for: settings.readsAllPresets ? nil : everything)
    let shares = shares(of: everything, score.sequence, apart)
    let parts = shares.map { part(of: $0, score.sequence, apart) }
    let voices = EnsemblePart.voices(settings.polyphony, of: parts, in: everything)
    var missing: [MissingPreset] = []
    var loaded: [TrackPart] = []
    for (place, share) in shares.enumerated() {
      let (instrument, lacks) = try InstrumentUnit.load(
        fonts, settings, for: everything, share: parts[place], voiceCount: voices[place],
        readsAllPresets: settings.readsAllPresets,
        workShare: SessionSettings.workShare / Double(shares.count))
      loaded.append(TrackPart(instrument: instrument, share: share))
      missing += lacks.filter { lack in
        !missing.contains { ($0.bank, $0.program) == (lack.bank, lack.program) }
      }
    }
    return (loaded, missing, loaded.map(\.instrument).missingEffects)
  }

  /// The part of each synthesiser: one for each pair of channels, and each port on which its tracks
  /// have notes.
  private static func shares(
    of events: EventBuffer, _ sequence: MusicSequence, _ apart: [Set<Int>]
  ) -> [Share] {
    let loads = NoteLoads(events)
    let taken = apart.reduce(into: Set()) { $0.formUnion($1) }
    let sets: [Set<Int>?] = [nil] + apart.map(Optional.some)
    return sets.enumerated().flatMap { pair, tracks in
      ports(in: loads) { tracks?.contains($0) ?? !taken.contains($0) }.enumerated()
        .map { Share(pair: pair, tracks: tracks, port: $1, isFirst: $0 == 0) }
    }
  }

  /// The ports on which some tracks have notes, or the first if they have none; nil for a song with
  /// one port.
  private static func ports(in loads: NoteLoads, of isMeant: (Int) -> Bool) -> [UInt8?] {
    guard !loads.isOfOnePort else { return [nil] }
    let ports = Set(loads.nanoseconds.keys.filter { isMeant(Int($0.track)) }.map(\.port))
    return ports.isEmpty ? [0] : ports.sorted()
  }

  private static func part(
    of share: Share, _ sequence: MusicSequence, _ apart: [Set<Int>]
  ) -> EnsemblePart {
    // Editing may add tracks that are not known yet; the first part plays these.
    guard !apart.isEmpty else { return EnsemblePart(channels: .max, port: share.port) }
    let taken = apart.reduce(into: Set()) { $0.formUnion($1) }
    let tracks = share.tracks ?? Set(sequence.tracks.indices.filter { !taken.contains($0) })
    return EnsemblePart(
      channels: .max, tracks: Set(tracks.map(UInt16.init(clamping:))), port: share.port)
  }
}
