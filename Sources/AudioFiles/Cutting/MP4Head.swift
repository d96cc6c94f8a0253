// SPDX-License-Identifier: Apache-2.0

/// The part of an M4A file before its packets, which follow in one box.
///
/// Sources: ISO/IEC 14496-12 (boxes), 14496-14 and 14496-1 (`esds`), Apple's QuickTime File Format
/// (`alac`, `ilst`), iTunes (`iTunSMPB`).
struct MP4Head {
  /// A packet.
  struct Packet {
    let byteCount: Int
    let frameCount: Int
  }

  let codec: SoundCodec
  /// The magic cookie: an AudioSpecificConfig, or an ALAC cookie in its box.
  let cookie: [UInt8]
  let channelCount: Int
  /// Frames per second.
  let hertz: Int
  let packets: [Packet]
  /// Frames before the sound, and frames of the sound.
  let primingFrameCount: Int
  let frameCount: Int64
  /// Ranges of decoded frames within the sound that are padding.
  var gaps: [Range<Int64>] = []
  var tags: [SoundFileMetadata.Tag: String] = [:]

  /// The number of packets in a chunk of the index.
  private static let chunk = 32

  /// The bytes of the head, up to the first byte of the first packet.
  var bytes: [UInt8] {
    let sound = packets.reduce(Int64(0)) { $0 + Int64($1.byteCount) }
    let isLong = sound + 8 > Int64(UInt32.max) - (1 << 27)
    let type = MP4Box.bytes(
      "ftyp", Array("M4A ".utf8) + Self.number(0, 4) + Array("M4A mp42isom".utf8))
    // The size of the index does not depend on the offsets in it.
    let size = type.count + movie(offset: 0, isLong: isLong).count
    let before = Int64(size + (isLong ? 16 : 8))
    let media =
      isLong
      ? Self.number(1, 4) + Array("mdat".utf8) + Self.number(sound + 16, 8)
      : Self.number(sound + 8, 4) + Array("mdat".utf8)
    return type + movie(offset: before, isLong: isLong) + media
  }

  /// The ranges of decoded frames that are sound.
  private var pieces: [Range<Int64>] {
    let starts = [Int64(primingFrameCount)] + gaps.map(\.upperBound)
    return zip(starts, gaps.map(\.lowerBound) + [soundEnd]).map { $0..<max($0, $1) }
  }

  /// The end of the sound, in decoded frames.
  private var soundEnd: Int64 {
    Int64(primingFrameCount) + frameCount + gaps.reduce(Int64(0)) { $0 + Int64($1.count) }
  }

  private var decodedFrameCount: Int64 { packets.reduce(0) { $0 + Int64($1.frameCount) } }

  private func movie(offset: Int64, isLong: Bool) -> [UInt8] {
    let header = MP4Box.bytes(
      "mvhd",
      [1, 0, 0, 0] + Self.zeros(16) + Self.number(Int64(hertz), 4) + Self.number(frameCount, 8)
        + Self.number(0x10000, 4) + Self.number(0x100, 2) + Self.zeros(10) + Self.unity
        + Self.zeros(24) + Self.number(2, 4))
    return MP4Box.bytes("moov", header + track(offset, isLong) + userData)
  }

  private func track(_ offset: Int64, _ isLong: Bool) -> [UInt8] {
    let edits = pieces
    let parts = edits.flatMap {
      Self.number(Int64($0.count), 8) + Self.number($0.lowerBound, 8) + Self.number(0x10000, 4)
    }
    let header = MP4Box.bytes(
      "tkhd",
      [1, 0, 0, 7] + Self.zeros(16) + Self.number(1, 4) + Self.zeros(4)
        + Self.number(frameCount, 8) + Self.zeros(8) + Self.number(0, 4) + Self.number(0x100, 2)
        + Self.zeros(2) + Self.unity + Self.zeros(8))
    let edit = MP4Box.bytes("elst", [1, 0, 0, 0] + Self.number(Int64(edits.count), 4) + parts)
    return MP4Box.bytes("trak", header + MP4Box.bytes("edts", edit) + media(offset, isLong))
  }

