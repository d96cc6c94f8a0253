// SPDX-License-Identifier: Apache-2.0

/// Packets of Vorbis, Opus or FLAC in an Ogg stream.
///
/// Sources: RFC 3533 (Ogg), RFC 7845 (Opus), the Vorbis I specification, section A.2, and RFC 9639,
/// section 10.1 (FLAC).
struct OggBody: PacketBody {
  private var pages: OggPages
  private let layer: SoundLayer
  private let priming: Int
  private var decoded: Int64 = 0

  init(
    _ stream: FileStream, _ layer: SoundLayer, _ cookie: [UInt8], priming: Int,
    _ metadata: SoundFileMetadata
  ) throws(PacketRefusal) {
    (pages, self.layer, self.priming) = (OggPages(stream), layer, priming)
    let comments = Self.comments(metadata)
    let heads =
      switch layer.codec {
      case .opus: Self.opusHeads(cookie, layer, priming, comments)
      case .flac: Self.flacHeads(cookie, comments)
      default: Self.vorbisHeads(cookie, comments)
      }
    guard let heads else { throw PacketRefusal("the magic cookie is missing or damaged") }
    for (index, head) in heads.enumerated() {
      pages.add(head, granule: 0)
      // The first is alone on its page, and the sound begins on a new page.
      if index == 0 || index == heads.count - 1 { pages.flush() }
    }
  }

  mutating func write(_ packet: [UInt8], frameCount: Int) throws(PacketRefusal) {
    decoded += Int64(frameCount)
    pages.add(packet, granule: granule(decoded))
  }

  mutating func finish(
    _ extent: PacketExtent, _ metadata: SoundFileMetadata
  ) throws(PacketRefusal) {
    pages.finish(granule: granule(decoded - Int64(extent.remainder)))
  }

  /// The granule position of a number of decoded frames.
  ///
  /// Opus counts the frames before the sound, and always at 48,000 Hz. Vorbis does not count them.
  private func granule(_ frame: Int64) -> Int64 {
    guard layer.codec == .opus else { return max(0, frame - Int64(priming)) }
    return Int64(clamping: Int128(frame) * 48_000 / Int128(layer.hertz))
  }

  private static func opusHeads(
    _ cookie: [UInt8], _ layer: SoundLayer, _ priming: Int, _ comments: [UInt8]
  ) -> [[UInt8]]? {
    var head = cookie
    if cookie.isEmpty {
      guard layer.channelCount <= 2 else { return nil }
      head =
        Array("OpusHead".utf8) + [1, UInt8(layer.channelCount), 0, 0]
        + RiffMetadata.word(layer.hertz) + [0, 0, 0]
    }
    guard head.count >= 19, head.starts(with: Array("OpusHead".utf8)) else { return nil }
    let skipped = priming * 48_000 / layer.hertz
    guard skipped < 1 << 16 else { return nil }
    if skipped > 0 || cookie.isEmpty {
      head.replaceSubrange(10..<12, with: RiffMetadata.word(skipped).prefix(2))
    }
    return [head, Array("OpusTags".utf8) + comments]
  }

  private static func flacHeads(_ cookie: [UInt8], _ comments: [UInt8]) -> [[UInt8]]? {
    // The cookie is the block alone, or the block after the file's magic number and the block's
    // header.
    let info = cookie.starts(with: Array("fLaC".utf8)) ? Array(cookie.dropFirst(8)) : cookie
    guard info.count >= 34, comments.count < 1 << 24 else { return nil }
    let mark = [0x7F] + Array("FLAC".utf8) + [1, 0, 0, 1] + Array("fLaC".utf8)
    return [
      mark + [0, 0, 0, 34] + info.prefix(34),
      [0x84] + BigEndian.bytes(comments.count, 3) + comments,
    ]
  }

  /// The three headers in a cookie with Xiph lacing: the number of headers minus one, the sizes,
  /// and the headers.
  private static func vorbisHeads(_ cookie: [UInt8], _ comments: [UInt8]) -> [[UInt8]]? {
    guard cookie.first == 2 else { return nil }
    var (place, sizes) = (1, [Int]())
    for _ in 0..<2 {
      var size = 0
      while place < cookie.count, cookie[place] == 255 {
        size += 255
        place += 1
      }
      guard place < cookie.count else { return nil }
      sizes.append(size + Int(cookie[place]))
      place += 1
    }
    guard sizes[0] + sizes[1] < cookie.count - place, sizes[0] >= 30 else { return nil }
    let first = Array(cookie[place..<place + sizes[0]])
    let setup = Array(cookie[(place + sizes[0] + sizes[1])...])
    return [first, [3] + Array("vorbis".utf8) + comments + [1], setup]
  }

  /// The comment list: the program's name, then names and texts.
  private static func comments(_ metadata: SoundFileMetadata) -> [UInt8] {
    var texts = SoundFileMetadata.tagNames.compactMap { name, tag -> String? in
      let key = name == "track" ? "TRACKNUMBER" : name.uppercased()
      return metadata.tags[tag].map { "\(key)=\($0)" }
    }
    if let loop = metadata.instrument?.loops.first {
      texts += ["LOOPSTART=\(loop.frames.lowerBound)", "LOOPLENGTH=\(loop.frames.count)"]
    }
    let vendor = Array("downbeat".utf8)
    return RiffMetadata.word(vendor.count) + vendor + RiffMetadata.word(texts.count)
      + texts.flatMap { RiffMetadata.word($0.utf8.count) + Array($0.utf8) }
  }
}

/// Pages of an Ogg stream.
///
/// Source: RFC 3533, section 6.
struct OggPages {
  private var buffer: ByteBuffer
  private var (segments, content) = ([UInt8](), [UInt8]())
  private var number = 0
  /// The position at the end of the last packet that ends on the page; −1 if none does.
  private var granule: Int64 = -1
  private var continues = false

  /// The bytes after which a page ends.
  private static let usualByteCount = 4096

  init(_ stream: FileStream) { buffer = ByteBuffer(stream) }

  /// Adds a packet with the position at its end.
  mutating func add(_ packet: [UInt8], granule: Int64) {
    if content.count >= Self.usualByteCount { emit(flags: 0) }
    var (rest, isEnded) = (packet[...], false)
    while !isEnded {
      if segments.count == 255 {
        emit(flags: 0)
        continues = rest.count < packet.count
      }
      let part = rest.prefix(255)
      segments.append(UInt8(part.count))
      content += part
      rest = rest.dropFirst(255)
      isEnded = part.count < 255
    }
    self.granule = granule
  }

  /// Ends the page, if there is anything on it.
  mutating func flush() {
    if !segments.isEmpty { emit(flags: 0) }
  }

  /// Ends the stream at a position.
  mutating func finish(granule: Int64) {
    self.granule = granule
    emit(flags: 4)
    buffer.flush()
  }

  private mutating func emit(flags: UInt8) {
    let kind = flags | (continues ? 1 : 0) | (number == 0 ? 2 : 0)
    let position = (0..<8).map { UInt8(truncatingIfNeeded: granule >> Int64(8 * $0)) }
    let page =
      Array("OggS".utf8) + [0, kind] + position + RiffMetadata.word(0) + RiffMetadata.word(number)
      + RiffMetadata.word(0) + [UInt8(segments.count)] + segments + content
    buffer.append(OggSerial.stamped(page))
    (segments, content, granule, continues) = ([], [], -1, false)
    number += 1
  }
}
