// SPDX-License-Identifier: Apache-2.0
internal import Glibc
internal import MIDIMessages
public import MusicSequences
internal import MusicalTime

/// How loud a song will be, from its notes alone: nothing is rendered.
///
/// Every note adds its power for as long as it sounds, as if all instruments were equally loud at
/// one velocity, which those of our own font are. The mean is gated as ITU-R BS.1770-4 gates a
/// programme's. Within 3 LU of what nearly every song measures with our font at gain 1.
public struct LoudnessEstimate: Sendable {
  /// A note of velocity 127 at full volume and expression, in LUFS, at gain 1.
  private static let fullNote = -20.0
  /// A tenth of a second, in nanoseconds.
  private static let step: Int64 = 100_000_000
  /// Four hours; what lies behind them does not change the gain.
  private static let stepLimit = 144_000

  /// Integrated loudness in LUFS, or nil where there is no note.
  public let integrated: Double?

  /// Estimates the loudness of sequences that are played one after the other.
  ///
  /// - Throws: `SequenceError.outOfRange` where a tempo map does not fit 64 bits.
  /// - Complexity: O(n) in the number of events and the length in tenths of a second.
  public init(_ sequences: [MusicSequence]) throws(SequenceError) {
    var powers: [Double] = []
    for sequence in sequences { powers += try Self.powers(of: sequence) }
    integrated = Self.gated(powers)
  }

  /// The gain that brings the song to a loudness.
  ///
  /// - Parameter target: the loudness in LUFS.
  /// - Returns: a linear factor, of −12…30 dB in tenths; 1 where the song is silent.
  public func gain(to target: Double) -> Float {
    guard let integrated else { return 1 }
    return Self.gain(from: min(integrated, target + 12), to: target)
  }

  /// The gain that brings a sound of a loudness to another.
  ///
  /// - Parameters:
  ///   - loudness: its own, in LUFS.
  ///   - target: that which it is to have, in LUFS.
  /// - Returns: a linear factor of tenths of a decibel, 30 dB at most: what is softer than that is
  ///   meant to be soft.
  public static func gain(from loudness: Double, to target: Double) -> Float {
    // In tenths, lest a mathematical library's last bit be in the samples.
    let decibels = ((target - loudness) * 10).rounded() / 10
    return Float(pow(10, min(30, decibels) / 20))
  }

  /// The power of what sounds in each tenth of a second.
  private static func powers(of sequence: MusicSequence) throws(SequenceError) -> [Double] {
    var hearing = Hearing()
    var cursor = SequenceCursor(playing: sequence)
    var times = try sequence.tempoMap.makeCursor()
    while let event = cursor.next(before: Tick(.max)) {
      guard case .message(let message) = event.kind else { continue }
      // A time past 292 years is past the limit too.
      guard let time = Self.time(of: event.tick, &times), time < stepLimit else { break }
      hearing.take(message, at: time)
    }
    return hearing.powers
  }

  private static func time(of tick: Tick, _ times: inout TempoMap.Cursor) -> Int? {
    do {
      return Int(try times.mediaTime(at: tick, rounding: .floor).value.nanoseconds / step)
    } catch {
      return nil
    }
  }

  /// The mean over blocks of 400 ms that are within 10 LU of the mean of all that are audible.
  private static func gated(_ powers: [Double]) -> Double? {
    let blocks = powers.indices.dropLast(min(3, powers.count)).map { start in
      powers[start..<start + 4].reduce(0, +) / 4
    }
    let audible = (blocks.isEmpty ? powers : Array(blocks)).filter { loudness($0) > -70 }
    guard !audible.isEmpty else { return nil }
    let gate = loudness(mean(audible)) - 10
    return loudness(mean(audible.filter { loudness($0) > gate }))
  }

  private static func mean(_ values: [Double]) -> Double {
    values.reduce(0, +) / Double(max(values.count, 1))
  }

  private static func loudness(_ power: Double) -> Double {
    fullNote + 10 * log10(max(power, 1e-12))
  }

  /// The state of the channels, and the power of what has sounded in each tenth of a second.
  private struct Hearing {
    var powers: [Double] = []
    private var notes: [Int: (start: Int, power: Double)] = [:]
    private var programs = [UInt8](repeating: 0, count: 16)
    private var volumes = [Double](repeating: 100, count: 16)
    private var expressions = [Double](repeating: 127, count: 16)

    mutating func take(_ message: Message, at step: Int) {
      let channel = Int(message.status & 0x0F)
      let note = channel << 7 | Int(message.data1)
      switch message.status & 0xF0 {
      case 0x90 where message.data2 > 0:
        end(note, at: step)
        let level = Double(message.data2) * volumes[channel] * expressions[channel]
        // FluidSynth squares each of the three for the amplitude.
        notes[note] = (step, pow(level / 2_048_383, 4))
      case 0x80, 0x90: end(note, at: step)
      case 0xC0: programs[channel] = message.data1
      case 0xB0 where message.data1 == 7: volumes[channel] = Double(message.data2)
      case 0xB0 where message.data1 == 11: expressions[channel] = Double(message.data2)
      default: break
      }
    }

    private mutating func end(_ note: Int, at step: Int) {
      guard let (start, power) = notes.removeValue(forKey: note) else { return }
      let channel = note >> 7
      let fall = channel == 9 ? 0.15 : Self.fall(of: programs[channel], key: note & 0x7F)
      let last = min(channel == 9 ? start + 3 : max(step, start + 1), LoudnessEstimate.stepLimit)
      if powers.count < last { powers += Array(repeating: 0, count: last - powers.count) }
      var rest = power
      for place in start..<max(start, last) where rest > 1e-9 {
        powers[place] += rest
        rest *= fall
      }
    }

    /// What is left of a held note's power after a tenth of a second; short strings fall faster.
    private static func fall(of program: UInt8, key: Int) -> Double {
      switch program {
      case 8...15, 45, 47, 55, 104...108, 112...119: 0.55
      case 0...7, 24...39, 46: pow(10, -0.16 * exp2(Double(key - 60) / 20))
      default: 1
      }
    }
  }
}
