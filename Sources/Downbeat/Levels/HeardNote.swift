// SPDX-License-Identifier: Apache-2.0
internal import Glibc
internal import MIDIMessages
internal import MusicSequences
internal import MusicalTime

/// A note as `LoudnessEstimate` uses it: its sound, duration, power and decay.
struct HeardNote {
  /// A tenth of a second, in nanoseconds.
  static let step: Int64 = 100_000_000
  /// Four hours of steps; later notes do not change a song's level.
  static let stepLimit = 144_000

  /// The sound that plays it.
  let sound: SoundFontLevels.Sound
  /// The tenth of a second in which it begins.
  let start: Int
  /// The tenths of a second for which it is held, at least 1; 3 for a drum.
  let stepCount: Int
  /// Its power at the start, relative to a note of full velocity, volume and expression.
  let power: Double
  /// The factor by which its power changes in a tenth of a second.
  let fall: Double

  /// The notes of a sequence, in order of their ends.
  ///
  /// - Parameters:
  ///   - sequence: The sequence.
  ///   - mode: The bank mode that the user has chosen.
  ///   - ownPresets: The presets of the bank in the song's own file.
  /// - Returns: The notes.
  /// - Throws: `SequenceError.outOfRange` if a tempo map does not fit 64 bits.
  /// - Complexity: O(n) in the number of events.
  static func notes(
    of sequence: MusicSequence, in mode: BankMode, _ ownPresets: OwnPresets = OwnPresets()
  ) throws(SequenceError) -> [HeardNote] {
    let sequence = sequence.withWholeSysEx
    var ports: [UInt8: Hearing] = [:]
    var heard: [HeardNote] = []
    var cursor = SequenceCursor(playing: sequence)
    var times = try sequence.tempoMap.makeCursor()
    while let event = cursor.next(before: Tick(.max)) {
      switch event.kind {
      case .message(let message):
        // A time past 292 years is past the limit too.
        guard let time = time(of: event.tick, &times), time < stepLimit else { return heard }
        ports[event.port, default: Hearing(mode, ownPresets)].take(message, at: time, &heard)
      case .sysEx(let place):
        let bytes = sequence.tracks[Int(event.track)].payload(place)
        ports[event.port, default: Hearing(mode, ownPresets)].programs.take(sysEx: bytes[...])
      default: break
      }
    }
    return heard
  }

  private static func time(of tick: Tick, _ times: inout TempoMap.Cursor) -> Int? {
    do {
      return Int(try times.mediaTime(at: tick, rounding: .floor).value.nanoseconds / step)
    } catch {
      return nil
    }
  }

  /// The factor by which a held note's power changes in a tenth of a second; short strings decay
  /// faster.
  fileprivate static func fall(of program: UInt8, key: UInt8) -> Double {
    switch program {
    case 8...15, 45, 47, 55, 104...108, 112...119: 0.55
    case 0...7, 24...39, 46: pow(10, -0.16 * exp2((Double(key) - 60) / 20))
    default: 1
    }
  }

}

/// The state of the channels, and the notes that have ended.
private struct Hearing {
  private var held: [Int: (start: Int, power: Double, choice: ProgramChoice)] = [:]
  var programs: PortPrograms
  private var volumes = [Double](repeating: 100, count: 16)
  private var expressions = [Double](repeating: 127, count: 16)

  init(_ mode: BankMode, _ ownPresets: OwnPresets) {
    programs = PortPrograms(mode, ownPresets: ownPresets)
  }

  mutating func take(_ message: Message, at step: Int, _ notes: inout [HeardNote]) {
    let channel = Int(message.status & 0x0F)
    let note = channel << 7 | Int(message.data1)
    switch message.status & 0xF0 {
    case 0x90 where message.data2 > 0:
      end(note, at: step, &notes)
      let level = Double(message.data2) * volumes[channel] * expressions[channel]
      // FluidSynth squares each of the three for the amplitude.
      let choice = programs[Channel(index: message.status & 0x0F)]
      held[note] = (step, pow(level / 2_048_383, 4), choice)
    case 0x80, 0x90: end(note, at: step, &notes)
    case 0xC0: programs.take(message)
    case 0xB0 where message.data1 == 0 || message.data1 == 32: programs.take(message)
    case 0xB0 where message.data1 == 7: volumes[channel] = Double(message.data2)
    case 0xB0 where message.data1 == 11: expressions[channel] = Double(message.data2)
    default: break
    }
  }

  private mutating func end(_ note: Int, at step: Int, _ notes: inout [HeardNote]) {
    guard let (start, power, choice) = held.removeValue(forKey: note) else { return }
    let key = UInt8(note & 0x7F)
    notes.append(
      HeardNote(
        sound: choice.isDrums
          ? SoundFontLevels.Sound(drum: key, kit: choice.program)
          : SoundFontLevels.Sound(near: key, program: choice.program, bank: choice.bank),
        start: start, stepCount: choice.isDrums ? 3 : max(step - start, 1), power: power,
        fall: choice.isDrums ? 0.15 : HeardNote.fall(of: choice.program, key: key)))
  }
}
