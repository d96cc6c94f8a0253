// SPDX-License-Identifier: Apache-2.0
public import MusicalTime

/// A rule that calculates new velocities from the old ones.
///
/// Results are rounded to the nearest integer and limited to 1…127.
public struct VelocityCurve: Hashable, Sendable {
  enum Form: Hashable, Sendable {
    case linear(factor: Ratio, offset: Int64)
    case ramp(from: Ratio, to: Ratio)
    case points([Point])
  }

  let form: Form

  /// A pair of velocities through which a curve passes.
  public struct Point: Hashable, Sendable {
    /// The velocity before the change, 0…127.
    public var input: UInt8
    /// The velocity after the change, 0…127.
    public var output: UInt8

    /// Creates a point.
    public init(_ input: UInt8, _ output: UInt8) {
      self.input = input
      self.output = output
    }
  }

  /// Multiplies every velocity by a factor, then adds an offset.
  public static func scaled(by factor: Ratio, plus offset: Int64 = 0) -> VelocityCurve {
    VelocityCurve(form: .linear(factor: factor, offset: offset))
  }

  /// Gives every note the same velocity.
  public static func constant(_ velocity: UInt8) -> VelocityCurve {
    scaled(by: 0, plus: Int64(velocity))
  }

  /// Multiplies velocities by a factor that changes linearly with the tick: a crescendo or
  /// diminuendo.
  ///
  /// - Parameters:
  ///   - first: The factor at the start of the range.
  ///   - last: The factor at the end of the range.
  /// - Returns: The rule.
  public static func ramp(from first: Ratio, to last: Ratio) -> VelocityCurve {
    VelocityCurve(form: .ramp(from: first, to: last))
  }

  /// Maps velocities along straight lines between points.
  ///
  /// Below the first point and above the last, the output is constant. If several points have the
  /// same input, the last is used. Without points, velocities are not changed.
  public static func points(_ points: [Point]) -> VelocityCurve {
    let ordered = points.enumerated().sorted {
      ($0.element.input, $0.offset) < ($1.element.input, $1.offset)
    }
    var distinct: [Point] = []
    for (_, point) in ordered {
      if distinct.last?.input == point.input { distinct.removeLast() }
      distinct.append(point)
    }
    return VelocityCurve(form: .points(distinct))
  }

  /// The new velocity of a note at an offset from the start of the range.
  func velocity(
    of velocity: UInt8, at offset: UInt64, of length: UInt64
  ) throws(TimeError) -> UInt8 {
    let old = Ratio(Int64(velocity))
    let new: Ratio
    switch form {
    case .linear(let factor, let offset): new = try old * factor + Ratio(offset)
    case .ramp(let first, let last):
      let part = Ratio(Int64(clamping: offset), over: Int64(clamping: max(length, 1)))
      new = try old * (first + (last - first) * part)
    case .points(let points): new = try Self.value(of: old, on: points)
    }
    let bounded = min(max(new, 1), 127)
    return UInt8(try bounded.rounded(.nearest).value)
  }

  private static func value(of input: Ratio, on points: [Point]) throws(TimeError) -> Ratio {
    guard let first = points.first else { return input }
    var lower = first
    for point in points {
      if Ratio(Int64(point.input)) >= input {
        guard point.input > lower.input else { return Ratio(Int64(point.output)) }
        let rise = Int64(point.output) - Int64(lower.output)
        let slope = Ratio(rise, over: Int64(point.input - lower.input))
        return try Ratio(Int64(lower.output)) + (input - Ratio(Int64(lower.input))) * slope
      }
      lower = point
    }
    return Ratio(Int64(lower.output))
  }
}
