// SPDX-License-Identifier: Apache-2.0
import TestSupport
import Testing

@testable import SoundFontFiles

@Suite struct EncodedStreamTests {
  private let all = Set(SampleCodec.allCases)
  private let tone: [Int16] = (0..<1000).map { Int16(truncatingIfNeeded: $0 * 7919) }

  private func fault(_ bytes: [UInt8], loopEnd: Int = 0) -> String? {
    EncodedStream(bytes).fault(loopEnd: loopEnd, codecs: all)
  }

  private func frameCount(_ bytes: [UInt8]) -> Int {
    EncodedStream.frameCount(
      head: Array(bytes.prefix(EncodedHead.length)),
      tail: Array(bytes.suffix(EncodedStream.tailLength)), byteCount: bytes.count)
  }

  private func vorbis(_ position: UInt64, channels: UInt8 = 1) -> [UInt8] {
    OggPages.stream(
      [OggPages.vorbisHead(rate: 44_100, channels: channels), [3, 1, 2], [5], [0, 0, 0, 0]],
      positions: [0, 0, 0, position])
  }

  private func opus(_ position: UInt64, rate: UInt32, skip: UInt16 = 312) -> [UInt8] {
    OggPages.stream(
      [
        OggPages.opusHead(channels: 1, preSkip: Int(skip), rate: Int(rate)),
        Array("OpusTags".utf8), [0xF8, 1, 2, 3],
      ], positions: [0, 0, position])
  }

  @Test func `the length of Vorbis is the position of its last page`() {
    #expect(frameCount(vorbis(5000)) == 5000)
    #expect(fault(vorbis(5000), loopEnd: 5000) == nil)
    #expect(EncodedHead(vorbis(5000))?.rate == 44_100)
  }

  @Test func `a page on which no packet ends does not state the length`() {
    let bytes = OggPages.stream(
      [OggPages.vorbisHead(rate: 44_100), [3], [5], [0, 0], [0, 0]],
      positions: [0, 0, 0, 5000, .max])
    #expect(frameCount(bytes) == 5000)
    #expect(fault(bytes) == nil)
  }

  /// The frame counts of libsndfile 1.2 for these numbers.
  @Test(arguments: [
    (0, 2669, 8000), (8000, 2669, 8000), (8001, 4004, 12_000), (12_001, 5339, 16_000),
    (16_001, 8009, 24_000), (24_001, 16_018, 48_000), (44_100, 16_018, 48_000),
    (0x7FFF_FFFF, 16_018, 48_000), (0x8000_0000, 2669, 8000),
  ])
  func `the length of Opus is without its first frames and at its decoding rate`(
    rate: UInt32, count: Int, decoded: Int
  ) {
    let bytes = opus(16_018 + 312, rate: rate)
    #expect(frameCount(bytes) == count)
    #expect(EncodedHead(bytes)?.rate == decoded)
    #expect(fault(bytes, loopEnd: count) == nil)
    #expect(fault(bytes, loopEnd: count + 1) != nil)
  }

  @Test func `Opus that ends within its first frames is silent`() {
    #expect(frameCount(opus(311, rate: 48_000)) == 0)
    #expect(fault(opus(311, rate: 48_000)) == "its length is not known")
    #expect(fault(opus(312, rate: 48_000)) == "it contains no sound")
  }

