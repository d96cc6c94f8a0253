public import MIDIMessages
public import MusicSequences
internal import MusicalTime
// SPDX-License-Identifier: Apache-2.0
public import SoundFontInstruments

/// Determines which presets and notes of a song the soundfonts cannot play.
///
/// The song is not played: a model of Downbeat's voices receives its events.
public struct FontFit: Sendable {
  /// The presets that notes use but the soundfonts do not have, without duplicates.
  public private(set) var missing: [MissingPreset] = []
  /// The notes that would be silent, in groups by key, in the order of the first note of each
  /// group.
  public private(set) var unplayable: [UnplayableNotes] = []
  /// The number of notes that would be silent.
  public var silentCount: Int { unplayable.reduce(0) { $0 + $1.count } }

  /// Identifies an element of `unplayable`.
  private struct Place: Hashable {
    let port: UInt8
    let channel: Channel
    let preset: [Int]
    let key: Key
    let reason: FontRehearsal.Silence
  }

  private var places: [Place: Int] = [:]

  /// Examines songs.
  ///
  /// - Parameters:
  ///   - sequences: The songs, or the patterns of one song; all channels are reset before each
  ///     sequence.
  ///   - bank: The presets of the soundfonts.
  ///   - mode: The bank mode.
  /// - Throws: `InstrumentError` if there is too little memory.
  /// - Complexity: O(n) in the events, and for each note O(m) in the number of zones of its preset.
  public init(
    _ sequences: [MusicSequence], with bank: FontBank, in mode: BankMode = .auto
  ) throws(InstrumentError) {
    for sequence in sequences { try add(sequence, bank, mode) }
  }

  private mutating func add(
    _ sequence: MusicSequence, _ bank: FontBank, _ mode: BankMode
  ) throws(InstrumentError) {
    var sequence = sequence.withWholeSysEx
    for index in sequence.tracks.indices { sequence.tracks[index].settings.loop = nil }
    var ports: [UInt8: FontRehearsal] = [:]
    var cursor = SequenceCursor(playing: sequence)
    while let event = cursor.next(before: Tick(.max)) {
      guard event.port < TrackPorts.limit else { continue }
      let rehearsal: FontRehearsal
      if let known = ports[event.port] {
        rehearsal = known
      } else {
        rehearsal = try FontRehearsal(bank, mode)
        ports[event.port] = rehearsal
      }
      switch event.kind {
      case .message(let message):
        rehearsal.take(message)
        if event.release != nil { strike(message, event, rehearsal) }
      case .sysEx(let place):
        rehearsal.take(sysEx: sequence.tracks[Int(event.track)].payload(place))
      default: break
      }
    }
  }

  private mutating func strike(
    _ message: Message, _ event: CursorEvent, _ rehearsal: FontRehearsal
  ) {
    let channel = Channel(index: message.status & 0x0F)
    let key = Key(message.data1)
    if let preset = rehearsal.missingPreset(on: channel),
      !missing.contains(where: { ($0.bank, $0.program) == (preset.bank, preset.program) })
    {
      missing.append(preset)
    }
    guard let reason = rehearsal.silence(of: key, velocity: message.data2, on: channel) else {
      return
    }
    let (bank, program) = rehearsal.preset(on: channel)
    let place = Place(
      port: event.port, channel: channel, preset: [bank, program], key: key, reason: reason)
    if let known = places[place] {
      unplayable[known].count += 1
      return
    }
    places[place] = unplayable.count
    unplayable.append(
      UnplayableNotes(
        port: event.port, channel: channel, bank: bank, program: program, key: key,
        reason: reason, firstTick: event.tick))
  }
}
