// SPDX-License-Identifier: Apache-2.0
internal import AudioFiles
internal import MIDIMessages
public import MusicSequences
internal import Realtime
internal import SoundFontInstruments

extension SoundFontLevels {
  /// The time that measuring may take where no limit is given, in nanoseconds: 0.2 s.
  public static let usualLimit: Int64 = 200_000_000

  /// Measures the sounds that songs play, those that are heard the most first, as far as they were
  /// not measured before.
  ///
  /// Each takes a few milliseconds, and the reading of its samples. Sounds for which the time does
  /// not suffice are taken to be as loud as `SoundFontCatalog` says of the first font, and so are
  /// all sounds where libebur128 is not installed.
  ///
  /// - Parameters:
  ///   - sequences: the songs.
  ///   - settings: what the sound is made with.
  ///   - cache: where the levels are kept; nil keeps nothing.
  ///   - limit: nanoseconds after which no more is measured.
  /// - Throws: where a soundfont cannot be used, or a sequence's time does not fit 64 bits.
  /// - Complexity: O(n) in the number of events, and the measuring.
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

  /// What songs play, by presets, since a preset is read when it is chosen: first the preset that
  /// is heard the most, and its sounds likewise.
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
