// SPDX-License-Identifier: Apache-2.0
internal import AudioFiles
internal import MIDIMessages
public import MusicSequences
internal import Realtime
internal import SoundFontInstruments

extension SoundFontLevels {
  /// The default time limit for measuring, in nanoseconds: 0.2 s.
  public static let usualLimit: Int64 = 200_000_000

  /// Measures the sounds that songs play, except those in the cache, beginning with the most used.
  ///
  /// Each measurement takes a few milliseconds, and the time to read the samples. Sounds that are
  /// not measured before the time limit get the loudness that `SoundFontCatalog` has for the first
  /// font. If libebur128 is not installed, all sounds get this loudness.
  ///
  /// - Parameters:
  ///   - sequences: The songs.
  ///   - settings: The soundfonts and the settings of the synthesiser.
  ///   - cache: The cache that is read and updated; nil for none.
  ///   - limit: The time limit in nanoseconds, after which no further sound is measured.
  /// - Throws: `InstrumentError` if a soundfont cannot be used; `SequenceError` if the time of a
  ///   sequence does not fit 64 bits.
  /// - Complexity: O(n) in the number of events, in addition to the measurements.
  public init(
    for sequences: [MusicSequence], settings: SessionSettings,
    cache: LevelCache? = .standard, limit: Int64 = usualLimit
  ) throws {
    let end = DeadlineWait.now + limit
    let first = settings.soundFonts.first
    self.init(
      otherwise: first.map { SoundFontCatalog.loudness(ofFontAt: $0.path) } ?? 0,
      bankMode: settings.bankMode)
    ownPresets = settings.embeddedBank.map { [$0.layer].ownPresets } ?? OwnPresets()
    let place = cache?.place(for: settings)
    profiles = place?.read() ?? [:]
    let sounds = try Self.sounds(of: sequences, in: settings.bankMode, ownPresets)
    let missing = sounds.filter { profiles[$0] == nil }
    guard !missing.isEmpty, limit > 0 else { return }
    let known = count
    try measure(missing, settings, until: end)
    if count > known { place?.write(profiles) }
  }

  private mutating func measure(
    _ sounds: [Sound], _ settings: SessionSettings, until end: Int64
  ) throws {
    let programs = Set(sounds.map { Int($0.program) })
    do {
      let probe = try LevelProbe(settings, programs: programs)
      for sound in sounds where DeadlineWait.now < end {
        profiles[sound] = try probe.profile(of: sound)
      }
    } catch SoundFileError.meterMissing {
      return
    }
  }

  /// The sounds that songs play, grouped by preset, because a preset is read when it is selected:
  /// first the most used preset, and its most used sound.
  private static func sounds(
    of sequences: [MusicSequence], in mode: BankMode, _ ownPresets: OwnPresets
  ) throws -> [Sound] {
    var weights: [Sound: Double] = [:]
    for sequence in sequences {
      for note in try HeardNote.notes(of: sequence, in: mode, ownPresets) {
        weights[note.sound, default: 0] += note.power * Double(note.stepCount)
      }
    }
    var presets: [[UInt8]: Double] = [:]
    for (sound, weight) in weights { presets[[sound.bank, sound.program], default: 0] += weight }
    let ordered = weights.sorted { one, other in
      let (first, second) = (one.key, other.key)
      let mine = presets[[first.bank, first.program]] ?? 0
      let others = presets[[second.bank, second.program]] ?? 0
      if mine != others { return mine > others }
      if (first.bank, first.program) != (second.bank, second.program) { return first < second }
      return one.value != other.value ? one.value > other.value : first < second
    }
    return ordered.map(\.key)
  }
}
