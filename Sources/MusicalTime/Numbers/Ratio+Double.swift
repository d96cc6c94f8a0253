// SPDX-License-Identifier: Apache-2.0

extension Ratio {
  /// Creates the exact value of a floating-point number.
  ///
  /// For example, the exact value of the `Double` nearest to 0.1 is
  /// 3602879701896397/36028797018963968. For a number that a person typed, use `init(shortest:)`.
  ///
  /// - Throws: `TimeError.fieldOutOfRange` for infinity and NaN; `TimeError.overflow` if the value
  ///   does not fit in 128 bits.
  public init(exactly value: Double) throws(TimeError) {
    var whole = try Self.finite(value)
    var scale: Int128 = 1
    while whole != whole.rounded(.towardZero) {
      whole *= 2
      scale = try multiply(scale, 2)
    }
    guard let numerator = Int128(exactly: whole) else { throw .overflow("ratio") }
    try self.init(exactly: numerator, over: scale)
  }

  /// Creates the decimal fraction with the fewest digits that is rounded to a floating-point
  /// number.
  ///
  /// For the `Double` 0.1 this is 1/10.
  ///
  /// - Throws: The errors of `init(exactly:)`.
  public init(shortest value: Double) throws(TimeError) {
    let parts = "\(try Self.finite(value))".split(separator: "e")
    let mantissa = try Ratio(parsing: String(parts[0]))
    guard parts.count == 2, let exponent = Int(parts[1]) else {
      self = mantissa
      return
    }
    var power: Ratio = 1
    for _ in 0..<exponent.magnitude { power = try power * 10 }
    self = try exponent < 0 ? mantissa / power : mantissa * power
  }

  private static func finite(_ value: Double) throws(TimeError) -> Double {
    guard value.isFinite else {
      throw .fieldOutOfRange(field: "ratio", value: "\(value)", range: "finite numbers")
    }
    return value
  }
}

extension Ratio: ExpressibleByFloatLiteral {
  /// Creates the exact number that is written in a literal: `1.1` is 11/10.
  ///
  /// - Precondition: The number fits in 128 bits. For numbers from input use `init(shortest:)`.
  public init(floatLiteral value: Double) {
    do {
      try self.init(shortest: value)
    } catch {
      preconditionFailure("a ratio literal must fit in 128 bits")
    }
  }
}
