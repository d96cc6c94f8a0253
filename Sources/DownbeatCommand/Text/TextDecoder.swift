// SPDX-License-Identifier: Apache-2.0
internal import Glibc
internal import MusicSequences

/// Turns the bytes of texts into text: the encoding is told, or guessed from all of them together.
///
/// Shift-JIS and whatever else has a name take the system's `iconv`: a table of all its characters
/// would be larger than the command.
struct TextDecoder {
  private let name: String
  private let known: MetaText.Encoding?

  /// Uses an encoding by the name `iconv` knows it by.
  ///
  /// - Throws: `Failure` where there is none of that name.
  init(named name: String) throws(Failure) {
    self.name = Self.alias(name)
    known = nil
    guard Self.decode([0x41], from: self.name) != nil else {
      throw Failure(.usage, "encoding \(name) is not known here (iconv --list shows them)")
    }
  }

  /// Guesses from the bytes of all texts.
  init(guessingFrom bytes: [UInt8]) {
    self.init(MetaText(bytes).encoding)
  }

  /// Uses an encoding that was told from others.
  init(_ encoding: MetaText.Encoding) {
    known = encoding
    name = encoding == .shiftJIS ? "CP932" : "UTF-8"
  }

  private static func alias(_ name: String) -> String {
    switch name.lowercased() {
    case "latin1", "latin-1": "ISO-8859-1"
    case "sjis", "shift-jis", "shiftjis": "CP932"
    case "utf8": "UTF-8"
    default: name
    }
  }

  /// The text of some bytes; what is none in the encoding is taken for Latin-1.
  func text(_ bytes: [UInt8]) -> String {
    if bytes.allSatisfy({ $0 < 0x80 }) { return String(decoding: bytes, as: UTF8.self) }
    if known != .latin1, let text = Self.decode(bytes, from: name) { return text }
    return String(String.UnicodeScalarView(bytes.map { Unicode.Scalar($0) }))
  }

  /// The text of an event of its own: UTF-8 where it is that, whatever the others are.
  func text(_ text: MetaText) -> String {
    text.encoding == .utf8 ? text.string : self.text(text.bytes)
  }

  /// Has iconv decode; nil for bytes or a name that it does not take.
  private static func decode(_ bytes: [UInt8], from name: String) -> String? {
    let converter = unsafe iconv_open("UTF-8", name)
    guard unsafe converter != iconv_t(bitPattern: -1) else { return nil }
    defer { unsafe iconv_close(converter) }
    // No character of an encoding in use takes more than four bytes of UTF-8 for one of its own.
    var input = bytes.map { CChar(bitPattern: $0) }
    var output = [CChar](repeating: 0, count: bytes.count * 4 + 16)
    var left = input.count
    var room = output.count
    let isWhole = unsafe input.withUnsafeMutableBufferPointer { source in
      unsafe output.withUnsafeMutableBufferPointer { target in
        var from = source.baseAddress
        var to = target.baseAddress
        return unsafe iconv(converter, &from, &left, &to, &room) != Int.max && left == 0
      }
    }
    guard isWhole else { return nil }
    let written = output[..<(output.count - room)].map(UInt8.init(bitPattern:))
    return String(validating: written, as: UTF8.self)
  }
}

extension MetaText {
  /// The text by its own bytes alone, kanji too.
  var decoded: String { TextDecoder(encoding).text(self) }
}
