// SPDX-License-Identifier: Apache-2.0
import AudioFiles
import TestSupport
import Testing

/// FLAC that arrives in pieces, created by hand.
struct FLACStreamTests {
  private static func samples(_ count: Int) -> [Int16] {
    var random = SplitMix(seed: 5)
    return (0..<count).map { _ in Int16(truncatingIfNeeded: random.next()) }
  }

  private static func expected(_ samples: [Int16]) -> [Float] {
    samples.map { Float($0) / 32_768 }
  }

  @Test(arguments: [1, 7, 300, 100_000])
  func `frames of one size are found in pieces of any size`(pieces: Int) throws {
    var maker = FLACMaker()
    maker.blocks = (576, 576)
    maker.statedCount = 576 * 9 + 100
    let samples = Self.samples(576 * 9 + 100)
    let bytes = maker.stream(samples, sizes: Array(repeating: 576, count: 9) + [100])
    let run = try StreamRun.all(bytes, pieces: pieces)
    #expect(run.samples == Self.expected(samples))
    #expect(run.packets.map(\.frameCount) == Array(repeating: 576, count: 9) + [100])
    #expect(run.firstFrames == StreamRun.multiples(of: 576, 0..<10))
    #expect(run.stream.properties?.packetCount == 10)
    #expect(run.stream.strayByteCount == 0 && run.failureCount == 0)
  }

  @Test(arguments: [1, 100, 100_000])
  func `frames of different sizes are numbered by their samples`(pieces: Int) throws {
    var maker = FLACMaker()
    maker.isVariable = true
    maker.blocks = (16, 4608)
    let sizes = [16, 4608, 100, 17, 2000, 4096, 16]
    let samples = Self.samples(sizes.reduce(0, +))
    let run = try StreamRun.all(maker.stream(samples, sizes: sizes), pieces: pieces)
    #expect(run.samples == Self.expected(samples))
    #expect(run.packets.map(\.frameCount) == sizes)
    #expect(run.stream.frameCount?.value == Int64(samples.count))
    #expect(run.stream.frameCount?.isEstimated == false)
    #expect(run.stream.properties?.packetCount == nil)
  }

  @Test func `damage loses only the damaged frames, and others keep their numbers`() throws {
    var maker = FLACMaker()
    maker.blocks = (576, 576)
    let samples = Self.samples(576 * 12)
    let frames = maker.frames(samples, sizes: Array(repeating: 576, count: 12))
    var bytes = maker.head() + frames.flatMap { $0 }
    let start = maker.head().count
    bytes[start + 5 * frames[0].count + 500] ^= 0x10
    let run = try StreamRun.all(bytes, pieces: 77)
    let others = StreamRun.multiples(of: 576, 0..<12).filter { $0 != 5 * 576 }
    #expect(run.firstFrames == others)
    #expect(run.packets.filter(\.isDiscontinuous).map(\.firstFrame) == [576 * 6])
    #expect(run.stream.strayByteCount == Int64(frames[5].count))
    let left = Self.expected(Array(samples[..<(576 * 5)] + samples[(576 * 6)...]))
    #expect(run.samples == left)
  }

  @Test func `a pattern in the sound that looks like a header is not a frame`() throws {
    var maker = FLACMaker()
    maker.blocks = (576, 576)
    var samples = Self.samples(576 * 4)
    // The header of a later frame, and that of another stream, within the samples.
    let header = maker.frame(Array(samples[..<576]), number: 900)[..<10]
    let words = stride(from: 0, to: 10, by: 2).map {
      Int16(bitPattern: UInt16(header[$0]) << 8 | UInt16(header[$0 + 1]))
    }
    for place in [100, 700, 800, 900, 1000, 1100] {
      samples.replaceSubrange(place..<place + words.count, with: words)
    }
    let run = try StreamRun.all(
      maker.stream(samples, sizes: Array(repeating: 576, count: 4)), pieces: 50)
    #expect(run.samples == Self.expected(samples))
    #expect(run.stream.strayByteCount == 0 && run.packets.allSatisfy { !$0.isDiscontinuous })
  }

