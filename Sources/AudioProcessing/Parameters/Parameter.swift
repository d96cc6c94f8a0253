// SPDX-License-Identifier: Apache-2.0

/// The description of a parameter of a unit: a name, a measure, a range and an initial value.
public struct Parameter: Hashable, Sendable {
  /// The unit of measurement of a parameter's value.
  public enum Measure: String, Hashable, Sendable {
    /// A linear factor; 1 does not change the sound.
    case factor
    /// Decibels; 0 dB does not change the sound.
    case decibels = "dB"
    /// A position between left (−1) and right (1).
    case position
    /// Hertz: cycles per second.
    case hertz = "Hz"
    /// Cents: hundredths of a semitone.
    case cents
    /// Degrees of an angle.
    case degrees
    /// Metres.
    case metres = "m"
    /// Seconds.
    case seconds = "s"
    /// A number without a unit, such as a Q or a speed.
    case number
    /// A switch: 0 is off and 1 is on.
    ///
    /// During a ramp the value is between 0 and 1, and the switch is partly on.
    case toggle
  }

  /// The parameter's name, unique within its unit.
  public let name: String
  /// The unit of measurement of the value.
  public let measure: Measure
  /// The range of values.
  public let range: ClosedRange<Float>
  /// The value in a new unit.
  public let initialValue: Float
  /// The default duration of a change, in seconds.
  public let rampSeconds: Double

  /// Creates a description; by default a change takes 5 ms.
  ///
  /// - Precondition: the initial value is in the range.
  public init(
    _ name: String, _ measure: Measure, _ range: ClosedRange<Float>, initially value: Float,
    rampSeconds: Double = 0.005
  ) {
    precondition(range.contains(value), "the initial value must be in the range")
    self.name = name
    self.measure = measure
    self.range = range
    initialValue = value
    self.rampSeconds = rampSeconds
  }

  /// Returns a value limited to the parameter's range; NaN becomes the initial value.
  public func held(_ value: Float) -> Float {
    value.isNaN ? initialValue : min(range.upperBound, max(range.lowerBound, value))
  }
}
