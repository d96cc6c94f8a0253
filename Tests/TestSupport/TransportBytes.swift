// SPDX-License-Identifier: Apache-2.0
/// Transport streams, created by hand.
///
/// Source: ISO/IEC 13818-1, 2.4.3 and 2.4.4.
public struct TransportBytes {
  /// The numbers of the streams.
  public static let (mapStream, soundStream, tagStream) = (0x1000, 0x101, 0x102)
  /// The bytes so far.
  public private(set) var bytes: [UInt8] = []
  private var counters: [Int: UInt8] = [:]

  /// Creates an empty stream.
  public init() {}

  /// A PAT and a PMT with one stream of AAC and one of ID3 tags.
  public mutating func tables(soundType: UInt8 = 0x0F) {
    section(
      stream: 0,
      [0x00, 0xB0, 13, 0, 1, 0xC1, 0, 0, 0, 1, 0xE0 | UInt8(Self.mapStream >> 8), 0])
    let streams: [UInt8] =
      [soundType, 0xE1, 0x01, 0xF0, 0] + [0x15, 0xE1, 0x02, 0xF0, 0]
    section(
      stream: Self.mapStream,
      [0x02, 0xB0, UInt8(13 + streams.count), 0, 1, 0xC1, 0, 0, 0xE1, 0x01, 0xF0, 0] + streams)
  }

  private mutating func section(stream: Int, _ table: [UInt8]) {
    let sum = Self.checksum(table)
    let whole = table + (0..<4).map { UInt8(truncatingIfNeeded: sum >> UInt32(24 - 8 * $0)) }
    let payload = [0] + whole
    packet(
      stream: stream, isStart: true,
      payload + Array(repeating: 0xFF, count: 184 - payload.count))
  }

  /// One PES packet, in the required number of transport packets.
  public mutating func pes(stream: Int = soundStream, _ content: [UInt8], time: Int64? = nil) {
    var header: [UInt8] = [0, 0, 1, stream == Self.tagStream ? 0xBD : 0xC0]
    let extra: [UInt8] = time.map(Self.stamp) ?? []
    let length = content.count + 3 + extra.count
    header += [UInt8(length >> 8 & 0xFF), UInt8(length & 0xFF), 0x80]
    header += [time == nil ? 0 : 0x80, UInt8(extra.count)] + extra
    var rest = (header + content)[...]
    var isStart = true
    while !rest.isEmpty {
      packet(stream: stream, isStart: isStart, Array(rest.prefix(184)))
      rest = rest.dropFirst(184)
      isStart = false
    }
  }

  private static func stamp(_ time: Int64) -> [UInt8] {
    [
      0x21 | UInt8(time >> 30 & 7) << 1, UInt8(time >> 22 & 0xFF),
      UInt8(time >> 15 & 0x7F) << 1 | 1, UInt8(time >> 7 & 0xFF), UInt8(time & 0x7F) << 1 | 1,
    ]
  }

  /// One transport packet; a short payload is padded with an adaptation field.
  public mutating func packet(
    stream: Int, isStart: Bool, _ payload: [UInt8], isScrambled: Bool = false
  ) {
    let counter = counters[stream, default: 0]
    counters[stream] = (counter + 1) & 15
    let fill = 184 - payload.count
    var head: [UInt8] = [
      0x47, (isStart ? 0x40 : 0) | UInt8(stream >> 8), UInt8(stream & 0xFF),
      (isScrambled ? 0x80 : 0) | (fill > 0 ? 0x30 : 0x10) | counter,
    ]
    if fill > 0 { head.append(UInt8(fill - 1)) }
    if fill > 1 { head += [0] + Array(repeating: 0xFF, count: fill - 2) }
    bytes += head + payload
  }

  /// Other bytes.
  public mutating func add(_ more: [UInt8]) { bytes += more }

  /// The checksum, bit by bit from its definition; a test checks it with the published vector.
  public static func checksum(_ bytes: [UInt8]) -> UInt32 {
    var sum: UInt32 = 0xFFFF_FFFF
    for byte in bytes {
      for bit in 0..<8 {
        let isSet = (sum >> 31 == 1) != (byte >> UInt8(7 - bit) & 1 == 1)
        sum = sum << 1 ^ (isSet ? 0x04C1_1DB7 : 0)
      }
    }
    return sum
  }

  /// Packets of AAC with their headers, and random bytes without 0xFF instead of sound.
  public static func aac(_ count: Int, seed: UInt64 = 1) -> [[UInt8]] {
    var random = SplitMix(seed: seed)
    return (0..<count).map { _ in
      let size = 100 + Int(random.next() % 400)
      let length = size + 7
      return [
        0xFF, 0xF1, 0x50, 0x80 | UInt8(length >> 11), UInt8(length >> 3 & 0xFF),
        UInt8(length & 7) << 5 | 0x1F, 0xFC,
      ] + (0..<size).map { _ in UInt8(random.next() % 255) }
    }
  }

  /// A tag with one text frame, by ID3 2.4.0.
  public static func tag(title: String) -> [UInt8] {
    let text = [3] + Array(title.utf8)
    let frame = Array("TIT2".utf8) + [0, 0, 0, UInt8(text.count), 0, 0] + text
    return Array("ID3".utf8) + [4, 0, 0, 0, 0, 0, UInt8(frame.count)] + frame
  }
}
