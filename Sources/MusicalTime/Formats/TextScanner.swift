// SPDX-License-Identifier: Apache-2.0

/// A reader of UTF-8 text that knows where it stands, for errors that say where.
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

  /// The whole text, for the sentence of an error.
  var text: String {
    var copy: [UInt8] = []
    // Errors quote what was typed, not a megabyte of it.
    let end = min(bytes.count, 80)
    for index in 0..<end { copy.append(bytes[index]) }
    return String(decoding: copy, as: UTF8.self)
  }

  /// An error at the present place.
  func error(_ reason: String) -> TimeError {
    .malformed(text: text, offset: offset, reason: reason)
  }

  /// Takes a word if it comes next.
  mutating func take(_ word: StaticString) -> Bool {
    guard offset + word.utf8CodeUnitCount <= bytes.count else { return false }
    for index in 0..<word.utf8CodeUnitCount
    where unsafe bytes[offset + index] != word.utf8Start[index] {
      return false
    }
    offset += word.utf8CodeUnitCount
    return true
  }

  /// Whether the next byte is a decimal digit.
  var isAtDigit: Bool {
    guard let next else { return false }
    return next &- UInt8(ascii: "0") < 10
  }

  /// Takes a decimal number without a sign.
  ///
  /// - Throws: `TimeError.malformed` where no digit comes next; `TimeError.overflow` past 2⁶³.
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

  /// Throws unless everything has been taken.
  func expectEnd() throws(TimeError) {
    guard isAtEnd else { throw error("unexpected text at the end") }
  }
}
