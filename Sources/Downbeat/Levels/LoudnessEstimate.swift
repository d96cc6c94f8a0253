// SPDX-License-Identifier: Apache-2.0
internal import Glibc
public import MusicSequences

/// How loud a song will be, from its notes alone: nothing of it is rendered.
///
/// Every note adds its power for as long as it sounds. The power is the one that `SoundFontLevels`
/// measured; where it measured none, all instruments count as equally loud at one velocity, as
/// those of our own font about are. The mean is gated as ITU-R BS.1770-4 gates a programme's. With
/// measured levels the estimate is within 2.5 LU of what a song measures at gain 1; without them
/// within 3 LU for our own font, and 10 for others.
public struct LoudnessEstimate: Sendable {
  /// A note of velocity 127 at full volume and expression, in LUFS, at gain 1.
  static let fullNote = -20.0

  /// Integrated loudness in LUFS, or nil where there is no note.
  public let integrated: Double?

  /// Estimates the loudness of sequences that are played one after the other.
  ///
  /// - Parameters:
  ///   - sequences: the sequences.
  ///   - levels: how loud the fonts play from which the sequences are played.
  /// - Throws: `SequenceError.outOfRange` where a tempo map does not fit 64 bits.
  /// - Complexity: O(n) in the number of events and the notes' lengths in tenths of a second.
  public init(
    _ sequences: [MusicSequence], levels: SoundFontLevels = SoundFontLevels()
  ) throws(SequenceError) {
    var powers: [Double] = []
    for sequence in sequences {
      let notes = try HeardNote.notes(of: sequence, in: levels.bankMode, levels.ownPresets)
      powers += Self.powers(of: notes, levels)
    }
    integrated = Self.gated(powers)
  }

  /// The gain that brings the song to a loudness.
  ///
  /// - Parameter target: the loudness in LUFS.
  /// - Returns: a linear factor, −12…30 dB in whole tenths of a decibel; 1 where the song is
  ///   silent.
  public func gain(to target: Double) -> Float {
    guard let integrated else { return 1 }
    return Self.gain(from: min(integrated, target + 12), to: target)
  }

  /// The gain that brings a sound of a loudness to another.
  ///
  /// - Parameters:
  ///   - loudness: its own, in LUFS.
  ///   - target: that which it is to have, in LUFS.
  /// - Returns: a linear factor of whole tenths of a decibel, at most 30 dB: a sound that would
  ///   need more is meant to be soft.
  public static func gain(from loudness: Double, to target: Double) -> Float {
    // In tenths, lest a mathematical library's last bit be in the samples.
    let decibels = ((target - loudness) * 10).rounded() / 10
    return Float(pow(10, min(30, decibels) / 20))
  }

  /// The power of what sounds in each tenth of a second.
  private static func powers(of notes: [HeardNote], _ levels: SoundFontLevels) -> [Double] {
    var powers: [Double] = []
    for note in notes {
      for (index, power) in levels.powers(of: note).enumerated() {
        let step = note.start + index
        if powers.count <= step {
          powers += Array(repeating: 0, count: step + 1 - powers.count)
        }
        powers[step] += power
      }
    }
    return powers
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
}
