// SPDX-License-Identifier: Apache-2.0

/// The codec of a sound track of an MP4 file.
///
/// Sources: ISO/IEC 14496-12, 12.2.3 (AudioSampleEntry); 14496-1, 7.2.6 (descriptors); QuickTime
/// File Format, sound sample descriptions of version 1 and 2; ETSI TS 102 366, annex F (AC-3 and
/// E-AC-3); "Encapsulation of Opus in ISO Base Media File Format"; "Encapsulation of FLAC in ISO
/// Base Media File Format".
struct MP4SoundEntry {
  let codec: SoundCodec
  /// The configuration in the form that FFmpeg's decoder expects.
  let cookie: [UInt8]
  let channelCount: Int
  /// The frames per second of the codec, for HE-AAC those of its core; nil if they are not stated.
  let hertz: Int?
  /// The number of frames in each packet, for HE-AAC those of its core; 0 if it varies.
  let framesPerPacket: Int

  /// The number of frames before the sound that Opus states; 0 for other codecs.
  var preSkip: Int {
    guard codec == .opus, cookie.count >= 12 else { return 0 }
    return Int(cookie[10]) | Int(cookie[11]) << 8
  }

  /// Reads a sample entry; nil if its codec is not supported.
  init?(_ entry: MP4Box) {
    guard let version = entry.content.number(8, 2), let channels = entry.content.number(16, 2)
    else { return nil }
    let boxes = entry.dropping(28 + [1: 16, 2: 36][version, default: 0])
    let rate = entry.content.number(24, 2).flatMap { $0 > 0 && version < 2 ? $0 : nil }
    let found: Codec? =
      switch entry.name {
      case "alac": Self.alac(boxes, channels)
      case "mp4a": Self.elementary(boxes, channels, rate)
      case ".mp3": Self.mp3(channels, rate)
      case "ac-3": Self.ac3(boxes.child("dac3"), channels, rate)
      case "ec-3": Self.enhancedAC3(boxes.child("dec3"), channels, rate)
      case "Opus": Self.opus(boxes)
      case "fLaC": Self.flac(boxes)
      default: nil
      }
    guard let found, (1...8).contains(found.channelCount) else { return nil }
    (codec, cookie, channelCount) = (found.codec, found.cookie, found.channelCount)
    (hertz, framesPerPacket) = (found.hertz, found.framesPerPacket)
  }

  private struct Codec {
    var codec: SoundCodec
    var cookie: [UInt8] = []
    var channelCount: Int
    var hertz: Int?
    var framesPerPacket = 0
  }

  private static func alac(_ boxes: MP4Box, _ channels: Int) -> Codec? {
    guard let box = boxes.child("alac") ?? boxes.child("wave", "alac") else { return nil }
    // FFmpeg expects the cookie in its box.
    return Codec(
      codec: .alac, cookie: MP4Box.bytes("alac", Array(box.content)),
      channelCount: box.content.number(4 + 9, 1) ?? channels,
      hertz: box.content.number(4 + 20, 4).flatMap { $0 > 0 ? $0 : nil },
      framesPerPacket: box.content.number(4, 4).flatMap { $0 < 1 << 16 ? $0 : nil } ?? 0)
  }

  private static func elementary(_ boxes: MP4Box, _ channels: Int, _ rate: Int?) -> Codec? {
    guard let box = boxes.child("esds") ?? boxes.child("wave", "esds"),
      let (kind, bytes) = decoder(box.content.dropFirst(4))
    else { return nil }
    switch kind {
    case 0x40, 0x66, 0x67, 0x68:
      guard let config = AudioSpecificConfig(bytes) else { return nil }
      let layer = config.layers[0]
      return Codec(
        codec: layer.codec, cookie: bytes,
        channelCount: config.channelCount == 0 ? channels : layer.channelCount,
        hertz: config.hertz, framesPerPacket: config.framesPerPacket)
    case 0x69, 0x6B: return mp3(channels, rate)
    case 0xA5: return ac3(nil, channels, rate)
    case 0xA6: return enhancedAC3(nil, channels, rate)
    default: return nil
    }
  }

