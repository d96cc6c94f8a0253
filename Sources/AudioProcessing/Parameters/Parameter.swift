// SPDX-License-Identifier: Apache-2.0

/// What can be set on a unit: a number with a name, a measure and a range.
public struct Parameter: Hashable, Sendable {
  /// What a value is counted in.
  public enum Measure: String, Hashable, Sendable {
    /// A linear factor; 1 leaves the sound alone.
    case factor
    /// Decibels; 0 leaves the sound alone.
    case decibels = "dB"
    /// A place between left, −1, and right, 1.
    case position
    /// Cycles a second.
    case hertz = "Hz"
    /// Hundredths of a semitone.
    case cents
    /// Degrees of a circle.
    case degrees
    /// Metres.
    case metres = "m"
    /// Seconds.
    case seconds = "s"
    /// A plain number, such as a quality or a speed.
    case number
    /// 0 for off, 1 for on; while it moves it is partly on.
    case toggle
  }

  /// The parameter's name, unique within its unit.
  public let name: String
  /// What its value is counted in.
  public let measure: Measure
  /// The values it can take.
  public let range: ClosedRange<Float>
  /// The value of a fresh unit.
  public let initialValue: Float
  /// How long a change takes that names no time of its own, in seconds.
  public let rampSeconds: Double

  /// Describes a parameter; without a ramp a change takes 5 ms.
  ///
  /// - Precondition: the initial value lies within the range.
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

  /// A value brought into the range; what is no number becomes the initial value.
  public func held(_ value: Float) -> Float {
    value.isNaN ? initialValue : min(range.upperBound, max(range.lowerBound, value))
  }
}
