// SPDX-License-Identifier: Apache-2.0

/// The information that an encoder stores in the first packet of an MP3 file, instead of sound.
///
/// Sources: Xing's header, LAME's "Mp3 Info Tag rev 1", Fraunhofer's VBRI, as their programs write
/// them.
struct MP3Tag: Hashable, Sendable {
  /// The number of packets of sound, 1 or more; nil if it is not stated.
  var packetCount: Int?
  /// The bytes from this packet to the end; nil if they are not stated.
  var byteCount: Int?
  /// The positions of parts of the sound; nil if they are not stated or not in order.
  private(set) var contents: ContentsTable?
  /// The frames that the encoder added before and after the sound; nil if they are not stated.
  var padding: (before: Int, behind: Int)? {
    before.flatMap { before in behind.map { (before, $0) } }
  }
  private var before: Int?
  private var behind: Int?

  /// The delay of every decoder of layer III, in frames.
  static let decoderDelay = 529

  /// Reads the tag of a packet; nil if the packet contains sound.
  init?(_ packet: [UInt8], _ header: MPEGAudioHeader) {
    if ["Xing", "Info"].contains(Self.text(packet, header.tagOffset)) {
      readXing(packet, header.tagOffset)
    } else if Self.text(packet, Self.vbriOffset) == "VBRI" {
      readVBRI(packet, Self.vbriOffset)
    } else {
      return nil
    }
  }

  private mutating func readXing(_ packet: [UInt8], _ start: Int) {
    var place = start + 8
    let flags = Self.number(packet, start + 4, 4) ?? 0
    if flags & 1 != 0 {
      packetCount = Self.number(packet, place, 4).flatMap { $0 > 0 ? $0 : nil }
      place += 4
    }
    if flags & 2 != 0 {
      byteCount = Self.number(packet, place, 4)
      place += 4
    }
    if flags & 4 != 0 {
      readContents(packet, place)
      place += 100
    }
    if flags & 8 != 0 { place += 4 }
    // Only LAME's tag has the encoder's name here.
    guard place < packet.count, packet[place] != 0,
      let both = Self.number(packet, place + 21, 3)
    else { return }
    (before, behind) = (both >> 12, both & 0xFFF)
  }

  private mutating func readContents(_ packet: [UInt8], _ start: Int) {
    guard start + 100 <= packet.count, let packetCount, let byteCount else { return }
    contents = ContentsTable(
      hundredths: Array(packet[start..<start + 100]), packetCount: packetCount,
      byteCount: byteCount)
  }

  /// The bytes of the packet before VBRI's tag, for any number of channels.
  private static let vbriOffset = MPEGAudioHeader.byteCount + 32

  private mutating func readVBRI(_ packet: [UInt8], _ start: Int) {
    byteCount = Self.number(packet, start + 10, 4)
    packetCount = Self.number(packet, start + 14, 4).flatMap { $0 > 0 ? $0 : nil }
    guard let count = Self.number(packet, start + 18, 2),
      let scale = Self.number(packet, start + 20, 2),
      let width = Self.number(packet, start + 22, 2),
      let packets = Self.number(packet, start + 24, 2), (1...4).contains(width)
    else { return }
    let parts = (0..<count).compactMap { Self.number(packet, start + 26 + $0 * width, width) }
    guard parts.count == count else { return }
    contents = ContentsTable(parts: parts.map { $0 * scale }, packetsPerPart: packets)
  }

  /// The priming and remainder, for a decoder that returns all frames of a packet.
  var gapless: GaplessLength? {
    padding.map {
      GaplessLength(
        priming: $0.before + Self.decoderDelay, remainder: max(0, $0.behind - Self.decoderDelay))
    }
  }

  private static func number(_ bytes: [UInt8], _ place: Int, _ count: Int) -> Int? {
    guard place + count <= bytes.count else { return nil }
    return bytes[place..<place + count].reduce(0) { $0 << 8 | Int($1) }
  }

  private static func text(_ bytes: [UInt8], _ place: Int) -> String? {
    guard place + 4 <= bytes.count else { return nil }
    return String(decoding: bytes[place..<place + 4], as: UTF8.self)
  }
}
