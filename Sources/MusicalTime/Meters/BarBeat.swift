// SPDX-License-Identifier: Apache-2.0

/// A position as bar, beat and part of a beat.
///
/// Bars and beats are counted from 1, and subbeats from 0. Bar 0 and negative bars precede bar 1,
/// as a pickup or count-in does. A beat is one note of the meter's denominator: a bar in 6/8 has
/// six.
public struct BarBeat: Hashable, BitwiseCopyable, Sendable {
  /// The bar; the first complete bar is 1.
  public var bar: Int32
  /// The beat in the bar, from 1.
  public var beat: UInt16
  /// The part of the beat, from 0 to `divisor` − 1.
  public var subbeat: UInt16
  /// The number of parts per beat; above zero.
  public var divisor: UInt16

  /// Creates a position.
  ///
  /// - Parameters:
  ///   - bar: The bar; the first complete bar is 1.
  ///   - beat: The beat in the bar, from 1.
  ///   - subbeat: The part of the beat, from 0 (the default).
  ///   - divisor: The number of parts per beat; above zero, 480 by default.
  public init(bar: Int32, beat: UInt16, subbeat: UInt16 = 0, divisor: UInt16 = 480) {
    self.bar = bar
    self.beat = beat
    self.subbeat = subbeat
    self.divisor = divisor
  }
}

extension BarBeat: CustomStringConvertible {
  /// The position as `bar|beat|subbeat/divisor`.
  public var description: String { "\(bar)|\(beat)|\(subbeat)/\(divisor)" }
}
