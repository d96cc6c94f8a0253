// SPDX-License-Identifier: Apache-2.0

/// A position as people count it: bar, beat and a part of a beat.
///
/// Bars and beats count from 1, subbeats from 0; bar 0 and below lie before bar 1 (a pickup, a
/// count-in). A beat is one denominator note of the meter: in 6/8 there are six.
public struct BarBeat: Hashable, BitwiseCopyable, Sendable {
  /// The bar; bar 1 is the first whole one.
  public var bar: Int32
  /// The beat in the bar, from 1.
  public var beat: UInt16
  /// The part of the beat, 0..<`divisor`.
  public var subbeat: UInt16
  /// The number of parts in a beat; above zero.
  public var divisor: UInt16

  /// Creates a position.
  ///
  /// - Parameters:
  ///   - bar: The bar; 1 is the first whole one.
  ///   - beat: The beat, from 1.
  ///   - subbeat: The part of the beat, from 0.
  ///   - divisor: The number of parts in a beat; above zero.
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
