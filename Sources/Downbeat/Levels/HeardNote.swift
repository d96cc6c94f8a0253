// SPDX-License-Identifier: Apache-2.0
internal import Glibc
internal import MIDIMessages
internal import MusicSequences
internal import MusicalTime

/// A note as `LoudnessEstimate` hears it: what plays it, how long, how strong, and how it fades.
struct HeardNote {
  /// A tenth of a second, in nanoseconds.
  static let step: Int64 = 100_000_000
  /// Four hours of steps; what lies behind them does not change a song's level.
  static let stepLimit = 144_000

  /// What plays it.
  let sound: SoundFontLevels.Sound
  /// The tenth of a second in which it begins.
  let start: Int
  /// The tenths of a second in which it is held, 1 at least; of a drum three.
  let stepCount: Int
  /// Its power where it begins, as a share of that of a note of full velocity, volume and
  /// expression.
  let power: Double
  /// What is left of its power after a tenth of a second.
  let fall: Double

  /// The notes of a sequence, in order of their ends.
  ///
  /// - Throws: `SequenceError.outOfRange` where a tempo map does not fit 64 bits.
  /// - Complexity: O(n) in the number of events.
  static func notes(of sequence: MusicSequence) throws(SequenceError) -> [HeardNote] {
    var ports: [UInt8: Hearing] = [:]
    var heard: [HeardNote] = []
    var cursor = SequenceCursor(playing: sequence)
    var times = try sequence.tempoMap.makeCursor()
    let drums = sequence.portDrums
    while let event = cursor.next(before: Tick(.max)) {
      guard case .message(let message) = event.kind else { continue }
      // A time past 292 years is past the limit too.
      guard let time = time(of: event.tick, &times), time < stepLimit else { break }
      ports[event.port, default: Hearing()].take(
        message, at: time, drums: drums[Int(event.port)].channels(at: event.tick), &heard)
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

  /// What is left of a held note's power after a tenth of a second; short strings fall faster.
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
  private var held: [Int: (start: Int, power: Double, isDrum: Bool)] = [:]
  private var banks = [UInt8](repeating: 0, count: 16)
  /// The bank and the program that a channel plays: a bank counts from the next program on.
  private var presets = [(bank: UInt8, program: UInt8)](repeating: (0, 0), count: 16)
  private var volumes = [Double](repeating: 100, count: 16)
  private var expressions = [Double](repeating: 127, count: 16)

  mutating func take(
    _ message: Message, at step: Int, drums: UInt16, _ notes: inout [HeardNote]
  ) {
    let channel = Int(message.status & 0x0F)
    let note = channel << 7 | Int(message.data1)
    switch message.status & 0xF0 {
    case 0x90 where message.data2 > 0:
      end(note, at: step, &notes)
      let level = Double(message.data2) * volumes[channel] * expressions[channel]
      // FluidSynth squares each of the three for the amplitude.
      held[note] = (step, pow(level / 2_048_383, 4), drums >> UInt16(channel) & 1 != 0)
    case 0x80, 0x90: end(note, at: step, &notes)
    case 0xC0: presets[channel] = (banks[channel], message.data1)
    case 0xB0 where message.data1 == 0: banks[channel] = message.data2
    case 0xB0 where message.data1 == 7: volumes[channel] = Double(message.data2)
    case 0xB0 where message.data1 == 11: expressions[channel] = Double(message.data2)
    default: break
    }
  }

  private mutating func end(_ note: Int, at step: Int, _ notes: inout [HeardNote]) {
    guard let (start, power, isDrum) = held.removeValue(forKey: note) else { return }
    let (channel, key) = (note >> 7, UInt8(note & 0x7F))
    let (bank, program) = presets[channel]
    notes.append(
      HeardNote(
        sound: isDrum
          ? SoundFontLevels.Sound(drum: key, kit: program)
          : SoundFontLevels.Sound(near: key, program: program, bank: bank),
        start: start, stepCount: isDrum ? 3 : max(step - start, 1), power: power,
        fall: isDrum ? 0.15 : HeardNote.fall(of: program, key: key)))
  }
}
