// SPDX-License-Identifier: Apache-2.0
import AudioFiles
import TestSupport
import Testing

/// Ogg that arrives in pieces: pages created by hand, with packets of Opus whose first bytes state
/// their durations, and which are not decoded.
struct OggStreamTests {
  /// A packet of 20 ms (960 frames at 48 kHz) with a size.
  private static func packet(_ size: Int = 40, _ fill: UInt8 = 0x11) -> [UInt8] {
    [0x78 | 0x80] + [UInt8](repeating: fill, count: size - 1)
  }

  private static func headers(
    serial: UInt32 = 1, preSkip: Int = 312, _ comments: [String] = []
  ) -> [OggPages.Page] {
    [
      OggPages.Page(
        flags: 2, granule: 0, serial: serial, number: 0,
        packets: [OggPages.opusHead(preSkip: preSkip)]),
      OggPages.Page(
        granule: 0, serial: serial, number: 1,
        packets: [Array("OpusTags".utf8) + OggPages.comments(comments)]),
    ]
  }

  /// Pages of five packets each.
  private static func sound(
    _ count: Int, serial: UInt32 = 1, from first: UInt32 = 2, position: Int64 = 0,
    isWhole: Bool = true
  ) -> [OggPages.Page] {
    (0..<count).map { index in
      OggPages.Page(
        flags: isWhole && index == count - 1 ? 4 : 0, granule: position + Int64(4800 * (index + 1)),
        serial: serial, number: first + UInt32(index),
        packets: (0..<5).map { packet(40 + $0, UInt8(index)) })
    }
  }

  private static func bytes(_ pages: [OggPages.Page]) -> [UInt8] { pages.flatMap(\.bytes) }

  @Test(arguments: [1, 13, 500, 100_000])
  func `packets are found in pieces of any size`(pieces: Int) throws {
    let pages = Self.headers(["TITLE=A"]) + Self.sound(6)
    let run = try StreamRun.all(Self.bytes(pages), pieces: pieces, decodes: false)
    let expected = pages[2...].flatMap { page in (0..<5).map { Self.packet(40 + $0, page.body[1]) }
    }
    #expect(run.packets.map(\.bytes) == expected)
    #expect(run.firstFrames == StreamRun.multiples(of: 960, 0..<30))
    #expect(run.packets.allSatisfy { $0.frameCount == 960 && !$0.isDiscontinuous })
    #expect(run.packets.compactMap(\.newTags) == [[.title: "A"]])
    let properties = try #require(run.stream.properties)
    #expect(properties.layers.first?.codec == .opus && properties.hertz == 48_000)
    #expect(properties.primingFrameCount == 312 && properties.kind == .ogg)
    #expect(run.stream.frameCount?.value == 28_488)
    #expect(run.stream.strayByteCount == 0)
  }

  @Test func `the last page's position cuts the end`() throws {
    var pages = Self.headers() + Self.sound(3)
    pages[4].granule -= 2000
    let run = try StreamRun.all(Self.bytes(pages), decodes: false)
    let omitted: [[Range<Int>]] = [[880..<960], [0..<960], [0..<960]]
    #expect(run.packets.suffix(3).map(\.omittedFrames) == omitted)
    #expect(run.packets.dropLast(3).allSatisfy { $0.omittedFrames.isEmpty })
    #expect(run.stream.frameCount?.value == 12_088)
  }

  @Test func `a packet can extend over pages, and one without a start is dropped`() throws {
    let long = Self.packet(700)
    let pages =
      Self.headers() + [
        OggPages.Page(granule: -1, number: 2, lacing: [255], body: Array(long[..<255])),
        OggPages.Page(
          flags: 1, granule: 960, number: 3, lacing: [255, 190], body: Array(long[255...])),
        OggPages.Page(granule: -1, number: 4, lacing: [255], body: Array(long[..<255])),
        // The page with the end is missing.
        OggPages.Page(
          flags: 1, granule: 3840, number: 6, lacing: [10, 40],
          body: Array(long[..<10]) + Self.packet()),
      ]
    let run = try StreamRun.all(Self.bytes(pages), pieces: 100, decodes: false)
    #expect(run.packets.map(\.byteCount) == [700, 40])
    #expect(run.packets.first?.bytes == long)
    #expect(run.firstFrames == [0, 2880])
    #expect(run.packets.map(\.isDiscontinuous) == [false, true])
  }

  @Test func `missing pages lose only their packets, and positions stay exact`() throws {
    var pages = Self.headers() + Self.sound(6)
    pages.remove(at: 4)
    let run = try StreamRun.all(Self.bytes(pages), decodes: false)
    #expect(run.packets.count == 25)
    #expect(run.packets.filter(\.isDiscontinuous).map(\.firstFrame) == [3 * 4800])
    #expect(run.packets.last?.firstFrame == 27_840)
    #expect(run.packets.allSatisfy { !$0.isEstimated })
  }

  @Test func `a damaged page is skipped byte by byte`() throws {
    let pages = Self.headers() + Self.sound(6)
    var bytes = Self.bytes(pages)
    let start = Self.bytes(Array(pages[..<4])).count
    bytes[start + 60] ^= 1
    let run = try StreamRun.all(bytes, pieces: 19, decodes: false)
    #expect(run.packets.count == 25)
    #expect(run.stream.strayByteCount == Int64(pages[4].bytes.count))
    #expect(run.packets.filter(\.isDiscontinuous).map(\.firstFrame) == [3 * 4800])
  }