  @Test func `after a move frames have their own numbers, and a seek table is used`() throws {
    var maker = FLACMaker()
    maker.blocks = (1024, 1024)
    maker.statedCount = 1024 * 200
    let samples = Self.samples(1024 * 200)
    let frames = maker.frames(samples, sizes: Array(repeating: 1024, count: 200))
    let points = (0..<10).flatMap { index in
      FLACMaker.big(UInt64(20 * 1024 * index), 8)
        + FLACMaker.big(UInt64(frames[..<(20 * index)].reduce(0) { $0 + $1.count }), 8)
        + FLACMaker.big(1024, 2)
    }
    let bytes = maker.head([(3, points), (1, [0, 0, 0])]) + frames.flatMap { $0 }
    var run = StreamRun(byteCount: bytes.count, decodes: false)
    try run.append(bytes[..<10_000])
    #expect(run.stream.frameCount?.value == 204_800)
    #expect(run.stream.frameCount?.isEstimated == false)
    let place = try #require(run.stream.seek(toFrame: 100_000))
    #expect(place.isEstimated && place.firstFrame == 100_000)
    let before = run.packets.count
    try run.append(bytes[Int(place.offset)...], at: place.offset)
    try run.finish()
    let landed = try #require(run.packets.dropFirst(before).first)
    #expect(landed.isDiscontinuous && !landed.isEstimated)
    #expect(abs(landed.firstFrame - 100_000) <= 1024)
    let sizes = frames[..<(Int(landed.firstFrame) / 1024)].reduce(0) { $0 + $1.count }
    let head = bytes.count - frames.reduce(0) { $0 + $1.count }
    #expect(landed.offset == Int64(head + sizes))
    #expect(run.stream.seek(toFrame: 204_800) == nil)
    #expect(run.stream.seek(toFrame: 3000)?.isEstimated == false)
    #expect(run.stream.seek(toFrame: 3000)?.firstFrame == 2048)
  }

  @Test func `comments belong to their stream, and pictures are skipped`() throws {
    var maker = FLACMaker()
    maker.blocks = (576, 576)
    let samples = Self.samples(576 * 2)
    let frames = maker.frames(samples, sizes: [576, 576]).flatMap { $0 }
    let picture = [UInt8](repeating: 7, count: 300_000)
    let first = maker.head([(4, OggPages.comments(["TITLE=One", "artist=A"])), (6, picture)])
    let second = maker.head([(4, OggPages.comments(["TITLE=Two"]))])
    let run = try StreamRun.all(first + frames + second + frames, pieces: 5000)
    #expect(run.packets.compactMap(\.newTags).map { $0[.title] } == ["One", "Two"])
    #expect(run.packets.first?.newTags?[.artist] == "A")
    #expect(run.packets.map { $0.newTags != nil } == [true, false, true, false])
    #expect(run.samples == Self.expected(samples + samples))
    #expect(run.firstFrames == [0, 576, 1152, 1728])
    #expect(run.stream.strayByteCount == 0)
  }

  @Test func `tags before and after the stream are not frames`() throws {
    var maker = FLACMaker()
    maker.blocks = (576, 576)
    let samples = Self.samples(576 * 2)
    let tag = Array("ID3".utf8) + [4, 0, 0, 0, 0, 1, 0] + Array(repeating: 0, count: 128)
    let end = Array("TAG".utf8) + Array(repeating: 32, count: 125)
    for pieces in [1, 10, 1000] {
      let run = try StreamRun.all(
        tag + maker.stream(samples, sizes: [576, 576]) + end, pieces: pieces)
      #expect(run.samples == Self.expected(samples))
      #expect(run.stream.strayByteCount == 0)
    }
  }

  @Test func `endless headers are skipped`() throws {
    let mebibyte = [UInt8](repeating: 0x41, count: 1 << 20)
    var run = StreamRun(decodes: false)
    // Comments that state 2³² entries, in consecutive blocks.
    let head = OggPages.comments([]).dropLast(4) + [0xFF, 0xFF, 0xFF, 0xFF]
    try run.append("fLaC".utf8)
    for _ in 0..<20 {
      try run.append([4] + FLACMaker.big(UInt64(head.count + (10 << 20)), 3) + head)
      for _ in 0..<10 { try run.append(mebibyte) }
    }
    #expect(run.packets.isEmpty && run.stream.properties == nil)
  }
}
