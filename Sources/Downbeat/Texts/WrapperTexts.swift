// SPDX-License-Identifier: Apache-2.0
public import MusicSequences

/// The texts of a song's RIFF wrapper, such as its title and artist.
///
/// Source: SF2 RMIDI specification, revision 1.19, INFO chunk.
public struct WrapperTexts: Hashable, Sendable {
  /// The texts by field, without spaces and line ends at both ends; empty texts are omitted.
  public let texts: [SongWrapper.Field: String]
  /// The encoding of the texts: the one that the field `IENC` names; without this field, UTF-8 or a
  /// guess.
  public let encoding: String

  /// Decodes the texts of a wrapper.
  ///
  /// - Parameter wrapper: The wrapper.
  /// - Complexity: O(n) in the bytes of the texts.
  public init(_ wrapper: SongWrapper) {
    let fields = SongWrapper.Field.allCases.filter(\.isDescription)
    let contents = fields.compactMap { field in
      wrapper.content(of: field).map { (field: field, bytes: Array($0)) }
    }
    let decoder = Self.decoder(wrapper, contents.map(\.bytes))
    encoding = decoder.encoding
    var texts: [SongWrapper.Field: String] = [:]
    for (field, bytes) in contents {
      let text = Self.trimmed(decoder.text(bytes))
      if !text.isEmpty { texts[field] = text }
    }
    self.texts = texts
  }

  /// The text of a field; nil if the wrapper does not have the field.
  public subscript(field: SongWrapper.Field) -> String? { texts[field] }

  private static func decoder(_ wrapper: SongWrapper, _ texts: [[UInt8]]) -> TextDecoder {
    let all: [UInt8] = texts.flatMap { text in text + [0x0A] }
    let name =
      String(validating: all, as: UTF8.self) != nil ? "UTF-8" : EncodingGuess.encoding(of: all)
    let usual = TextDecoder(named: name) ?? TextDecoder(guessingFrom: [])
    return wrapper.encoding(.encoding) ?? usual
  }

  private static func trimmed(_ text: String) -> String {
    var text = Substring(text)
    while let last = text.last, last.isWhitespace { text.removeLast() }
    return String(text.drop(while: \.isWhitespace))
  }
}

extension TextDecoder {
  /// Creates a decoder for the texts of a song.
  ///
  /// The encoding is the one that the song's RIFF wrapper names (the field `MENC`), otherwise a
  /// guess.
  ///
  /// - Parameter file: The song.
  /// - Complexity: O(n) in the events; at most 64 KiB of text are examined.
  public init(of file: SequenceFile) {
    self =
      file.wrapper?.encoding(.songEncoding) ?? TextDecoder(guessingFrom: file.sequences)
  }
}

extension SongWrapper {
  /// The longest name of an encoding.
  private static let longestName = 40

  /// The decoder of the encoding that a field names; nil if iconv does not have it.
  fileprivate func encoding(_ field: Field) -> TextDecoder? {
    guard let bytes = content(of: field), bytes.count <= Self.longestName,
      let name = String(validating: bytes, as: UTF8.self)
    else { return nil }
    let isName = name.allSatisfy { letter in
      letter.isASCII && (letter.isLetter || letter.isNumber || "-_.:".contains(letter))
    }
    return isName ? TextDecoder(named: name) : nil
  }
}