  private static func mp3(_ channels: Int, _ rate: Int?) -> Codec {
    Codec(
      codec: .mp3, channelCount: channels, hertz: rate,
      framesPerPacket: rate.map { $0 < 32_000 ? 576 : 1152 } ?? 0)
  }

  /// The number of full-range channels by coding mode.
  private static let modes = [2, 1, 2, 3, 3, 4, 4, 5]

  private static func ac3(_ box: MP4Box?, _ channels: Int, _ rate: Int?) -> Codec {
    let bits = box?.content.number(0, 3)
    return Codec(
      codec: .ac3, channelCount: bits.map { modes[$0 >> 11 & 7] + $0 >> 10 & 1 } ?? channels,
      hertz: rate, framesPerPacket: 1536)
  }

  private static func enhancedAC3(_ box: MP4Box?, _ channels: Int, _ rate: Int?) -> Codec {
    let bits = box?.content.number(2, 3)
    return Codec(
      codec: .enhancedAC3,
      channelCount: bits.map { modes[$0 >> 9 & 7] + $0 >> 8 & 1 } ?? channels, hertz: rate)
  }

  /// Creates an identification header, whose numbers are little-endian (RFC 7845, 5.1).
  private static func opus(_ boxes: MP4Box) -> Codec? {
    guard let box = boxes.child("dOps")?.content, box.count >= 11, box.first == 0 else {
      return nil
    }
    let bytes = Array(box)
    let channels = Int(bytes[1])
    var head = Array("OpusHead".utf8) + [1, bytes[1], bytes[3], bytes[2]]
    head += bytes[4..<8].reversed()
    head += [bytes[9], bytes[8], bytes[10]]
    guard bytes[10] != 0 else {
      return Codec(codec: .opus, cookie: head, channelCount: channels, hertz: 48_000)
    }
    guard bytes.count >= 13 + channels else { return nil }
    return Codec(
      codec: .opus, cookie: head + bytes[11..<13 + channels], channelCount: channels,
      hertz: 48_000)
  }

  /// Finds the STREAMINFO block (RFC 9639, 8.2).
  private static func flac(_ boxes: MP4Box) -> Codec? {
    guard let box = boxes.child("dfLa")?.content, let kind = box.number(4, 1), kind & 0x7F == 0,
      let size = box.number(5, 3), size == 34, box.count >= 8 + size
    else { return nil }
    let block = box.dropFirst(8).prefix(size)
    guard let smallest = block.number(0, 2), let largest = block.number(2, 2),
      let bits = block.number(10, 4), bits >> 12 > 0
    else { return nil }
    return Codec(
      codec: .flac, cookie: Array(block), channelCount: bits >> 9 & 7 + 1, hertz: bits >> 12,
      framesPerPacket: smallest == largest ? largest : 0)
  }

  /// The object type and configuration of an elementary stream descriptor.
  static func decoder(_ bytes: ArraySlice<UInt8>) -> (kind: Int, cookie: [UInt8])? {
    guard let stream = descriptor(3, bytes), let flags = stream.number(2, 1) else { return nil }
    var head = 3
    if flags & 0x80 != 0 { head += 2 }
    if flags & 0x40 != 0 { head += 1 + (stream.number(head, 1) ?? 0) }
    if flags & 0x20 != 0 { head += 2 }
    guard let config = descriptor(4, stream.dropFirst(head)), let kind = config.number(0, 1) else {
      return nil
    }
    return (kind, descriptor(5, config.dropFirst(13)).map { Array($0) } ?? [])
  }

  /// The content of the descriptor at the start of the bytes, if it has this tag.
  private static func descriptor(_ tag: Int, _ bytes: ArraySlice<UInt8>) -> ArraySlice<UInt8>? {
    guard bytes.number(0, 1) == tag else { return nil }
    var (size, place) = (0, 1)
    while place < 5, let byte = bytes.number(place, 1) {
      size = size << 7 | byte & 0x7F
      place += 1
      if byte & 0x80 == 0 { break }
    }
    return size <= bytes.count - place ? bytes.dropFirst(place).prefix(size) : nil
  }
}
