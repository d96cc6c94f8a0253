// SPDX-License-Identifier: Apache-2.0

extension FrameRate {
  /// Returns a label as text, such as `01:02:03:12`, or `01:02:03;12` at drop-frame rates.
  ///
  /// Frames have three digits at rates above 100 frames per second. A label with days begins with
  /// their number and a space, and subframes are added after a full stop.
  ///
  /// - Parameters:
  ///   - label: The label.
  ///   - subframeBase: The number of subframes per frame; 1 (the default) omits subframes.
  /// - Returns: The text.
  public func text(of label: TimecodeLabel, subframeBase: UInt16 = 1) -> String {
    var bytes: [UInt8] = []
    append(label, subframeBase: subframeBase, to: &bytes)
    return String(decoding: bytes, as: UTF8.self)
  }

  /// Appends a label to UTF-8 text.
  ///
  /// - Parameters:
  ///   - label: The label.
  ///   - subframeBase: The number of subframes per frame; 1 (the default) omits subframes.
  ///   - frameSeparator: The byte before the frames; nil for `;` at drop-frame rates and `:` at
  ///     others. With a colon the text needs no quotes in a shell.
  ///   - bytes: The bytes to which the text is appended.
  /// - Note: Allocates only if the capacity of `bytes` is too small.
  public func append(
    _ label: TimecodeLabel, subframeBase: UInt16 = 1, frameSeparator: UInt8? = nil,
    to bytes: inout [UInt8]
  ) {
    if label.isNegative { bytes.append(UInt8(ascii: "-")) }
    if label.days > 0 {
      appendDecimal(UInt64(label.days), digits: 1, to: &bytes)
      bytes.append(UInt8(ascii: " "))
    }
    appendDecimal(UInt64(label.hours), digits: 2, to: &bytes)
    bytes.append(UInt8(ascii: ":"))
    appendDecimal(UInt64(label.minutes), digits: 2, to: &bytes)
    bytes.append(UInt8(ascii: ":"))
    appendDecimal(UInt64(label.seconds), digits: 2, to: &bytes)
    bytes.append(frameSeparator ?? UInt8(ascii: isDrop ? ";" : ":"))
    appendDecimal(UInt64(label.frames), digits: frameDigits, to: &bytes)
    guard subframeBase > 1 else { return }
    bytes.append(UInt8(ascii: "."))
    let digits = decimalDigits(of: UInt64(subframeBase - 1))
    appendDecimal(UInt64(label.subframes), digits: digits, to: &bytes)
  }
}

/// The number of decimal digits of an integer; 1 for zero.
func decimalDigits(of value: UInt64) -> Int {
  var rest = value / 10
  var digits = 1
  while rest > 0 {
    rest /= 10
    digits += 1
  }
  return digits
}

/// Appends a decimal number with zeros in front, up to a number of digits, at most 20.
func appendDecimal(_ value: UInt64, digits count: Int, to bytes: inout [UInt8]) {
  // Digits are stored from the last to the first, which avoids a second pass.
  var digits = InlineArray<20, UInt8>(repeating: UInt8(ascii: "0"))
  var first = digits.count
  var rest = value
  repeat {
    first -= 1
    digits[first] += UInt8(truncatingIfNeeded: rest % 10)
    rest /= 10
  } while rest > 0
  for place in min(first, digits.count - count)..<digits.count { bytes.append(digits[place]) }
}
