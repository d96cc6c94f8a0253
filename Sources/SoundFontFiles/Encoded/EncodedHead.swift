// SPDX-License-Identifier: Apache-2.0

/// The properties that the first bytes of a compressed sample state.
///
/// Source: Vorbis I specification, section 4.2.2; RFC 7845 (Opus in Ogg), section 5.1; RFC 9639
/// (FLAC), sections 8.2 and 10.1.
package struct EncodedHead: Hashable, Sendable {
  /// The number of bytes that contain the properties.
  package static let length = 512

  /// The codec.
  package let codec: SampleCodec
  /// True for a stream of Ogg pages.
  package let isOgg: Bool
  /// The number of channels; samples have one.
  package let channelCount: Int
  /// Frames per second of the decoded stream.
  ///
  /// The pitch depends on the rate in the font's header instead.
  package let rate: Int
  /// The position of native FLAC data; 0 for other codecs.
  let start: Int
  /// The number of frames that FLAC's header states, or nil if it is unknown.
  private let claim: Int?
  /// The number of frames before the sound, in units of Ogg positions.
  private let skip: UInt64
  /// The number of units of Ogg positions per decoded frame.
  private let unit: UInt64

  /// Reads the header of a stream; nil if its codec is not supported.
  ///
  /// - Parameter bytes: The stream, or at least its first `length` bytes.
  package init?(_ bytes: [UInt8]) {
    if bytes.starts(with: "fLaC".utf8) {
      self.init(flac: bytes, at: 0, isOgg: false)
      return
    }
    guard let page = OggPage(bytes, at: 0) else { return nil }
    let packet = bytes[page.body]
    let start = page.body.lowerBound
    if packet.starts(with: [1] + "vorbis".utf8), packet.count >= 30 {
      self.init(
        .vorbis, channelCount: bytes[start + 11], rate: OggPage.number(bytes, start + 12, 4))
    } else if packet.starts(with: "OpusHead".utf8), packet.count >= 19, bytes[start + 8] < 16 {
      let stated = Int32(truncatingIfNeeded: OggPage.number(bytes, start + 12, 4))
      let unit = Self.opusUnit(rate: stated)
      self.init(
        .opus, channelCount: bytes[start + 9], rate: 48_000 / unit,
        skip: OggPage.number(bytes, start + 10, 2), unit: unit)
    } else if packet.starts(with: [0x7F] + "FLAC".utf8), packet.count >= 51 {
      self.init(flac: bytes, at: start + 9, isOgg: true)
    } else {
      return nil
    }
  }

  private init(
    _ codec: SampleCodec, channelCount: UInt8, rate: UInt64, skip: UInt64 = 0, unit: UInt64 = 1
  ) {
    self.codec = codec
    isOgg = true
    self.channelCount = Int(channelCount)
    self.rate = Int(rate)
    start = 0
    claim = nil
    self.skip = skip
    self.unit = unit
  }

  private init?(flac bytes: [UInt8], at start: Int, isOgg: Bool) {
    // The first block is STREAMINFO, of 34 bytes.
    guard start + 42 <= bytes.count, bytes[start..<start + 4].elementsEqual("fLaC".utf8),
      bytes[start + 4] & 0x7F == 0, bytes[start + 5..<start + 8].elementsEqual([0, 0, 34])
    else { return nil }
    codec = .flac
    self.isOgg = isOgg
    self.start = start
    // 20 bits of rate, 3 of channels, 5 of depth and 36 of length.
    let fields = bytes[start + 18..<start + 26].reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
    rate = Int(fields >> 44)
    channelCount = Int(fields >> 41 & 7) + 1
    claim = fields & 0xF_FFFF_FFFF == 0 ? nil : Int(fields & 0xF_FFFF_FFFF)
    skip = 0
    unit = 1
  }

  /// The unit for Opus, which is decoded at the lowest of its rates that preserves the sound.
  ///
  /// The rate is signed, as in libsndfile.
  private static func opusUnit(rate: Int32) -> UInt64 {
    switch rate {
    case ...8000: 6
    case ...12_000: 4
    case ...16_000: 3
    case ...24_000: 2
    default: 1
    }
  }

  /// The number of frames of the whole stream as its header or its last page states it, or nil.
  ///
  /// - Parameter tail: The last bytes of the stream, at least `EncodedStream.tailLength` of them or
  ///   all.
  /// - Returns: The number of frames.
  func frameCount(tail: [UInt8]) -> Int? {
    if let claim { return claim }
    guard isOgg, let position = OggPage.lastPosition(tail), position >= skip else { return nil }
    return Int(exactly: (position - skip) / unit)
  }
}
