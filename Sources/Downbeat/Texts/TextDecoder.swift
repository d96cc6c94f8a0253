// SPDX-License-Identifier: Apache-2.0
public import MusicSequences

/// Decodes the texts of a song: titles, names, markers, lyrics.
///
/// Standard MIDI Files do not name their encoding. Texts with a byte order mark and texts in UTF-8
/// are decoded as such. The encoding of all others is guessed once for a file, from all its texts, or
/// given by name. The system's `iconv` decodes; a guess takes Windows-1252 if the file has fewer than
/// six bytes beyond ASCII, and is one of CP1252, CP1250, CP437, CP1251, KOI8-R, CP932 (Shift-JIS),
/// EUC-JP, EUC-KR, GBK and Big5.
///
/// Source: SMF Lyric Events (RP-026) says how a file may name an encoding; few do.
public struct TextDecoder: Sendable {
  /// The encoding of texts that do not show theirs, by its name in iconv; US-ASCII, UTF-8 or UTF-16
  /// if all texts of the file are that.
  public let encoding: String
  /// Whether the encoding was guessed: neither named nor shown by the bytes themselves.
  public let isGuessed: Bool
  private let isNamed: Bool

  /// Guesses the encoding of a file.
  ///
  /// - Parameter sequences: all sequences of the file.
  /// - Complexity: O(n) in the events; at most 64 KiB of text are looked at.
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

  /// Uses an encoding for all texts but those that begin with the byte order mark of UTF-8.
  ///
  /// - Parameter name: a name that iconv has, in small or capital letters; encodings of 16 bits and
  ///   those with shift states too. Shift-JIS, EUC-KR and GB2312 mean what Windows writes under
  ///   these names (CP932, CP949, GBK). nil is returned for a name that iconv does not have.
  public init?(named name: String) {
    do {
      _ = try IconvHandle(Self.iconvName(of: name))
    } catch {
      return nil
    }
    encoding = name
    (isNamed, isGuessed) = (true, false)
  }

  /// The text of an event, without a byte order mark.
  ///
  /// - Parameter bytes: the bytes of the event.
  /// - Returns: the text; bytes without a meaning in the encoding are U+FFFD.
  /// - Complexity: O(n).
  public func text(_ bytes: [UInt8]) -> String {
    let text = MetaText(bytes)
    return showsEncoding(text) ? text.string : decode(text)
  }

  /// The texts of events that follow one another: syllables, pieces of lines.
  ///
  /// A character that begins in one event and ends in a later one is in the later one's text, and a
  /// shift state lasts from one event to the next.
  ///
  /// - Parameter events: the bytes of each event.
  /// - Returns: the text of each event.
  /// - Complexity: O(n).
  public func texts(_ events: [[UInt8]]) -> [String] {
    do {
      return try joined(events)
    } catch {
      return events.map(text)
    }
  }

  /// The name of the encoding in which an event is decoded.
  ///
  /// - Parameter bytes: the bytes of the event.
  /// - Returns: US-ASCII, UTF-8 or UTF-16 if the bytes show it; else `encoding`, or CP1252 for bytes
  ///   that are not of the file.
  /// - Complexity: O(n).
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

  /// The name by which iconv decodes what is called `name`.
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
  /// Whether a text is decoded as its own bytes say.
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

  /// Whether a text is letters beyond ASCII in the encoding, and no letters of ASCII: in the midst of
  /// these, or as a sign, it is rather UTF-8.
  private func isLetters(_ text: MetaText) -> Bool {
    do {
      var handle = try IconvHandle(Self.iconvName(of: encoding))
      let glyphs = handle.text(text.bytes, isLast: true).unicodeScalars.map(Glyph.init)
      return handle.illegalCount == 0 && glyphs.allSatisfy { $0.isASCII != $0.isLetter }
    } catch {
      return false
    }
  }

  /// Whether no table of iconv's is needed.
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

  /// Whether iconv keeps letters back until it knows whether an accent follows.
  private var holdsLettersBack: Bool {
    let name = encoding.uppercased()
    return ["1255", "1258", "TCVN", "TSCII", "0213", "HKSCS"].contains { name.contains($0) }
  }

  private static func unmarked(_ text: String) -> String {
    guard text.unicodeScalars.first == "\u{FEFF}" else { return text }
    return String(String.UnicodeScalarView(text.unicodeScalars.drop { $0 == "\u{FEFF}" }))
  }
}