  @Test func `the length of FLAC is in its header, in Ogg also in its last page`() {
    let blocks: [FLACMaker.Block] = [.verbatim(tone), .equal(-3, count: 500), .equal(7, count: 1)]
    for bytes in [
      FLACMaker.native(blocks, rate: 655_350), FLACMaker.ogg(blocks),
      FLACMaker.ogg(blocks, claim: 0),
    ] {
      #expect(frameCount(bytes) == 1501)
      #expect(fault(bytes, loopEnd: 1501) == nil)
      #expect(
        fault(bytes, loopEnd: 1502) == "its loop ends at frame 1502, after its last frame 1501")
    }
    #expect(EncodedHead(FLACMaker.native(blocks, rate: 655_350))?.rate == 655_350)
    #expect(frameCount(FLACMaker.native(blocks, claim: 0)) == 0)
    #expect(fault(FLACMaker.native(blocks, claim: 0)) == "its length is not known")
  }

  @Test func `FLAC in Ogg is converted to the same native stream`() {
    let blocks: [FLACMaker.Block] = [.verbatim(tone), .equal(-3, count: 500)]
    let native = EncodedStream(FLACMaker.ogg(blocks, claim: 0)).unwrapped
    // Without a comment the header is the last block.
    var expected = FLACMaker.native(blocks)
    expected[4] = 0
    expected.insert(contentsOf: [0x84, 0, 0, 8, 0, 0, 0, 0, 0, 0, 0, 0], at: 42)
    #expect(native == expected)
    #expect(EncodedStream(FLACMaker.native(blocks)).unwrapped == nil)
    #expect(EncodedStream(vorbis(5000)).unwrapped == nil)
  }

  @Test func `only mono streams are played`() {
    let stereo = FLACMaker.native([.verbatim(tone)], channels: 2)
    for bytes in [vorbis(5000, channels: 2), stereo] {
      #expect(frameCount(bytes) == 0)
      #expect(fault(bytes) == "it has 2 channels, expected 1")
    }
    let surround = OggPages.stream(
      [OggPages.opusHead(channels: 6, preSkip: 0), [0], [0]], positions: [0, 0, 500])
    #expect(fault(surround) == "it has 6 channels, expected 1")
  }

  @Test func `an unsupported codec is reported`() {
    let stream = EncodedStream(opus(5000, rate: 48_000))
    #expect(
      stream.fault(loopEnd: 0, codecs: [.vorbis, .flac])
        == "its codec is Ogg Opus, which libsndfile cannot decode here "
        + "(install libsndfile 1.0.29 or later)")
    let speex = OggPages.stream([Array("Speex   1.2".utf8), [0], [0]], positions: [0, 0, 500])
    #expect(fault(speex) == "it is not Ogg Vorbis, Ogg Opus or FLAC")
    #expect(fault([]) == "it is not Ogg Vorbis, Ogg Opus or FLAC")
  }

  @Test func `damage of any byte of a native FLAC stream is detected`() {
    let whole = FLACMaker.native([.verbatim(Array(tone[..<40])), .equal(9, count: 16)])
    #expect(fault(whole) == nil)
    // Sizes of blocks and frames, and the digest, are not used.
    let unused = Set(8..<18).union(26..<42)
    for place in whole.indices where !unused.contains(place) {
      var bytes = whole
      bytes[place] ^= 0x10
      // The rate is not compared, and these bits of the header are the depth.
      #expect(fault(bytes) != nil || (18...21).contains(place), "byte \(place)")
    }
    #expect(fault(whole.dropLast()) == "its FLAC data at byte 133 is damaged")
    #expect(fault(whole + [1]) == "its FLAC data at byte 133 is damaged")
  }

  @Test func `a second stream and a damaged page are detected`() {
    let other = OggPages.stream(
      [OggPages.vorbisHead(rate: 44_100), [3], [5], [0]], positions: [0, 0, 0, 90], serial: 8)
    #expect(fault(vorbis(5000) + other) == "it contains more than one Ogg stream")
    for place in vorbis(5000).indices {
      var bytes = vorbis(5000)
      bytes[place] ^= 1
      #expect(fault(bytes) != nil, "byte \(place)")
    }
  }

  @Test func `more frames than a codec can put into the bytes are refused`() {
    for (codec, ratio) in [(SampleCodec.vorbis, 4096), (.opus, 2880), (.flac, 5462)] {
      #expect(codec.frameLimit(inBytes: 1000) == ratio * 1000)
      #expect(codec.frameLimit(inBytes: 1 << 20) == 1 << 24 + 64 << 20)
      #expect(codec.frameLimit(inBytes: 0) == 0)
    }
    let bytes = vorbis(5000).count
    #expect(frameCount(vorbis(UInt64(4096 * bytes))) == 4096 * bytes)
    #expect(frameCount(vorbis(UInt64(4096 * bytes + 1))) == 0)
    #expect(fault(vorbis(1 << 63)) == "its length is not known")
    #expect(
      fault(vorbis(1 << 40)) == "it claims 1099511627776 frames, more than \(bytes) bytes can hold")
  }

  @Test func `the densest FLAC is within its limit`() {
    // With 16 bits a frame has 13 bytes, with 8 bits 12.
    let dense = FLACMaker.native([.equal(0, count: 65_535)])
    #expect(dense.count == 42 + 13)
    #expect(65_535 <= SampleCodec.flac.frameLimit(inBytes: 12))
    #expect(fault(dense) == nil)
    // 200 million equal samples in 47 kB are not a sample of an instrument.
    let bomb = FLACMaker.native(Array(repeating: .equal(0, count: 65_535), count: 3052))
    #expect(frameCount(bomb) == 0)
    #expect(fault(bomb)?.hasPrefix("it claims 200012820 frames, more than") == true)
  }

  @Test func `mutated bytes are not read out of bounds`() {
    var random = SplitMix(seed: 50)
    let seeds = [
      vorbis(5000), opus(9000, rate: 44_100), FLACMaker.native([.verbatim(tone)]),
      FLACMaker.ogg([.verbatim(tone), .equal(1, count: 90)], claim: 0),
    ]
    for turn in 0..<4000 {
      var bytes = seeds[turn % seeds.count]
      for _ in 0...Int.random(in: 0...3, using: &random) {
        bytes[Int.random(in: 0..<min(bytes.count, 200), using: &random)] = UInt8.random(
          in: 0...255, using: &random)
      }
      if turn % 3 == 0 { bytes.removeLast(Int.random(in: 0..<bytes.count, using: &random)) }
      if turn % 2 == 0 { OggPages.seal(&bytes) }
      #expect(frameCount(bytes) <= 1 << 24 + 64 * bytes.count)
      _ = fault(bytes)
      _ = EncodedStream(bytes).unwrapped
    }
  }
}
