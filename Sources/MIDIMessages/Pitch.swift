// SPDX-License-Identifier: Apache-2.0

/// A pitch with a resolution of 1/16,384 of a semitone (0.006 cents).
///
/// The range is from key 0 to 1/16,384 of a semitone below key 128, in equal temperament. A pitch
/// is relative to the concert pitch: `Pitch(Key(69))` is the A above middle C, whose frequency can
/// be chosen.
///
/// Source: MIDI Tuning Standard (CA-020), frequency data format.
public struct Pitch: Hashable, Comparable, BitwiseCopyable, Sendable {
  /// The number of steps in a semitone.
  public static let stepsPerSemitone: Int32 = 16_384

  /// The number of steps above key 0, 0…2,097,150.
  ///
  /// In the standard, 2,097,151 means "no change".
  public let steps: Int32

  /// Creates a pitch from a number of steps, or returns nil if it is out of range.
  public init?(steps: Int32) {
    guard (0..<128 * Self.stepsPerSemitone - 1).contains(steps) else { return nil }
    self.steps = steps
  }

  /// Creates the pitch of a key.
  public init(_ key: Key) {
    steps = Int32(key.number) * Self.stepsPerSemitone
  }

  /// Creates the pitch of a key detuned by a number of cents, rounded to the nearest step, or
  /// returns nil if it is out of range.
  public init?(_ key: Key, cents: Double) {
    self.init(semitones: Double(key.number) + cents / 100)
  }

  /// Creates the pitch of a frequency, rounded to the nearest step, or returns nil if it is out of
  /// range.
  ///
  /// - Parameters:
  ///   - hertz: The frequency, 8.18…13,289 for a concert pitch of 440 Hz.
  ///   - concertPitch: The frequency of the A above middle C, key 69; 440 Hz by default.
  public init?(hertz: Double, concertPitch: Double = 440) {
    guard hertz > 0, concertPitch > 0, (hertz / concertPitch).isFinite else { return nil }
    self.init(semitones: 69 + 12 * Self.octaves(of: hertz / concertPitch))
  }

  private init?(semitones: Double) {
    let steps = (semitones * Double(Self.stepsPerSemitone)).rounded()
    guard steps.magnitude < 1e9 else { return nil }
    self.init(steps: Int32(steps))
  }

  /// The key nearest to the pitch; the higher one if two keys are equally near.
  public var nearestKey: Key {
    Key(UInt8(min(127, (steps + Self.stepsPerSemitone / 2) / Self.stepsPerSemitone)))
  }

  /// The difference from the nearest key in cents, −50 to below 50.
  ///
  /// For key 127, it can be up to 100.
  public var cents: Double {
    Double(steps - Pitch(nearestKey).steps) * 100 / Double(Self.stepsPerSemitone)
  }

  /// Returns the frequency in hertz, for a given frequency of key 69 (the concert pitch).
  public func hertz(concertPitch: Double = 440) -> Double {
    concertPitch * Self.factor(of: Double(steps) / Double(12 * Self.stepsPerSemitone) - 69.0 / 12)
  }

  /// Returns true if the left pitch is lower than the right one.
  public static func < (left: Pitch, right: Pitch) -> Bool { left.steps < right.steps }
}

extension Pitch {
  /// The binary logarithm of a ratio, with one bit for each squaring, because this module does not
  /// use a C library.
  ///
  /// The error is at most 2⁻³⁰ of an octave, 1/4000 of a step.
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

  /// Two to the power of a number of octaves, with one square root for each bit of the fraction.
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
