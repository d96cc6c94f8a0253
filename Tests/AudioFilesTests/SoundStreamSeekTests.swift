// SPDX-License-Identifier: Apache-2.0
import AudioFiles
import Testing

/// Seeking in two minutes of MP3 made by hand: 72 s at 32 kbit/s, then 48 s at 320 kbit/s.
struct SoundStreamSeekTests {
  /// The encoder's table of contents.
  enum Table: CaseIterable, Sendable {
    case xing, vbri, outOfOrder, missing
  }

  /// A file and the positions of its packets.
  private struct File {
    private(set) var bytes: [UInt8] = []
    private(set) var places: [Int] = []

    static let packetCount = 4594

    init(_ table: Table) {
      let head = Self.packet(bitrateIndex: 5)
      bytes = head
      for number in 0..<Self.packetCount {
        places.append(bytes.count)
        bytes += Self.packet(bitrateIndex: number < Self.packetCount * 6 / 10 ? 1 : 14)
      }
      let tag = table == .vbri ? vbri : xing(table)
      bytes.replaceSubrange(36..<36 + tag.count, with: tag)
    }

    /// A packet at 44,100 Hz without a checksum: MPEG-1 layer III, ISO/IEC 11172-3, 2.4.1.3.
    private static func packet(bitrateIndex: UInt8) -> [UInt8] {
      let bitrate = [1: 32_000, 5: 64_000, 14: 320_000][bitrateIndex] ?? 0
      let head: [UInt8] = [0xFF, 0xFB, bitrateIndex << 4, 0]
      return head + [UInt8](repeating: 0, count: 144 * bitrate / 44_100 - 4)
    }

    private func number(_ value: Int, _ width: Int) -> [UInt8] {
      (0..<width).reversed().map { UInt8(value >> (8 * $0) & 0xFF) }
    }

    private func xing(_ table: Table) -> [UInt8] {
      var contents = (0..<100).map { hundredth in
        UInt8(places[hundredth * Self.packetCount / 100] * 256 / bytes.count)
      }
      if table == .outOfOrder { contents.swapAt(20, 80) }
      return Array("Xing".utf8) + number(table == .missing ? 3 : 7, 4)
        + number(Self.packetCount, 4) + number(bytes.count, 4) + contents
    }

    /// Parts of 100 packets, counted in pairs of bytes.
    private var vbri: [UInt8] {
      let ends =
        (places + [bytes.count]).enumerated()
        .compactMap { $0.offset % 100 == 0 && $0.offset > 0 ? $0.element : nil } + [bytes.count]
      let parts = zip(ends, [0] + ends).map { ($0 - $1) / 2 }
      return Array("VBRI".utf8) + number(1, 2) + number(0, 2) + number(75, 2)
        + number(bytes.count, 4) + number(Self.packetCount, 4) + number(parts.count, 2)
        + number(2, 2) + number(2, 2) + number(100, 2) + parts.flatMap { number($0, 2) }
    }
  }

  /// Seeks in a stream with the first 8000 bytes; returns the packet at the position.
  private func packet(
    _ number: Int, of file: File
  ) throws -> (place: SoundStream.Place, first: SoundStream.Packet) {
    var stream = SoundStream(byteCount: Int64(file.bytes.count))
    stream.append(file.bytes[..<8000])
    #expect(stream.packetCount?.value == File.packetCount)
    let place = try #require(stream.seek(toPacket: number))
    _ = stream.takePackets()
    let rest = file.bytes[Int(place.offset)...].prefix(8000)
    stream.append(rest, at: place.offset)
    return (place, try #require(stream.takePackets().first))
  }

  @Test(arguments: [Table.xing, .vbri], [0.5, 30.2, 70, 90.5, 119.5])
  func `a seek reaches the requested time`(
    table: Table, seconds: Double
  ) throws {
    let file = File(table)
    let number = Int(seconds * 44_100 / 1152)
    let (_, first) = try packet(number, of: file)
    #expect(abs(Double(first.firstFrame) / 44_100 - seconds) <= 1)
    // The table is exact to 1/256 of the bytes.
    #expect(abs(Int(first.offset) - file.places[number]) <= file.bytes.count / 256 + 1044)
  }

  @Test(arguments: [Table.xing, .vbri])
  func `a packet after a seek has the requested index`(table: Table) throws {
    let file = File(table)
    for number in stride(from: 100, to: 4500, by: 111) {
      let (place, first) = try packet(number, of: file)
      #expect(place.packet == number && first.isEstimated)
      // In a part with packets of both sizes the mean size is used.
      #expect(abs(Int(first.firstFrame / 1152) - number) <= 3, "\(number)")
    }
  }

  @Test func `a table out of order is not used`() throws {
    let (broken, missing) = (File(.outOfOrder), File(.missing))
    for number in [100, 1000, 4000] {
      let there = try packet(number, of: missing)
      let here = try packet(number, of: broken)
      #expect(there.place == here.place && there.first == here.first)
    }
  }
}
