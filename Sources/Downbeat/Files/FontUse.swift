// SPDX-License-Identifier: Apache-2.0
public import MIDIMessages
public import MusicSequences
internal import MusicalTime
internal import SequencePlayback
public import SoundFontFiles
public import SoundFontInstruments

/// The presets of soundfonts that songs play, with their keys and velocities.
///
/// The songs are not played: a model of Downbeat's own voices receives every message and records
/// the notes. A song is examined as it is stored: not transposed, from start to end, with every
/// track that is not muted. A note is included even if no voice would be free to play it.
public struct FontUse: Sendable {
  /// A bank and a program.
  package struct Number: Hashable, Comparable, Sendable {
    /// The bank; 128 for drum kits.
    package let bank: Int
    /// The program, 0…127.
    package let program: Int

    /// Creates a number.
    ///
    /// - Parameters:
    ///   - bank: The bank; 128 for drum kits.
    ///   - program: The program, 0…127.
    package init(bank: Int, program: Int) { (self.bank, self.program) = (bank, program) }

    /// Returns true for a lower bank, or a lower program of the same bank.
    package static func < (a: Number, b: Number) -> Bool {
      (a.bank, a.program) < (b.bank, b.program)
    }
  }

  /// A preset that is played.
  package struct Preset: Hashable, Sendable {
    /// The index of its font among the layers.
    package let layer: Int
    /// Its number in the font.
    package let own: Number
    /// Its number as channels select it: with the bank offset of the layer.
    package let played: Number
    /// The notes, after key shifts and velocity sense, including silent ones.
    ///
    /// Empty if the preset only has to exist: its existence decides how an MT-32 is played.
    package let notes: NoteSet
    /// The presets that songs select, that no font has, and that this one plays, ascending.
    package let standsFor: [Number]
  }

  /// The soundfonts; if several contain the same preset, the first one plays it.
  public let layers: [SoundFontLayer]
  private let patches: FontBank
  private let mode: BankMode
  private let keepsLoudness: Bool
  /// False if presets must not also be stored under the numbers of missing ones, because a song for
  /// an MT-32 selects its presets by number.
  private(set) var standsIn = true
  private var notes: [Number: NoteSet] = [:]
  private var standIns: [Number: Set<Number>] = [:]
  /// The presets that songs select, and that no font has or can replace.
  private(set) var silences: Set<Number> = []

  /// Reads the presets of soundfonts.
  ///
  /// - Parameters:
  ///   - layers: The soundfonts; if several contain the same preset, the first one plays it.
  ///   - mode: The bank mode.
  ///   - keepsLoudness: True to include the notes with which `SoundFontLevels` measures the
  ///     presets, so that a trimmed font has the same automatic loudness.
  /// - Throws: `InstrumentError` if a font cannot be read.
  public init(
    of layers: [SoundFontLayer], in mode: BankMode = .auto, keepsLoudness: Bool = true
  ) throws(InstrumentError) {
    (self.layers, self.mode, self.keepsLoudness) = (layers, mode, keepsLoudness)
    patches = try FontBank(layers)
  }

  /// Adds the presets and notes of a song.
  ///
  /// - Parameter sequences: The sequence of the song, or its patterns.
  /// - Throws: `InstrumentError` if there is too little memory; `SequenceError` if the length of
  ///   the song does not fit 64 bits.
  /// - Complexity: O(n) in the number of events.
  public mutating func add(_ sequences: [MusicSequence]) throws {
    for sequence in sequences { try add(sequence) }
    guard sequences.count > 1 else { return }
    try add(MusicSequence(patterns: sequences))
  }

  /// Returns the notes that one of the fonts plays, to which the font can be trimmed.
  ///
  /// - Parameter layer: The index of the font among the layers.
  /// - Returns: The notes of each preset, with the bank and program numbers of the font.
  public func notes(ofLayer layer: Int) -> PlayedNotes {
    var played = PlayedNotes()
    for preset in presets where preset.layer == layer {
      played.insert(bank: preset.own.bank, program: preset.own.program, notes: preset.notes)
    }
    return played
  }

  /// The presets that are played, by layer, bank and program.
  package var presets: [Preset] {
    var presets: [Preset] = []
    var left = Set(notes.keys)
    for (index, layer) in layers.enumerated() {
      let numbers = Self.numbers(of: layer)
      for played in left {
        guard let own = numbers[played] else { continue }
        left.remove(played)
        presets.append(
          Preset(
            layer: index, own: own, played: played, notes: notes[played] ?? NoteSet(),
            standsFor: (standIns[played] ?? []).sorted()))
      }
    }
    return presets.sorted { ($0.layer, $0.own) < ($1.layer, $1.own) }
  }

  /// The number in the font of each number that channels can select.
  private static func numbers(of layer: SoundFontLayer) -> [Number: Number] {
    var numbers: [Number: Number] = [:]
    // The last of several presets with one number is played.
    for preset in layer.font.tables.presets where preset.program < 128 {
      guard let bank = layer.bank(of: preset.bank) else { continue }
      numbers[Number(bank: bank, program: preset.program)] = Number(
        bank: preset.bank, program: preset.program)
    }
    return numbers
  }

  private mutating func add(_ sequence: MusicSequence) throws {
    let everything = try PlayerScore(sequence).everything()
    let loads = NoteLoads(everything)
    // Each port is a module; in a rendered song several modules share the channels of a port.
    let ports = Set(everything.events.map(\.port))
    let whole = ports.map { EnsemblePart(channels: .max, port: $0) }
    let shares = EnsemblePart.byChannel(loads) + EnsemblePart.byTrack(loads)
    for part in Set(whole + shares) {
      let rehearsal = try StrikeRehearsal(patches, mode)
      for event in everything.events where part.plays(event) {
        switch event.payload {
        case .message(let message): rehearsal.take(message)
        case .sysEx(let place):
          let start = Int(place.offset)
          rehearsal.take(
            sysEx: everything.payloads.span.extracting(start..<start + Int(place.count)))
        default: break
        }
      }
      take(rehearsal)
    }
    if keepsLoudness { try addMeasuredNotes(of: sequence) }
  }

  /// Adds the notes by which the loudness of the song is estimated.
  private mutating func addMeasuredNotes(of sequence: MusicSequence) throws {
    let rehearsal = try StrikeRehearsal(patches, LevelProbe.bankMode)
    for sound in Set(try HeardNote.notes(of: sequence, in: mode, layers.ownPresets).map(\.sound)) {
      for message in LevelProbe.messages(for: sound) { rehearsal.take(message) }
    }
    take(rehearsal)
  }

  private mutating func take(_ rehearsal: StrikeRehearsal) {
    for struck in rehearsal.struck {
      notes[Number(bank: struck.bank, program: struck.program), default: NoteSet()]
        .formUnion(struck.notes)
    }
    if rehearsal.wasMT32 {
      standsIn = false
      for number in Self.timbres { notes[number, default: NoteSet()].formUnion(NoteSet()) }
    }
    silences.formUnion(rehearsal.silences.map { Number(bank: $0[0], program: $0[1]) })
    for substitution in rehearsal.substitutions {
      let played = Number(bank: substitution.playedBank, program: substitution.playedProgram)
      standIns[played, default: []].insert(
        Number(bank: substitution.bank, program: substitution.program))
    }
  }

  /// The presets by which a module detects that a font has the sounds of an MT-32.
  private static let timbres = [
    Number(bank: 127, program: 0), Number(bank: ProgramChoice.drumBank, program: 127),
  ]
}
