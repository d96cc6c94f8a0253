// SPDX-License-Identifier: Apache-2.0
import AudioFiles
import CAllocationCounter
import Testing

/// The memory of an endless stream.
@Suite(.enabled(if: callocationcounter_works(), "a sanitizer has its own allocator"))
struct StreamMemoryTests {
  /// A packet of MP3 of 417 bytes, and one of AAC in ADTS of 512 bytes.
  static let packets: [[UInt8]] = [
    [0xFF, 0xFB, 0x90, 0] + [UInt8](repeating: 0, count: 413),
    [0xFF, 0xF1, 0x50, 0x80, 0x40, 0x1F, 0xFC] + [UInt8](repeating: 0, count: 505),
  ]

  /// Packets in an hour at 44,100 Hz.
  private static let hour = 3600 * 44_100 / 1024

  @Test(arguments: packets)
  func `an hour of packets uses the memory of their positions, 8 bytes each`(
    packet: [UInt8]
  ) throws {
    let piece = Array(repeatElement(packet, count: 8).joined())
    var stream = SoundStream()
    // The decoder for the first packet is not part of the stream.
    stream.append(piece)
    _ = stream.takePackets()
    var count = 8
    var peaks: [Int] = []
    for _ in 0..<4 {
      callocationcounter_begin()
      for _ in 0..<Self.hour / 32 {
        stream.append(piece)
        count += stream.takePackets().count
      }
      peaks.append(Int(callocationcounter_end().peak))
    }
    #expect(count > Self.hour - 32 && stream.strayByteCount == 0)
    // The array of positions doubles, and exists twice while it does.
    #expect(peaks.reduce(0, max) < 3 * 8 * (1 << 18), "\(peaks)")
    let place = try #require(stream.seek(toPacket: count - 10))
    #expect(!place.isEstimated && place.offset == Int64((count - 10) * packet.count))
  }

  @Test func `the number of stored positions is limited`() throws {
    let piece = Array(repeatElement(Self.packets[0], count: 64).joined())
    var stream = SoundStream()
    stream.keepsBytes = false
    callocationcounter_begin()
    for _ in 0..<(3 * SoundStream.placeLimit / 2) / 64 {
      stream.append(piece)
      _ = stream.takePackets()
    }
    let peak = Int(callocationcounter_end().peak)
    #expect(peak < 4 * 8 * SoundStream.placeLimit, "\(peak)")
    let place = try #require(stream.seek(toPacket: SoundStream.placeLimit + 1000))
    #expect(place.isEstimated)
  }
}
