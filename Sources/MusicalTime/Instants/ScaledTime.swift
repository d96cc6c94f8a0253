// SPDX-License-Identifier: Apache-2.0

/// A time as a number of units of 1/`timescale` seconds, as in media containers and Core Media.
public struct ScaledTime: Hashable, BitwiseCopyable, Sendable {
  /// The time in units of 1/`timescale` seconds.
  public let value: Int64
  /// The number of units per second, 1…2³¹ − 1.
  public let timescale: Int32

  /// Creates a time, or returns nil if the timescale is less than one.
  public init?(value: Int64, timescale: Int32) {
    guard timescale > 0 else { return nil }
    self.value = value
    self.timescale = timescale
  }

  /// The rounding of a conversion to another timescale, as in Core Media.
  public enum Method: String, Hashable, Sendable, CaseIterable {
    /// Rounds to the nearest unit; a half is rounded away from zero.
    case halfAwayFromZero = "roundHalfAwayFromZero"
    /// Rounds toward zero.
    case towardZero = "roundTowardZero"
    /// Rounds away from zero.
    case awayFromZero = "roundAwayFromZero"
    /// Rounds toward zero if the timescale does not increase, and away from zero if it does.
    ///
    /// A negative time never becomes zero.
    case quickTime = "quickTime"
    /// Rounds toward positive infinity.
    case towardPositiveInfinity = "roundTowardPositiveInfinity"
    /// Rounds toward negative infinity.
    case towardNegativeInfinity = "roundTowardNegativeInfinity"
  }

  /// Converts the time to another timescale.
  ///
  /// Source: Core Media, CMTime.h, CMTimeConvertScale.
  ///
  /// - Parameters:
  ///   - timescale: Units per second of the result, 1…2³¹ − 1.
  ///   - method: The rounding.
  /// - Returns: The time, with the residue in units of the new timescale. Core Media only shows
  ///   that a result was rounded.
  /// - Throws: `TimeError.overflow`; `TimeError.fieldOutOfRange` if the timescale is less than one.
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
