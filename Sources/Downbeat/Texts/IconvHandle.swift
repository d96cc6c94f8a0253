// SPDX-License-Identifier: Apache-2.0
internal import Glibc

/// A converter of the system's `iconv` from one encoding to UTF-8.
///
/// Bytes without a meaning become U+FFFD. Incomplete characters and shift states are kept for the
/// next call, until the end of the text.
@safe
struct IconvHandle: ~Copyable {
  /// The error of `init`: iconv does not know the name.
  struct UnknownName: Error {}

  private static let replacement = "\u{FFFD}".utf8
  private static let chunk = 1024

  // Written only by iconv, which this value calls from one thread at a time.
  private let descriptor: iconv_t
  /// The number of bytes of the smallest unit: 2 in UTF-16.
  private let unit: Int
  /// The bytes of an incomplete character.
  private var rest: [CChar] = []
  /// The number of bytes, or units, without a meaning.
  private(set) var illegalCount = 0

  /// True after the first bytes of an incomplete character.
  var isInCharacter: Bool { !rest.isEmpty }

  /// Opens a converter.
  ///
  /// - Parameter name: A name that `iconv --list` prints.
  /// - Throws: `UnknownName` if iconv does not have an encoding with this name.
  init(_ name: String) throws(UnknownName) {
    guard Self.isName(name), let opened = unsafe iconv_open("UTF-8", name),
      unsafe opened != iconv_t(bitPattern: -1)
    else { throw UnknownName() }
    unsafe descriptor = opened
    unit = Self.unit(of: name)
  }

  deinit { unsafe iconv_close(descriptor) }

  /// True for a plain name: iconv ignores spaces, and treats `//IGNORE` as an option.
  private static func isName(_ text: String) -> Bool {
    let name = text.hasSuffix("//") ? text.dropLast(2) : text[...]
    return !name.isEmpty && name.utf8.allSatisfy { (0x21...0x7E).contains($0) }
      && !name.contains("//")
  }

  /// The number of bytes of one more letter, without a byte order mark.
  private static func unit(of name: String) -> Int {
    guard let encoder = unsafe iconv_open(name, "UTF-8"),
      unsafe encoder != iconv_t(bitPattern: -1)
    else { return 1 }
    defer { unsafe iconv_close(encoder) }
    var letters = [CChar](repeating: 0x41, count: 2)
    var text: [CChar] = []
    guard unsafe step(encoder, &letters, 0..<1, &text).end == .done else { return 1 }
    let before = text.count
    guard unsafe step(encoder, &letters, 1..<2, &text).end == .done else { return 1 }
    return max(1, text.count - before)
  }

  /// Decodes bytes, after those left from the last call.
  ///
  /// - Parameters:
  ///   - bytes: The bytes.
  ///   - isLast: True at the end of the text, so that no bytes are kept.
  /// - Returns: The text.
  /// - Complexity: O(n) in the number of bytes.
  mutating func text(_ bytes: [UInt8], isLast: Bool) -> String {
    var source = rest + bytes.map { CChar(bitPattern: $0) }
    var text: [CChar] = []
    var start = 0
    while start < source.count {
      let step = unsafe Self.step(descriptor, &source, start..<source.count, &text)
      start += step.read
      guard step.end == .illegal else { break }
      replace(&text)
      start += min(unit, source.count - start)
    }
    rest = Array(source[start...])
    if isLast { end(&text) }
    return String(decoding: text.map(UInt8.init(bitPattern:)), as: UTF8.self)
  }

  /// Returns letters that iconv holds back to combine them with an accent.
  mutating func flush() -> String {
    var text: [CChar] = []
    unsafe Self.flush(descriptor, &text)
    return String(decoding: text.map(UInt8.init(bitPattern:)), as: UTF8.self)
  }

  private mutating func end(_ text: inout [CChar]) {
    if !rest.isEmpty { replace(&text) }
    rest = []
    unsafe Self.flush(descriptor, &text)
  }

  private mutating func replace(_ text: inout [CChar]) {
    illegalCount += 1
    text += Self.replacement.map { CChar(bitPattern: $0) }
  }

  private enum End { case done, illegal, incomplete }

  /// Converts bytes up to the first without a meaning, or to an incomplete character.
  private static func step(
    _ descriptor: iconv_t, _ source: inout [CChar], _ range: Range<Int>, _ text: inout [CChar]
  ) -> (read: Int, end: End) {
    var left = range.count
    while true {
      var output = [CChar](repeating: 0, count: chunk)
      var room = chunk
      var failure: Int32 = 0
      unsafe source.withUnsafeMutableBufferPointer { source in
        unsafe output.withUnsafeMutableBufferPointer { target in
          var from = unsafe source.baseAddress.map { unsafe $0 + (range.upperBound - left) }
          var to = target.baseAddress
          if unsafe iconv(descriptor, &from, &left, &to, &room) == -1 { failure = errno }
        }
      }
      text += output.prefix(chunk - room)
      switch failure {
      case 0: return (range.count, .done)
      case E2BIG: continue
      case EILSEQ: return (range.count - left, .illegal)
      default: return (range.count - left, .incomplete)
      }
    }
  }

  private static func flush(_ descriptor: iconv_t, _ text: inout [CChar]) {
    var output = [CChar](repeating: 0, count: chunk)
    var room = chunk
    unsafe output.withUnsafeMutableBufferPointer { target in
      var to = target.baseAddress
      _ = unsafe iconv(descriptor, nil, nil, &to, &room)
    }
    text += output.prefix(chunk - room)
  }
}
