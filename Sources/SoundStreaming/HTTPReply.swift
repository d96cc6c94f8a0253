// SPDX-License-Identifier: Apache-2.0

/// The properties of a sound that the server states in its reply.
public struct HTTPReply: Hashable, Sendable {
  /// The media type in lower case without parameters, such as `audio/mpeg`; nil if it is not
  /// stated.
  ///
  /// The type that servers state is sometimes wrong.
  public let contentType: String?
  /// The size of the whole sound in bytes; nil if it is unknown, as for a broadcast.
  public let byteCount: Int64?
  /// True if the server supports range requests.
  ///
  /// Seeking is then possible, and after an interruption the transfer continues without a gap.
  public let givesParts: Bool
  /// True for a radio station, which is endless and cannot be received again.
  public let isStation: Bool
  /// The name of the station; nil if it is not stated.
  public let name: String?
  /// The genre of the station; nil if it is not stated.
  public let genre: String?
  /// The bitrate that the station states, in bits per second; nil if it is not stated.
  public let nominalBitrate: Int?
  /// The identifier of this version of a file.
  let version: String?

  /// Creates the properties of a stream that arrives in parts with separate replies, such as HLS.
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

  /// A text without control characters.
  private static func shown(_ text: String) -> String {
    String(
      String.UnicodeScalarView(
        text.unicodeScalars.filter { $0.value >= 0x20 && !(0x7F...0x9F).contains($0.value) }))
  }

  /// True if missed sound cannot be received again, because nothing identifies the same content.
  var isLive: Bool { isStation || (byteCount == nil && version == nil) }

  /// Returns true if a later reply is for other content.
  func differs(from later: HTTPReply) -> Bool {
    if let version, let other = later.version, version != other { return true }
    guard let byteCount, let other = later.byteCount else { return false }
    return byteCount != other
  }
}
