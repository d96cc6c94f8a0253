// SPDX-License-Identifier: Apache-2.0

extension SoundFontDocument {
  /// Bytes that samples are read from: one sound, or the sample data of a whole font.
  ///
  /// Samples of one sound data share its frames, so that overlapping samples stay so.
  public final class SampleData: Sendable {
    /// Frames of 16 bits, little-endian; or compressed streams.
    let bytes: FontBytes
    /// The lower bytes of frames of 24 bits, one for each frame; nil for 16 bits.
    let lowBytes: FontBytes?
    /// True for the chunk `smpl` of a font: playback stops at its end, with no silence behind it.
    let isChunk: Bool

    /// The number of frames of 16 bits.
    var frameCount: Int { bytes.count / 2 }

    init(bytes: FontBytes, lowBytes: FontBytes?, isChunk: Bool) {
      (self.bytes, self.lowBytes, self.isChunk) = (bytes, lowBytes, isChunk)
    }

    /// Creates the data of a sound.
    ///
    /// - Parameters:
    ///   - frames: frames of 16 bits, little-endian, with a sign; an odd last byte is left out.
    ///   - lowBytes: the lower bytes of frames of 24 bits, one for each frame; nil for 16 bits.
    public convenience init(frames: FontBytes, lowBytes: FontBytes? = nil) {
      self.init(bytes: frames, lowBytes: lowBytes, isChunk: false)
    }

    /// Creates the data of a compressed sound.
    ///
    /// - Parameter compressed: an Ogg Vorbis stream of one channel.
    public convenience init(compressed: FontBytes) {
      self.init(bytes: compressed, lowBytes: nil, isChunk: false)
    }
  }

  /// A recorded sound.
  public struct Sample: Sendable {
    /// Its name.
    public var name: Name
    /// The bytes it is read from.
    public var data: SampleData
    /// Its first frame in the data; of a compressed one the first byte.
    ///
    /// A font's own value is kept, even if it is outside the data.
    public var start: Int
    /// One past its last frame in the data; of a compressed one past its last byte.
    public var end: Int
    /// The first frame of its loop, from its own first frame; below 0 as some files have it.
    public var loopStart: Int
    /// One past the last frame of its loop, from its own first frame.
    public var loopEnd: Int
    /// Frames a second.
    public var rate: UInt32
    /// The key at which it sounds as stored, 0…127; 255 for none.
    public var key: UInt8
    /// Added to its pitch, in cents.
    public var correction: Int8
    /// The other half of a stereo sample, as an index.
    public var link: UInt16
    /// 1 mono, 2 right, 4 left, 8 linked; with 0x10 compressed, with 0x8000 in ROM.
    public var kind: UInt16

    /// True if it is compressed.
    public var isCompressed: Bool { kind & 0x10 != 0 }
    /// True if it is in the ROM of an old sound card, not in the file.
    public var isInROM: Bool { kind & 0x8000 != 0 }

    /// Creates a mono sample of all its data.
    ///
    /// - Parameters:
    ///   - name: its name, cut to 20 bytes.
    ///   - data: its bytes.
    ///   - isCompressed: whether they are a compressed stream.
    ///   - loop: its loop, in frames.
    ///   - rate: frames a second.
    ///   - key: the key at which it sounds as stored, 0…127.
    ///   - correction: what is added to its pitch, in cents.
    public init(
      name: String, data: SampleData, isCompressed: Bool = false, loop: Range<Int>, rate: UInt32,
      key: UInt8, correction: Int8 = 0
    ) {
      (self.name, self.data) = (Name(name), data)
      (start, end) = (0, isCompressed ? data.bytes.count : data.frameCount)
      (loopStart, loopEnd) = (loop.lowerBound, loop.upperBound)
      (self.rate, self.key, self.correction) = (rate, key, correction)
      (link, kind) = (0, isCompressed ? 0x11 : 1)
    }
  }
}
