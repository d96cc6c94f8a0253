// SPDX-License-Identifier: Apache-2.0

/// What a server says of the sound that it sends.
public struct HTTPReply: Hashable, Sendable {
  /// The type of the sound, in lower case and without parameters, such as `audio/mpeg`; nil where
  /// none is named.
  ///
  /// It may be wrong.
  public let contentType: String?
  /// The bytes of all of the sound; nil where that is not known, as of a broadcast.
  public let byteCount: Int64?
  /// Whether parts can be had, so that places can be gone to and a cut leaves no gap.
  public let givesParts: Bool
  /// Whether it is a radio station: it has no end, and what is missed is gone.
  public let isStation: Bool
  /// The station's name; nil where it says none.
  public let name: String?
  /// The station's genre; nil where it says none.
  public let genre: String?
  /// Bits a second that the station names; nil where it names none.
  public let nominalBitrate: Int?
  /// What tells this version of a file from another.
  let version: String?

  /// Describes a stream that arrives in parts with separate replies, such as HLS.
  init(contentType: String) {
    self.contentType = contentType
    (byteCount, givesParts, isStation) = (nil, false, false)
    (name, genre, nominalBitrate, version) = (nil, nil, nil, nil)
  }

  init(_ head: ReplyHead, at offset: Int64) {
    contentType = head.contentType
    isStation = head.isStation
    givesParts = head.status == 206 && !head.isStation
    let rest = head.bodyByteCount.flatMap { count in
      let sum = count.addingReportingOverflow(head.status == 206 ? offset : 0)
      return sum.overflow ? nil : sum.partialValue
    }
    byteCount = head.isStation ? nil : head.part?.total ?? rest
    name = head["icy-name"].map(Self.shown)
    genre = head["icy-genre"].map(Self.shown)
    nominalBitrate = head["icy-br"].flatMap { Int($0.prefix { $0 != "," }) }.flatMap {
      (1...1_000_000).contains($0) ? $0 * 1_000 : nil
    }
    version = head.version
  }

  /// A text without what steers a terminal.
  private static func shown(_ text: String) -> String {
    String(
      String.UnicodeScalarView(
        text.unicodeScalars.filter { $0.value >= 0x20 && !(0x7F...0x9F).contains($0.value) }))
  }

  /// Whether what is missed is gone: nothing tells that what is there is still the same.
  var isLive: Bool { isStation || (byteCount == nil && version == nil) }

  /// Whether a later reply is of another thing.
  func differs(from later: HTTPReply) -> Bool {
    if let version, let other = later.version, version != other { return true }
    guard let byteCount, let other = later.byteCount else { return false }
    return byteCount != other
  }
}
