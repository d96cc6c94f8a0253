// SPDX-License-Identifier: Apache-2.0

/// Joins the parts of a logical stream's packets, which can extend over several pages.
///
/// Comments are read when they arrive, because they can contain pictures. A packet of more than 4
/// MiB, or a setup header of more than 256 KiB, is dropped.
struct OggAssembly: Sendable {
  /// A packet of sound, or the setup header of Vorbis.
  struct Packet {
    let bytes: [UInt8]
    /// The position of the page in which it starts.
    let offset: Int64
    let isHeader: Bool
  }

  private enum Content {
    case kept([UInt8], isHeader: Bool)
    case comments(VorbisCommentReader)
    case dropped
  }

  private static let (soundLimit, headerLimit) = (4 << 20, 1 << 18)

  private var content: Content?
  private var offset: Int64 = 0
  /// The comments that were read last.
  private(set) var comments: VorbisCommentReader?
  /// The number of bytes of packets that were dropped.
  private(set) var lostByteCount = 0
  private var hasLost = false

  /// Drops an incomplete packet.
  mutating func reset() { (content, hasLost) = (nil, false) }

  /// Returns true if a packet was lost since the last call.
  mutating func takeLoss() -> Bool {
    defer { hasLost = false }
    return hasLost
  }

  /// Adds a part of a packet; returns the packet if it is complete and needed.
  mutating func take(
    _ part: OggPage.Part, at offset: Int64, _ codec: OggCodec, isHeading: Bool
  ) -> Packet? {
    if part.isBeginning {
      if content != nil { hasLost = true }
      begin(part.bytes, at: offset, codec.use(of: part.bytes, isHeading: isHeading))
    } else {
      proceed(part.bytes)
    }
    guard part.isEnd else { return nil }
    defer { content = nil }
    switch content {
    case .kept(let bytes, let isHeader):
      return Packet(bytes: bytes, offset: self.offset, isHeader: isHeader)
    case .comments(let reader): comments = reader
    case .dropped, nil: break
    }
    return nil
  }

  private mutating func begin(
    _ bytes: ArraySlice<UInt8>, at offset: Int64, _ use: OggCodec.Use
  ) {
    self.offset = offset
    switch use {
    case .sound: content = .kept(Array(bytes), isHeader: false)
    case .header: content = .kept(Array(bytes), isHeader: true)
    case .other: content = .dropped
    case .comments(let place):
      var reader = VorbisCommentReader()
      reader.take(bytes.dropFirst(place))
      content = .comments(reader)
    }
  }

  private mutating func proceed(_ bytes: ArraySlice<UInt8>) {
    let before = content
    content = .dropped
    switch before {
    case .kept(var kept, let isHeader)
    where kept.count + bytes.count <= (isHeader ? Self.headerLimit : Self.soundLimit):
      kept += bytes
      content = .kept(kept, isHeader: isHeader)
    case .kept(let kept, _):
      lostByteCount += kept.count + bytes.count
      hasLost = true
    case .comments(var reader):
      reader.take(bytes)
      content = .comments(reader)
    case .dropped: break
    case nil:
      // The start of the packet is missing.
      lostByteCount += bytes.count
      hasLost = true
    }
  }
}
