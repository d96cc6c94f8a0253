// SPDX-License-Identifier: Apache-2.0

extension Ratio {
  /// Creates the exact value of a floating-point number: of 0.1, which no `Double` is,
  /// 3602879701896397/36028797018963968.
  ///
  /// For a number that a person wrote, see `init(shortest:)`.
  ///
  /// - Throws: `TimeError.fieldOutOfRange` for what is no finite number; `TimeError.overflow` for
  ///   one that does not fit 128 bits.
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

  /// Creates the shortest decimal that is nearest to a floating-point number: what a person wrote.
  ///
  /// Of 0.1 it is 1/10.
  ///
  /// - Throws: As `init(exactly:)`.
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
  /// Creates the number that the literal says: `1.1` is 11/10.
  ///
  /// - Precondition: it fits 128 bits. Where a number comes from input, use `init(exactly:)`.
  public init(floatLiteral value: Double) {
    do {
      try self.init(shortest: value)
    } catch {
      preconditionFailure("a ratio literal must fit in 128 bits")
    }
  }
}