  private func media(_ offset: Int64, _ isLong: Bool) -> [UInt8] {
    // The language is not stated ("und").
    let header = MP4Box.bytes(
      "mdhd",
      [1, 0, 0, 0] + Self.zeros(16) + Self.number(Int64(hertz), 4)
        + Self.number(decodedFrameCount, 8) + [0x55, 0xC4, 0, 0])
    let handler = MP4Box.bytes("hdlr", Self.zeros(8) + Array("soun".utf8) + Self.zeros(13))
    let reference = MP4Box.bytes(
      "dref", Self.zeros(4) + Self.number(1, 4) + MP4Box.bytes("url ", [0, 0, 0, 1]))
    let information = MP4Box.bytes(
      "minf",
      MP4Box.bytes("smhd", Self.zeros(8)) + MP4Box.bytes("dinf", reference)
        + MP4Box.bytes("stbl", samples(offset, isLong)))
    return MP4Box.bytes("mdia", header + handler + information)
  }

  private func samples(_ offset: Int64, _ isLong: Bool) -> [UInt8] {
    let descriptions = MP4Box.bytes("stsd", Self.zeros(4) + Self.number(1, 4) + entry)
    return descriptions + durations + chunks + sizes + offsets(offset, isLong)
  }

  /// The sample entry, with the decoder's configuration.
  private var entry: [UInt8] {
    // Rates of more than 16 bits are stated in the cookie only.
    let rate = hertz < 1 << 16 ? hertz << 16 : 0
    let head =
      Self.zeros(6) + Self.number(1, 2) + Self.zeros(8) + Self.number(Int64(channelCount), 2)
      + Self.number(16, 2) + Self.zeros(4) + Self.number(Int64(rate), 4)
    guard codec != .alac else { return MP4Box.bytes("alac", head + cookie) }
    return MP4Box.bytes("mp4a", head + MP4Box.bytes("esds", Self.zeros(4) + stream))
  }

  /// The descriptor of an elementary stream of AAC.
  private var stream: [UInt8] {
    let largest = packets.map(\.byteCount).max() ?? 0
    let sound = packets.reduce(Int64(0)) { $0 + Int64($1.byteCount) }
    let bits = min(Int64(UInt32.max), sound * 8 * Int64(hertz) / max(1, decodedFrameCount))
    let config =
      [0x40, 0x15] + Self.number(Int64(largest), 3) + Self.number(bits, 4) + Self.number(bits, 4)
      + Self.descriptor(5, cookie)
    return Self.descriptor(3, [0, 0, 0] + Self.descriptor(4, config) + Self.descriptor(6, [2]))
  }

  private static func descriptor(_ tag: UInt8, _ content: [UInt8]) -> [UInt8] {
    let size = content.count
    return [tag, 0x80 | UInt8(size >> 21 & 0x7F), 0x80 | UInt8(size >> 14 & 0x7F)]
      + [0x80 | UInt8(size >> 7 & 0x7F), UInt8(size & 0x7F)] + content
  }

  private var durations: [UInt8] {
    var runs: [(count: Int64, frames: Int)] = []
    for packet in packets {
      if let last = runs.last, last.frames == packet.frameCount {
        runs[runs.count - 1].count += 1
      } else {
        runs.append((1, packet.frameCount))
      }
    }
    let entries = runs.flatMap { Self.number($0.count, 4) + Self.number(Int64($0.frames), 4) }
    return MP4Box.bytes("stts", Self.zeros(4) + Self.number(Int64(runs.count), 4) + entries)
  }

  private var chunks: [UInt8] {
    let (whole, rest) = packets.count.quotientAndRemainder(dividingBy: Self.chunk)
    var entries: [(first: Int, count: Int)] = []
    if whole > 0 { entries.append((1, Self.chunk)) }
    if rest > 0 { entries.append((whole + 1, rest)) }
    let bytes = entries.flatMap {
      Self.number(Int64($0.first), 4) + Self.number(Int64($0.count), 4) + Self.number(1, 4)
    }
    return MP4Box.bytes("stsc", Self.zeros(4) + Self.number(Int64(entries.count), 4) + bytes)
  }