  @Test func `the first multiplexed stream with sound is used`() throws {
    let picture = OggPages.Page(
      flags: 2, granule: 0, serial: 9, number: 0, packets: [[0x80] + Array("theora".utf8)])
    let first = Self.headers(serial: 1), second = Self.headers(serial: 2)
    var pages = [picture, first[0], second[0], first[1], second[1]]
    for (one, other) in zip(Self.sound(4, serial: 1), Self.sound(4, serial: 2)) {
      pages += [
        other, one,
        OggPages.Page(granule: 5, serial: 9, number: one.number, packets: [[1, 2, 3]]),
      ]
    }
    let run = try StreamRun.all(Self.bytes(pages), decodes: false)
    #expect(run.packets.count == 20 && run.stream.strayByteCount == 0)
    #expect(run.firstFrames == StreamRun.multiples(of: 960, 0..<20))
    #expect(run.packets.allSatisfy { $0.newProperties == nil })
  }

  @Test func `streams of a chain follow one another with their own comments`() throws {
    let pages =
      Self.headers(serial: 1, ["TITLE=A"]) + Self.sound(2, serial: 1)
      + Self.headers(serial: 2, preSkip: 100, ["TITLE=B", "ARTIST=C"]) + Self.sound(2, serial: 2)
    let run = try StreamRun.all(Self.bytes(pages), pieces: 64, decodes: false)
    #expect(run.firstFrames == StreamRun.multiples(of: 960, 0..<20))
    #expect(run.packets[10].newProperties?.primingFrameCount == 100)
    #expect(run.packets[10].newTags == [.title: "B", .artist: "C"])
    #expect(run.packets.filter { $0.newProperties != nil }.count == 1)
    #expect(run.stream.frameCount?.value == 18_788)
  }

  @Test func `a station that is joined, lost and joined again gives all packets`()
    throws
  {
    let headers = Self.bytes(Self.headers(["TITLE=Station"]))
    let sound = Self.sound(40, isWhole: false).map(\.bytes)
    var run = StreamRun(decodes: false)
    try run.append(headers + sound[5..<10].flatMap { $0 } + sound[10].dropLast(30))
    run.stream.noteDiscontinuity()
    // The server sends the headers again, then a page from the middle.
    try run.append(headers + sound[20..<25].flatMap { $0 })
    try run.finish()
    #expect(run.packets.count == 50)
    #expect(run.firstFrames == StreamRun.multiples(of: 960, 0..<50))
    #expect(run.packets.compactMap(\.newProperties).count == 1)
    #expect(run.packets[25].newProperties != nil && run.packets[25].isDiscontinuous)
    let times = run.packets.compactMap(\.time).map { Int($0) }
    let (before, after) = (25..<50, 100..<125)
    #expect(times == StreamRun.multiples(of: 960, before) + StreamRun.multiples(of: 960, after))
  }

  @Test func `positions after a move are exact, and known pages are found again`() throws {
    let pages = Self.headers() + Self.sound(100)
    let bytes = Self.bytes(pages)
    var run = StreamRun(byteCount: bytes.count, decodes: false)
    try run.append(bytes[..<2500])
    #expect(run.stream.frameCount?.isEstimated == true)
    let place = try #require(run.stream.seek(toFrame: 300_000))
    #expect(place.isEstimated)
    let before = run.packets.count
    try run.append(bytes[Int(place.offset)...], at: place.offset)
    let landed = try #require(run.packets.dropFirst(before).first)
    #expect(landed.isDiscontinuous && !landed.isEstimated)
    #expect((0..<10_000).contains(300_000 - landed.firstFrame) && landed.firstFrame % 4800 == 0)
    let known = try #require(run.stream.seek(toFrame: 6000))
    #expect(!known.isEstimated && known.firstFrame == 4800 && known.packet == 5)
    let second = run.packets.count
    try run.append(bytes[Int(known.offset)...], at: known.offset)
    try run.finish()
    #expect(run.packets[second].firstFrame == 4800)
    #expect(run.stream.frameCount?.value == 479_688)
    // From the beginning, headers included.
    let third = run.packets.count
    try run.append(bytes, at: 0)
    let again = Array(run.firstFrames[third...])
    #expect(again == StreamRun.multiples(of: 960, 0..<500))
  }

  @Test func `streams that restart repeatedly, and endless headers, are skipped`() throws {
    var run = StreamRun(decodes: false)
    let link = Self.bytes(Self.headers(["TITLE=A"]) + Self.sound(1))
    for _ in 0..<10 { try run.append((0..<20).flatMap { _ in link }) }
    #expect(run.packets.count == 1000)
    run = StreamRun(decodes: false)
    // Comments that never end.
    let tags = Array("OpusTags".utf8) + OggPages.comments([]).dropLast(4) + [255, 255, 255, 255]
    try run.append(Self.headers()[0].bytes)
    for number in 1..<80 {
      let body = number == 1 ? tags + [UInt8](repeating: 9, count: 65_025 - tags.count) : nil
      try run.append(
        OggPages.Page(
          flags: number == 1 ? 0 : 1, granule: -1, number: UInt32(number),
          lacing: Array(repeating: 255, count: 255),
          body: body ?? [UInt8](repeating: 9, count: 65_025)
        ).bytes)
    }
    // A packet that never ends.
    try run.append(Self.bytes(Self.headers()))
    for number in 2..<80 {
      try run.append(
        OggPages.Page(
          flags: number == 2 ? 0 : 1, granule: -1, number: UInt32(number),
          lacing: Array(repeating: 255, count: 255),
          body: [UInt8](repeating: 0xFC, count: 65_025)
        ).bytes)
    }
    try run.append(link)
    try run.finish()
    #expect(run.packets.count == 5)
  }
}
