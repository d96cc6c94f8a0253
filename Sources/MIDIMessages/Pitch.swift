// SPDX-License-Identifier: Apache-2.0

/// A pitch: a key, or what lies between two, to 1/16,384 of a semitone (0.006 cents).
///
/// Range: key 0 to 1/16,384 of a semitone below key 128, in equal temperament. A pitch knows no
/// concert pitch: `Key(69)` is the A, whatever its frequency.
///
/// Source: MIDI Tuning Standard (CA-020), frequency data format.
public struct Pitch: Hashable, Comparable, BitwiseCopyable, Sendable {
  /// The steps of a semitone.
  public static let stepsPerSemitone: Int32 = 16_384

  /// Steps above key 0, 0…2,097,150; the one after them is the standard's word for no change.
  public let steps: Int32

  /// Creates a pitch from its steps; nil where they are out of range.
  public init?(steps: Int32) {
    guard (0..<128 * Self.stepsPerSemitone - 1).contains(steps) else { return nil }
    self.steps = steps
  }

  /// The pitch of a key.
  public init(_ key: Key) {
    steps = Int32(key.number) * Self.stepsPerSemitone
  }

  /// A key and the cents by which it is detuned, rounded to the nearest step; nil where that is out
  /// of range.
  public init?(_ key: Key, cents: Double) {
    self.init(semitones: Double(key.number) + cents / 100)
  }

  /// The pitch of a frequency, rounded to the nearest step; nil where it is out of range.
  ///
  /// - Parameters:
  ///   - hertz: the frequency, 8.18…13,289 at 440 Hz.
  ///   - concertPitch: the frequency of the A above middle C, key 69.
  public init?(hertz: Double, concertPitch: Double = 440) {
    guard hertz > 0, concertPitch > 0, (hertz / concertPitch).isFinite else { return nil }
    self.init(semitones: 69 + 12 * Self.octaves(of: hertz / concertPitch))
  }

  private init?(semitones: Double) {
    let steps = (semitones * Double(Self.stepsPerSemitone)).rounded()
    guard steps.magnitude < 1e9 else { return nil }
    self.init(steps: Int32(steps))
  }

  /// The key that is nearest; of two the higher, where there is one.
  public var nearestKey: Key {
    Key(UInt8(min(127, (steps + Self.stepsPerSemitone / 2) / Self.stepsPerSemitone)))
  }

  /// The cents by which the nearest key is detuned, −50 to below 50; above key 127 to below 100.
  public var cents: Double {
    Double(steps - Pitch(nearestKey).steps) * 100 / Double(Self.stepsPerSemitone)
  }

  /// The frequency, where key 69 has the concert pitch.
  public func hertz(concertPitch: Double = 440) -> Double {
    concertPitch * Self.factor(of: Double(steps) / Double(12 * Self.stepsPerSemitone) - 69.0 / 12)
  }

  /// Whether a pitch is lower.
  public static func < (left: Pitch, right: Pitch) -> Bool { left.steps < right.steps }
}

extension Pitch {
  /// The binary logarithm of a ratio, a bit for each squaring: this module knows no C library.
  ///
  /// It is right to 2⁻³⁰ of an octave, a four thousandth of a step.
  private static func octaves(of ratio: Double) -> Double {
    var (octaves, rest, place) = (Double(ratio.exponent), ratio.significand, 0.5)
    for _ in 0..<32 {
      rest *= rest
      if rest >= 2 {
        rest /= 2
        octaves += place
      }
      place /= 2
    }
    return octaves
  }

  /// Two to the power of a number of octaves, a square root for each bit of its fraction.
  private static func factor(of octaves: Double) -> Double {
    let whole = octaves.rounded(.down)
    var (factor, root, rest) = (1.0, 2.0, octaves - whole)
    for _ in 0..<52 {
      root = root.squareRoot()
      rest *= 2
      if rest >= 1 {
        rest -= 1
        factor *= root
      }
    }
    return Double(sign: .plus, exponent: Int(whole), significand: factor)
  }
}