  private var sizes: [UInt8] {
    let bytes = packets.flatMap { Self.number(Int64($0.byteCount), 4) }
    return MP4Box.bytes("stsz", Self.zeros(8) + Self.number(Int64(packets.count), 4) + bytes)
  }

  private func offsets(_ offset: Int64, _ isLong: Bool) -> [UInt8] {
    var (bytes, place, count) = ([UInt8](), offset, Int64(0))
    for (index, packet) in packets.enumerated() {
      if index % Self.chunk == 0 {
        bytes += Self.number(place, isLong ? 8 : 4)
        count += 1
      }
      place += Int64(packet.byteCount)
    }
    return MP4Box.bytes(isLong ? "co64" : "stco", Self.zeros(4) + Self.number(count, 4) + bytes)
  }

  private static let unity: [UInt8] =
    number(0x10000, 4) + zeros(12) + number(0x10000, 4) + zeros(12) + number(0x4000_0000, 4)

  private static func zeros(_ count: Int) -> [UInt8] { Array(repeating: 0, count: count) }

  private static func number(_ value: Int64, _ count: Int) -> [UInt8] {
    (0..<count).map { UInt8(truncatingIfNeeded: value >> Int64(8 * (count - 1 - $0))) }
  }
}

extension MP4Head {
  /// The user data: the tags, and the padding frames in the form of iTunes.
  private var userData: [UInt8] {
    // This form cannot describe gaps.
    let (behind, length) = (decodedFrameCount - soundEnd, soundEnd - Int64(primingFrameCount))
    let numbers = [Int64(0), Int64(primingFrameCount), behind].map { Self.hexadecimal($0, 8) }
    let text = " " + (numbers + [Self.hexadecimal(length, 16)]).joined(separator: " ")
    let gapless =
      MP4Box.bytes("mean", Self.zeros(4) + Array("com.apple.iTunes".utf8))
      + MP4Box.bytes("name", Self.zeros(4) + Array("iTunSMPB".utf8))
      + Self.data(1, Array((text + String(repeating: " 00000000", count: 8)).utf8))
    let items = tagItems + MP4Box.bytes("----", gapless)
    let handler = MP4Box.bytes(
      "hdlr", Self.zeros(8) + Array("mdirappl".utf8) + Self.zeros(9))
    let meta = MP4Box.bytes("meta", Self.zeros(4) + handler + MP4Box.bytes("ilst", items))
    return MP4Box.bytes("udta", meta)
  }

  private var tagItems: [UInt8] {
    MP4Sound.tagNames.sorted { $0.key < $1.key }.flatMap { name, tag -> [UInt8] in
      guard let text = tags[tag] else { return [] }
      return MP4Box.bytes(name, Self.data(1, Array(text.utf8)))
    } + trackNumber
  }

  private var trackNumber: [UInt8] {
    let numbers = (tags[.trackNumber] ?? "").split(separator: "/").compactMap { UInt16($0) }
    guard let number = numbers.first else { return [] }
    let total = numbers.count > 1 ? numbers[1] : 0
    let content =
      Self.zeros(2) + Self.number(Int64(number), 2) + Self.number(Int64(total), 2) + Self.zeros(2)
    return MP4Box.bytes("trkn", Self.data(0, content))
  }

  /// A value of a kind: 1 is text, 0 is bytes.
  private static func data(_ kind: Int64, _ content: [UInt8]) -> [UInt8] {
    MP4Box.bytes("data", number(kind, 4) + zeros(4) + content)
  }

  private static func hexadecimal(_ value: Int64, _ digits: Int) -> String {
    let text = String(value, radix: 16, uppercase: true)
    return String(repeating: "0", count: max(0, digits - text.count)) + text
  }
}
