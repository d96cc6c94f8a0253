// SPDX-License-Identifier: Apache-2.0

/// A time as media containers and Core Media carry it: a count of 1/timescale seconds.
public struct ScaledTime: Hashable, BitwiseCopyable, Sendable {
  /// The count.
  public let value: Int64
  /// Units in a second, 1…2³¹ − 1.
  public let timescale: Int32

  /// Creates a time, or nil for a timescale below one.
  public init?(value: Int64, timescale: Int32) {
    guard timescale > 0 else { return nil }
    self.value = value
    self.timescale = timescale
  }

  /// How a time goes from one timescale to another; the six methods of Core Media.
  public enum Method: String, Hashable, Sendable, CaseIterable {
    /// To the nearest; a half away from zero.
    case halfAwayFromZero = "roundHalfAwayFromZero"
    /// Toward zero.
    case towardZero = "roundTowardZero"
    /// Away from zero.
    case awayFromZero = "roundAwayFromZero"
    /// Toward zero into a smaller timescale and away from zero into a larger one; a time below
    /// zero never becomes zero.
    case quickTime = "quickTime"
    /// Toward plus infinity.
    case towardPositiveInfinity = "roundTowardPositiveInfinity"
    /// Toward minus infinity.
    case towardNegativeInfinity = "roundTowardNegativeInfinity"
  }

  /// The same time in another timescale.
  ///
  /// Source: Core Media, CMTime.h, CMTimeConvertScale.
  ///
  /// - Parameters:
  ///   - timescale: Units in a second of the answer, 1…2³¹ − 1.
  ///   - method: How to round.
  /// - Returns: The time, and the residue in its units: Core Media's flag, as a number.
  /// - Throws: `TimeError.overflow`; `TimeError.fieldOutOfRange` for a timescale below one.
  public func converted(
    toTimescale timescale: Int32, method: Method
  ) throws(TimeError) -> Converted<ScaledTime> {
    guard timescale > 0 else {
      throw .fieldOutOfRange(field: "timescale", value: "\(timescale)", range: "1…2147483647")
    }
    let rounding = rounding(method, timescale)
    let count = try scale(
      value, by: Int64(timescale), over: Int64(self.timescale), rounding, unit: "time units")
    guard method == .quickTime, count.value == 0, value < 0 else {
      return count.map { ScaledTime($0, timescale) }
    }
    let residue = try count.residue + 1
    return Converted(
      ScaledTime(-1, timescale), remainder: residue.numerator, divisor: residue.denominator)
  }

  private init(_ value: Int64, _ timescale: Int32) {
    self.value = value
    self.timescale = timescale
  }

  private func rounding(_ method: Method, _ timescale: Int32) -> Rounding {
    let towardZero: Rounding = value < 0 ? .ceil : .floor
    let awayFromZero: Rounding = value < 0 ? .floor : .ceil
    return switch method {
    case .halfAwayFromZero: .nearest
    case .towardZero: towardZero
    case .awayFromZero: awayFromZero
    case .quickTime: timescale > self.timescale ? awayFromZero : towardZero
    case .towardPositiveInfinity: .ceil
    case .towardNegativeInfinity: .floor
    }
  }
}
