// SPDX-License-Identifier: Apache-2.0

/// A reader of UTF-8 text, with the position for error messages.
struct TextScanner: ~Escapable {
  let bytes: Span<UInt8>
  var offset = 0

  @_lifetime(copy bytes)
  init(_ bytes: Span<UInt8>) {
    self.bytes = bytes
  }

  /// The next byte, or nil at the end.
  var next: UInt8? { offset < bytes.count ? bytes[offset] : nil }

  var isAtEnd: Bool { offset == bytes.count }

  /// The start of the text, for an error message.
  var text: String {
    var copy: [UInt8] = []
    // Errors quote the input, but not a megabyte of it.
    let end = min(bytes.count, 80)
    for index in 0..<end { copy.append(bytes[index]) }
    return String(decoding: copy, as: UTF8.self)
  }

  /// An error at the current position.
  func error(_ reason: String) -> TimeError {
    .malformed(text: text, offset: offset, reason: reason)
  }

  /// Skips a word and returns true; false if the next bytes differ.
  mutating func take(_ word: StaticString) -> Bool {
    guard offset + word.utf8CodeUnitCount <= bytes.count else { return false }
    for index in 0..<word.utf8CodeUnitCount
    where unsafe bytes[offset + index] != word.utf8Start[index] {
      return false
    }
    offset += word.utf8CodeUnitCount
    return true
  }

  /// True if the next byte is a decimal digit.
  var isAtDigit: Bool {
    guard let next else { return false }
    return next &- UInt8(ascii: "0") < 10
  }

  /// Reads a decimal number without a sign.
  ///
  /// - Throws: `TimeError.malformed` if the next byte is not a digit; `TimeError.overflow` from
  ///   2⁶³.
  mutating func integer(_ what: StaticString) throws(TimeError) -> Int64 {
    guard isAtDigit else { throw error("expected \(what)") }
    var value: Int64 = 0
    while let digit = next.map({ $0 &- UInt8(ascii: "0") }), digit < 10 {
      let (scaled, past) = value.multipliedReportingOverflow(by: 10)
      let (sum, over) = scaled.addingReportingOverflow(Int64(digit))
      guard !past, !over else { throw .overflow("\(what) in \(text)") }
      value = sum
      offset += 1
    }
    return value
  }

  /// Throws an error unless the whole text has been read.
  func expectEnd() throws(TimeError) {
    guard isAtEnd else { throw error("unexpected text at the end") }
  }
}
