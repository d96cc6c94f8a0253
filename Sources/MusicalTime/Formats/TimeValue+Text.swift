// SPDX-License-Identifier: Apache-2.0

extension TimeValue {
  /// Options for writing a value as text.
  public struct Style: Hashable, Sendable {
    /// True to write numbers as exact fractions, such as `1/3`; false for decimals.
    public var isExact: Bool
    /// True to use only characters that need no quotes in a shell, such as `12.3.240` and
    /// `01:02:03:12@29.97d`.
    public var isShellSafe: Bool
    /// The rounding of decimals to 12 places.
    public var rounding: Rounding

    /// Creates a style.
    ///
    /// By default, numbers are written as decimals, rounded to the nearest, with the usual
    /// punctuation.
    public init(
      isExact: Bool = false, isShellSafe: Bool = false, rounding: Rounding = .nearest
    ) {
      self.isExact = isExact
      self.isShellSafe = isShellSafe
      self.rounding = rounding
    }
  }

  /// Returns true if the text of the value in a style is exact.
  ///
  /// The decimal of 1/3, for example, is not.
  public func isWhole(_ style: Style) -> Bool {
    guard case .number(let number) = self, !style.isExact else { return true }
    return decimalScale % number.denominator == 0
  }

  /// Returns the value as text.
  ///
  /// - Throws: The errors of `append(as:_:days:to:)`.
  public func text(
    as format: TimeFormat, _ style: Style = Style(), days: DayPolicy = .days
  ) throws(TimeError) -> String {
    var bytes: [UInt8] = []
    try append(as: format, style, days: days, to: &bytes)
    return String(decoding: bytes, as: UTF8.self)
  }

  /// Appends the value as UTF-8 text.
  ///
  /// Decimals have at most 12 places, and are rounded as `style` determines.
  ///
  /// - Parameters:
  ///   - format: The format of the value.
  ///   - style: The options for writing the value.
  ///   - days: The form of a time code outside of one day.
  ///   - bytes: The bytes to which the text is appended.
  /// - Throws: `TimeError.fieldOutOfRange` for a time code of 24 hours or more if `days` is
  ///   `signed`; `TimeError.inexact` if the style's rounding is `exact`; `TimeError.overflow`.
  public func append(
    as format: TimeFormat, _ style: Style, days: DayPolicy, to bytes: inout [UInt8]
  ) throws(TimeError) {
    switch self {
    case .count(let count): appendDecimal(count, to: &bytes)
    case .number(let number):
      if style.isExact {
        bytes.append(contentsOf: "\(number)".utf8)
      } else if format == .clock {
        try appendClock(number, style.rounding, to: &bytes)
      } else {
        try appendDecimal(number, style.rounding, to: &bytes)
      }
    case .barBeat(let label): label.append(style, to: &bytes)
    case .timecode(let timecode): try timecode.append(style, days: days, to: &bytes)
    }
  }
}

extension BarBeat {
  /// `12|3|240`, or `12.3.240` for a shell.
  func append(_ style: TimeValue.Style, to bytes: inout [UInt8]) {
    let separator = UInt8(ascii: style.isShellSafe ? "." : "|")
    appendDecimal(Int64(bar), to: &bytes)
    bytes.append(separator)
    appendDecimal(Int64(beat), to: &bytes)
    bytes.append(separator)
    appendDecimal(Int64(subbeat), to: &bytes)
  }
}

extension Timecode {
  /// `01:02:03;12`, or `01:02:03:12@29.97d` for a shell.
  func append(
    _ style: TimeValue.Style, days: DayPolicy, to bytes: inout [UInt8]
  ) throws(TimeError) {
    let separator = style.isShellSafe ? UInt8(ascii: ":") : nil
    rate.append(
      try label(days), subframeBase: subframeBase, frameSeparator: separator, to: &bytes)
    guard style.isShellSafe, rate.isDrop else { return }
    bytes.append(UInt8(ascii: "@"))
    bytes.append(contentsOf: rate.name.utf8)
  }
}

/// The maximum number of decimal places.
private let decimalPlaces = 12

/// 10 to the power of `decimalPlaces`.
private let decimalScale: Int128 = 1_000_000_000_000

/// Appends a signed integer.
@usableFromInline
func appendDecimal(_ value: Int64, to bytes: inout [UInt8]) {
  if value < 0 { bytes.append(UInt8(ascii: "-")) }
  appendDecimal(value.magnitude, digits: 1, to: &bytes)
}

/// Appends a number with as many decimal places as it needs, at most 12.
func appendDecimal(
  _ number: Ratio, _ rounding: Rounding, to bytes: inout [UInt8]
) throws(TimeError) {
  let scaled = try scaledDecimal(number, rounding)
  if scaled < 0 { bytes.append(UInt8(ascii: "-")) }
  let (whole, fraction) = scaled.magnitude.quotientAndRemainder(
    dividingBy: UInt128(decimalScale))
  guard let narrow = UInt64(exactly: whole) else { throw .overflow("decimal number") }
  appendDecimal(narrow, digits: 1, to: &bytes)
  appendFraction(UInt64(fraction), to: &bytes)
}

/// Appends seconds as `m:ss.fraction` or `h:mm:ss.fraction`.
func appendClock(
  _ seconds: Ratio, _ rounding: Rounding, to bytes: inout [UInt8]
) throws(TimeError) {
  let scaled = try scaledDecimal(seconds, rounding)
  if scaled < 0 { bytes.append(UInt8(ascii: "-")) }
  let (whole, fraction) = scaled.magnitude.quotientAndRemainder(
    dividingBy: UInt128(decimalScale))
  guard let narrow = UInt64(exactly: whole) else { throw .overflow("clock time") }
  let hours = narrow / 3600
  if hours > 0 {
    appendDecimal(hours, digits: 1, to: &bytes)
    bytes.append(UInt8(ascii: ":"))
  }
  appendDecimal(narrow / 60 % 60, digits: hours > 0 ? 2 : 1, to: &bytes)
  bytes.append(UInt8(ascii: ":"))
  appendDecimal(narrow % 60, digits: 2, to: &bytes)
  appendFraction(UInt64(fraction), to: &bytes)
}

/// The number in units of its last decimal place.
private func scaledDecimal(
  _ number: Ratio, _ rounding: Rounding
) throws(TimeError) -> Int128 {
  if number.isInteger { return try multiply(number.numerator, decimalScale) }
  // Common factors of the denominator and the scale cancel.
  let shared = Int128(greatestCommonDivisor(number.denominator, decimalScale))
  let product = try multiply(number.numerator, decimalScale / shared)
  guard let scaled = quotient(product, by: number.denominator / shared, rounding) else {
    throw .inexact(unit: "units in the last of \(decimalPlaces) decimals")
  }
  return scaled.value
}

/// Appends a point and the digits of a fraction without its last zeros; nothing for zero.
private func appendFraction(_ fraction: UInt64, to bytes: inout [UInt8]) {
  guard fraction > 0 else { return }
  bytes.append(UInt8(ascii: "."))
  appendDecimal(fraction, digits: decimalPlaces, to: &bytes)
  while bytes.last == UInt8(ascii: "0") { bytes.removeLast() }
}
