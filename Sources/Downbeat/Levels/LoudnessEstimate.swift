// SPDX-License-Identifier: Apache-2.0
internal import Glibc
public import MusicSequences

/// The loudness of a song, estimated from its notes without rendering.
///
/// Each note adds the power that `SoundFontLevels` measured, for the duration of the note. Without
/// a measurement, all instruments are assumed to be equally loud at the same velocity, which is
/// approximately true of Downbeat's font. The mean is gated as in ITU-R BS.1770-4. With measured
/// levels the estimate is within 2.5 LU of the loudness at gain 1; without measured levels it is
/// within 3 LU for Downbeat's font, and within 10 LU for other fonts.
public struct LoudnessEstimate: Sendable {
  /// The loudness of a note of velocity 127 at full volume and expression, in LUFS, at gain 1.
  static let fullNote = -20.0

  /// The integrated loudness in LUFS; nil if the song does not have audible notes.
  public let integrated: Double?

  /// Estimates the loudness of sequences that are played in order.
  ///
  /// - Parameters:
  ///   - sequences: The sequences.
  ///   - levels: The levels of the fonts that play the sequences.
  /// - Throws: `SequenceError.outOfRange` if a tempo map does not fit 64 bits.
  /// - Complexity: O(n) in the number of events and in the total length of the notes.
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

  /// Returns the gain at which the song reaches a target loudness.
  ///
  /// - Parameter target: The loudness to reach, in LUFS.
  /// - Returns: A linear factor that corresponds to −12…30 dB in steps of 0.1 dB; 1 if the song is
  ///   silent.
  public func gain(to target: Double) -> Float {
    guard let integrated else { return 1 }
    return Self.gain(from: min(integrated, target + 12), to: target)
  }

  /// Returns the gain that changes a sound from one loudness to another.
  ///
  /// - Parameters:
  ///   - loudness: The loudness of the sound, in LUFS.
  ///   - target: The loudness to reach, in LUFS.
  /// - Returns: A linear factor that corresponds to steps of 0.1 dB, at most 30 dB, because a sound
  ///   that would need more is probably meant to be soft.
  public static func gain(from loudness: Double, to target: Double) -> Float {
    // Rounding to tenths keeps differences between mathematical libraries out of the samples.
    let decibels = ((target - loudness) * 10).rounded() / 10
    return Float(pow(10, min(30, decibels) / 20))
  }

  /// The total power in each tenth of a second.
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

  /// The mean over blocks of 400 ms that are at most 10 LU below the mean of all audible blocks.
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
