// SPDX-License-Identifier: Apache-2.0

extension Ratio {
  /// Creates the exact value of a number such as `12`, `-3.25`, `1001/30000` or `123.456/2`.
  ///
  /// - Parameter text: UTF-8 text that consists only of the number.
  /// - Throws: `TimeError.malformed` with the offset of the first unexpected byte;
  ///   `TimeError.zeroDenominator`; `TimeError.overflow` for more than 38 digits.
  public init(parsing text: Span<UInt8>) throws(TimeError) {
    var scanner = TextScanner(text)
    let isNegative = scanner.take("-")
    let magnitude = try scanner.ratio()
    try scanner.expectEnd()
    self = isNegative ? -magnitude : magnitude
  }

  /// Creates the exact value of a number such as `12`, `-3.25`, `1001/30000` or `123.456/2`.
  ///
  /// - Throws: The errors of `init(parsing:)` for bytes.
  public init(parsing text: String) throws(TimeError) {
    try self.init(parsing: Array(text.utf8).span)
  }
}

extension TextScanner {
  /// Reads a number without a sign: digits, an optional fraction, an optional denominator.
  mutating func ratio() throws(TimeError) -> Ratio {
    let numerator = try decimal()
    guard next == UInt8(ascii: "/"), isDigit(offset + 1) else { return numerator }
    offset += 1
    return try numerator / decimal()
  }

  /// Reads digits and an optional fraction.
  mutating func decimal() throws(TimeError) -> Ratio {
    guard isAtDigit || (next == UInt8(ascii: ".") && isDigit(offset + 1)) else {
      throw error("expected a number")
    }
    var value = try digits(onto: 0).value
    guard next == UInt8(ascii: "."), isDigit(offset + 1) else {
      return try Ratio(exactly: value, over: 1)
    }
    offset += 1
    let scale: Int128
    (value, scale) = try digits(onto: value)
    return try Ratio(exactly: value, over: scale)
  }

  /// Reads digits and appends them to a number; returns the number and the power of ten of the new
  /// digits.
  private mutating func digits(
    onto start: Int128
  ) throws(TimeError) -> (value: Int128, scale: Int128) {
    var (value, scale): (Int128, Int128) = (start, 1)
    while let digit = next.map({ $0 &- UInt8(ascii: "0") }), digit < 10 {
      value = try add(multiply(value, 10), Int128(digit))
      scale = try multiply(scale, 10)
      offset += 1
    }
    return (value, scale)
  }

  func isDigit(_ index: Int) -> Bool {
    index < bytes.count && bytes[index] &- UInt8(ascii: "0") < 10
  }
}
