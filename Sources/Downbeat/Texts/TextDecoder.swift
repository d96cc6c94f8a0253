// SPDX-License-Identifier: Apache-2.0
public import MusicSequences

/// Decodes the texts of a song: titles, names, markers, lyrics.
///
/// Standard MIDI Files do not name their encoding. Texts with a byte order mark are decoded as
/// UTF-8 or UTF-16, and texts that are valid UTF-8 as UTF-8. For all other texts, the encoding is
/// given by name, or guessed once for the file from all its texts. The guess is CP1252 if the file
/// has fewer than six bytes beyond ASCII; otherwise it is one of CP1252, CP1250, CP437, CP1251,
/// KOI8-R, CP932 (Shift-JIS), EUC-JP, EUC-KR, GBK and Big5. The system's `iconv` decodes the texts.
///
/// Source: SMF Lyric Events (RP-026), which defines a way to name the encoding in a file; few files
/// use it.
public struct TextDecoder: Sendable {
  /// The iconv name of the encoding in which texts are decoded, except those that are in Unicode by
  /// their bytes.
  ///
  /// The name is US-ASCII, UTF-8 or UTF-16 if all texts of the file have that encoding.
  public let encoding: String
  /// True if the encoding was guessed, because it is neither given by name nor recognised from the
  /// bytes.
  public let isGuessed: Bool
  private let isNamed: Bool

  /// Guesses the encoding of a file.
  ///
  /// - Parameter sequences: All sequences of the file.
  /// - Complexity: O(n) in the events; at most 64 KiB of text are examined.
  public init(guessingFrom sequences: [MusicSequence]) {
    let sample = TextSample(sequences)
    isNamed = false
    isGuessed = !sample.bytes.isEmpty
    encoding = isGuessed ? EncodingGuess.encoding(of: sample.bytes) : Self.shown(by: sample)
  }

  /// The encoding of texts that all show it.
  private static func shown(by sample: TextSample) -> String {
    sample.hasUTF8 ? "UTF-8" : sample.hasUTF16 ? "UTF-16" : "US-ASCII"
  }

  /// Creates a decoder that uses one encoding for all texts, except those with the byte order mark
  /// of UTF-8.
  ///
  /// - Parameter name: A name in iconv; case is ignored. 16-bit encodings and encodings with shift
  ///   states are supported. Shift-JIS, EUC-KR and GB2312 mean the versions of Windows (CP932,
  ///   CP949, GBK). `init` returns nil if iconv does not know the name.
  public init?(named name: String) {
    do {
      _ = try IconvHandle(Self.iconvName(of: name))
    } catch {
      return nil
    }
    encoding = name
    (isNamed, isGuessed) = (true, false)
  }

  /// Decodes the text of an event, without a byte order mark.
  ///
  /// - Parameter bytes: The bytes of the event.
  /// - Returns: The text; bytes that are not valid in the encoding become U+FFFD.
  /// - Complexity: O(n) in the number of bytes.
  public func text(_ bytes: [UInt8]) -> String {
    let text = MetaText(bytes)
    return showsEncoding(text) ? text.string : decode(text)
  }

  /// Decodes the texts of consecutive events, such as syllables or parts of lines.
  ///
  /// A character that begins in one event and ends in a later event belongs to the text of the
  /// later event. A shift state of the encoding continues from one event to the next.
  ///
  /// - Parameter events: The bytes of each event.
  /// - Returns: The text of each event.
  /// - Complexity: O(n) in the number of bytes.
  public func texts(_ events: [[UInt8]]) -> [String] {
    do {
      return try joined(events)
    } catch {
      return events.map(text)
    }
  }

