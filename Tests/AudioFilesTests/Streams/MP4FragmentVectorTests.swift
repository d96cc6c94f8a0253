// SPDX-License-Identifier: Apache-2.0
import AudioFiles
import TestSupport
import Testing

/// Fragments created by hand: each way to state sizes, positions and times, and wrong numbers.
struct MP4FragmentVectorTests {
  private func packets(_ count: Int, from first: Int = 0) -> [[UInt8]] {
    (first..<first + count).map { number in
      Array(repeating: UInt8(truncatingIfNeeded: number), count: 5 + number % 3)
    }
  }

  private func stream(_ fragments: [MP4FragmentBytes.Fragment]) -> MP4FragmentBytes {
    var stream = MP4FragmentBytes()
    stream.fragments = fragments
    return stream
  }

  private func fragment(_ packets: [[UInt8]], at time: UInt64?) -> MP4FragmentBytes.Fragment {
    var fragment = MP4FragmentBytes.Fragment(packets: packets)
    fragment.time = time
    return fragment
  }

  private func found(_ bytes: [UInt8], pieces: Int = 0) throws -> [SoundStream.Packet] {
    try DecodedStream(bytes, pieces: pieces, decodes: false).packets
  }

  @Test func `positions are relative to the fragment, a position, or the previous data`() throws {
    let all = packets(12)
    for flags in [0x02_0000, 0, 1] as [UInt32] {
      var first = fragment(Array(all[..<7]), at: 0)
      first.flags = flags
      var second = fragment(Array(all[7...]), at: 7 * 1024)
      second.flags = flags
      var stream = stream([first, second])
      if flags == 1 {
        let start = stream.bytes.count
        stream.fragments.removeLast()
        stream.fragments[0].base = UInt64(stream.bytes.count - all[..<7].joined().count - 8)
        stream.fragments[0].dataOffset = 8
        second.base = UInt64(start - all[7...].joined().count)
        second.dataOffset = 0
        stream.fragments.append(second)
      }
      for pieces in [1, 0] {
        let found = try found(stream.bytes, pieces: pieces)
        #expect(found.map(\.bytes) == all, "\(flags)")
        #expect(found.map(\.firstFrame) == (0..<12).map { $0 * 1024 })
      }
    }
  }

  @Test func `defaults are used for sizes and durations that a run omits`() throws {
    let all = Array(repeating: [1, 2, 3, 4, 5, 6] as [UInt8], count: 9)
    var fragment = fragment(all, at: 0)
    fragment.runFlags = 1
    var stream = stream([fragment])
    #expect(try found(stream.bytes).isEmpty)
    stream.defaults = (1024, 6)
    #expect(try found(stream.bytes, pieces: 3).map(\.bytes) == all)
    stream.defaults = (1024, 3)
    #expect(try found(stream.bytes).map(\.byteCount) == Array(repeating: 3, count: 9))
    stream.fragments[0].flags |= 0x18
    #expect(try found(stream.bytes).map(\.bytes) == all)
  }

  @Test func `times are those of the container, and a jump in time is discontinuous`() throws {
    let start: UInt64 = 1 << 40
    let fragments = [
      fragment(packets(4), at: start), fragment(packets(4), at: nil),
      fragment(packets(4), at: start + 44_100),
    ]
    let found = try found(stream(fragments).bytes)
    #expect(found.count == 12)
    #expect(found.map(\.firstFrame) == (0..<12).map { $0 * 1024 })
    #expect(found.prefix(8).compactMap(\.time) == (0..<8).map { Int64(start) + $0 * 1024 })
    #expect(found[8].time == Int64(start) + 44_100)
    #expect(found.map(\.isDiscontinuous) == (0..<12).map { $0 == 8 })
  }

  @Test func `other tracks and unknown boxes are skipped`() throws {
    var other = fragment(packets(5), at: 0)
    other.track = 2
    var stream = stream([other, fragment(packets(3), at: 0), other])
    stream.between = MP4FragmentBytes.box("what", [1, 2, 3]) + MP4FragmentBytes.box("free", [])
    #expect(try found(stream.bytes, pieces: 2).map(\.bytes) == packets(3))
  }

  @Test func `a packet with a shorter duration has fewer frames of sound`() throws {
    var last = fragment(packets(1), at: 4 * 1024)
    last.runFlags = 0x301
    last.duration = 100
    let found = try found(stream([fragment(packets(4), at: 0), last]).bytes)
    #expect(found.map(\.frameCount) == [1024, 1024, 1024, 1024, 100])
    #expect(found.last?.omittedFrames == [100..<1024])
  }

  @Test func `after a gap the next fragment is found`() throws {
    let bytes = stream((0..<4).map { fragment(packets(4), at: UInt64($0) * 4096) }).bytes
    let all = try found(bytes)
    var stream = SoundStream()
    stream.append(bytes[..<Int(all[1].offset + 2)])
    #expect(stream.takePackets().count == 1)
    stream.noteDiscontinuity()
    stream.append(bytes[Int(all[5].offset + 1)...])
    let after = stream.takePackets()
    #expect(after.map(\.bytes) == all[8...].map(\.bytes))
    #expect(after.first?.firstFrame == 1024 && after.first?.time == 8192)
    #expect(after.first?.isDiscontinuous == true)
  }

  @Test(arguments: [UInt32(6), 1, 0])
  func `a run of 2^32 samples gives the available packets`(size: UInt32) throws {
    var fragment = fragment(packets(4), at: 0)
    fragment.runFlags = 1
    fragment.claimedCount = .max
    var stream = stream([fragment, self.fragment(packets(2), at: 0)])
    stream.defaults = (.max, size)
    let found = try found(stream.bytes, pieces: 10)
    let sound = packets(4).joined().count
    #expect(found.count == (size == 0 ? 0 : sound / Int(size)) + 2)
  }

  @Test func `an index that states too many segments is not used`() throws {
    var stream = stream([fragment(packets(4), at: 0)])
    stream.references = [(100, 4096)]
    var parsed = SoundStream()
    parsed.append(stream.bytes)
    #expect(parsed.seek(toFrame: 3000)?.isEstimated == false)
    #expect(parsed.frameCount?.value == 4096)
    stream.claimedReferenceCount = .max
    #expect(try found(stream.bytes).count == 4)
  }

  @Test func `endless headers and boxes are skipped`() throws {
    let stream = stream([fragment(packets(4), at: 0)]).bytes
    let endless: [UInt8] = [0, 0, 0, 1] + Array("moov".utf8) + Array(repeating: 0xFF, count: 8)
    #expect(try found(endless + stream).isEmpty == false)
    let huge = MP4FragmentBytes.box("ftyp", []) + [0x7F, 0xFF, 0xFF, 0xFF] + Array("moov".utf8)
    var parsed = SoundStream()
    parsed.append(huge + Array(repeating: 0, count: 100_000))
    #expect(parsed.needsWholeFile && parsed.properties == nil)
  }
}
