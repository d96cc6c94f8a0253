// SPDX-License-Identifier: Apache-2.0
internal import AudioFiles

/// The title of a sound that a radio station sends, with a web address in some cases.
///
/// Source: the ICY protocol of SHOUTcast and Icecast, which is not documented:
/// `StreamTitle='Artist - Title';StreamUrl='http://…';` and zeros.
public struct StreamTitle: Hashable, Sendable {
  /// The title, usually the artist, a hyphen and the song; empty if the station does not send one.
  public let title: String
  /// The address that is sent with the title; nil if the station does not send one.
  public let address: String?

  /// Reads the title in a block of a stream; nil if the block does not contain a title.
  ///
  /// The block is decoded as UTF-8, or as Latin-1 if it is not valid UTF-8.
  ///
  /// Control characters are removed.
  ///
  /// - Parameter block: The bytes of the block, without the length before them.
  public init?(_ block: some Collection<UInt8>) {
    let bytes = Array(block.prefix { $0 != 0 })
    let text =
      String(validating: bytes, as: UTF8.self)
      ?? String(String.UnicodeScalarView(bytes.map { Unicode.Scalar($0) }))
    guard let title = Self.value("StreamTitle", in: text) else { return nil }
    self.title = title
    address = Self.value("StreamUrl", in: text).flatMap { $0.isEmpty ? nil : $0 }
  }

  /// Creates a title from tags, such as `Artist - Title`; nil if they contain neither.
  ///
  /// Control characters are removed.
  init?(_ tags: [SoundFileMetadata.Tag: String]) {
    let texts = [tags[.artist], tags[.title]].compactMap { $0 }.map(Self.clean)
    let text = texts.filter { !$0.isEmpty }.joined(separator: " - ")
    guard !text.isEmpty else { return nil }
    (title, address) = (String(text.prefix(1000)), nil)
  }

  /// The value ends at `';`, because a title can contain either character alone.
  private static func value(_ name: String, in text: String) -> String? {
    guard let start = text.firstRange(of: "\(name)='") else { return nil }
    let rest = text[start.upperBound...]
    let end = rest.firstRange(of: "';")?.lowerBound ?? rest.lastIndex(of: "'") ?? rest.endIndex
    return clean(String(rest[..<end]))
  }

  /// A text without control characters.
  private static func clean(_ text: String) -> String {
    let scalars = text.unicodeScalars.filter {
      $0.value >= 0x20 && !(0x7F...0x9F).contains($0.value)
    }
    return String(String.UnicodeScalarView(scalars))
  }
}