  /// Returns the name of the encoding in which an event is decoded.
  ///
  /// - Parameter bytes: The bytes of the event.
  /// - Returns: US-ASCII, UTF-8 or UTF-16 if the bytes are in this encoding; otherwise `encoding`,
  ///   or CP1252 for bytes that are not from the file.
  /// - Complexity: O(n) in the number of bytes.
  public func encoding(of bytes: [UInt8]) -> String {
    let text = MetaText(bytes)
    guard showsEncoding(text) else { return isPlain ? "CP1252" : encoding }
    return switch text.encoding {
    case .ascii: "US-ASCII"
    case .utf8: "UTF-8"
    case .utf16: "UTF-16"
    case .windows1252: "CP1252"
    }
  }

  /// The name in iconv of an encoding that the user calls `name`.
  static func iconvName(of name: String) -> String {
    switch name.lowercased() {
    case "latin1", "latin-1": "ISO-8859-1"
    case "sjis", "shift-jis", "shift_jis", "shiftjis": "CP932"
    case "euc-kr", "euckr": "CP949"
    case "gb2312", "gb-2312": "GBK"
    case "utf8": "UTF-8"
    default: name
    }
  }
}

extension TextDecoder {
  /// True if the text's own bytes determine its encoding.
  private func showsEncoding(_ text: MetaText) -> Bool {
    if isNamed { return text.encoding == .utf8 && text.hasByteOrderMark }
    switch text.encoding {
    case .ascii, .utf16: return true
    case .utf8:
      let mayResemble = Self.resemblingUTF8.contains(encoding) && !text.isSurelyUnicode
      return !mayResemble || !isLetters(text)
    case .windows1252: return false
    }
  }

  /// Encodings in which a few characters are valid UTF-8 by chance.
  private static let resemblingUTF8: Set = [
    "CP932", "EUC-JP", "EUC-KR", "GBK", "Big5", "KOI8-R", "CP1251",
  ]

  /// True if the text has only letters beyond ASCII in the encoding, and no ASCII letters.
  ///
  /// A sign, or a letter next to ASCII letters, is more likely UTF-8.
  private func isLetters(_ text: MetaText) -> Bool {
    do {
      var handle = try IconvHandle(Self.iconvName(of: encoding))
      let glyphs = handle.text(text.bytes, isLast: true).unicodeScalars.map(Glyph.init)
      return handle.illegalCount == 0 && glyphs.allSatisfy { $0.isASCII != $0.isLetter }
    } catch {
      return false
    }
  }

  /// True if iconv is not needed.
  private var isPlain: Bool {
    !isNamed && ["US-ASCII", "CP1252", "UTF-16"].contains(encoding)
  }

  private func decode(_ text: MetaText) -> String {
    guard !isPlain else { return MetaText(text.bytes, as: .windows1252).string }
    do {
      var handle = try IconvHandle(Self.iconvName(of: encoding))
      return Self.unmarked(handle.text(text.bytes, isLast: true))
    } catch {
      return text.string
    }
  }

  private func joined(_ events: [[UInt8]]) throws -> [String] {
    guard !isPlain else { return events.map(text) }
    var handle = try IconvHandle(Self.iconvName(of: encoding))
    let isJoining = holdsLettersBack
    var texts: [String] = []
    for bytes in events {
      let event = MetaText(bytes)
      if showsEncoding(event), event.hasByteOrderMark || !handle.isInCharacter {
        texts.append(handle.text([], isLast: true) + event.string)
      } else {
        let piece = handle.text(bytes, isLast: false)
        texts.append(Self.unmarked(isJoining ? piece + handle.flush() : piece))
      }
    }
    let end = handle.text([], isLast: true)
    if let last = texts.popLast() { texts.append(last + end) }
    return texts
  }

  /// True if iconv holds letters back until it knows if an accent follows.
  private var holdsLettersBack: Bool {
    let name = encoding.uppercased()
    return ["1255", "1258", "TCVN", "TSCII", "0213", "HKSCS"].contains { name.contains($0) }
  }

  private static func unmarked(_ text: String) -> String {
    guard text.unicodeScalars.first == "\u{FEFF}" else { return text }
    return String(String.UnicodeScalarView(text.unicodeScalars.drop { $0 == "\u{FEFF}" }))
  }
}
