// SPDX-License-Identifier: Apache-2.0

extension SoundFontDocument {
  /// The data from which samples are read: one sound, or the sample data of a whole font.
  ///
  /// Samples that refer to the same object share its frames: if they overlap, they also overlap in
  /// the written file.
  public final class SampleData: Sendable {
    /// 16-bit frames, little-endian, or compressed streams.
    let bytes: FontBytes
    /// The lower bytes of 24-bit frames, one per frame; nil for 16 bits.
    let lowBytes: FontBytes?
    /// True for the chunk `smpl` of a font, whose last sample can lack silence after it.
    let isChunk: Bool

    /// The number of 16-bit frames.
    var frameCount: Int { bytes.count / 2 }

    init(bytes: FontBytes, lowBytes: FontBytes?, isChunk: Bool) {
      (self.bytes, self.lowBytes, self.isChunk) = (bytes, lowBytes, isChunk)
    }

    /// Creates the data of an uncompressed sound.
    ///
    /// - Parameters:
    ///   - frames: 16-bit signed frames, little-endian; an odd last byte is ignored.
    ///   - lowBytes: The lower bytes of 24-bit frames, one per frame; nil for 16-bit frames.
    public convenience init(frames: FontBytes, lowBytes: FontBytes? = nil) {
      self.init(bytes: frames, lowBytes: lowBytes, isChunk: false)
    }

    /// Creates the data of a compressed sound.
    ///
    /// - Parameter compressed: A mono Ogg Vorbis stream.
    public convenience init(compressed: FontBytes) {
      self.init(bytes: compressed, lowBytes: nil, isChunk: false)
    }
  }

  /// A sample: a recorded sound with its loop and pitch.
  public struct Sample: Sendable {
    /// The name of the sample.
    public var name: Name
    /// The data that contains the sample.
    public var data: SampleData
    /// The offset of the sample in the data, in frames; for a compressed sample in bytes.
    ///
    /// The value in the file is kept, even if it is outside the data.
    public var start: Int
    /// The offset of the sample's end in the data, in frames; for a compressed sample in bytes.
    ///
    /// The end is not part of the sample.
    public var end: Int
    /// The start of the loop, in frames from the start of the sample; negative in some files.
    public var loopStart: Int
    /// The end of the loop, in frames from the start of the sample; the end is not part of the
    /// loop.
    public var loopEnd: Int
    /// The sample rate in hertz.
    public var rate: UInt32
    /// The key that plays the sample at its original pitch, 0…127; 255 for an unpitched sound.
    public var key: UInt8
    /// The pitch correction in cents.
    public var correction: Int8
    /// The index of the sample that is the other half of a stereo sample.
    public var link: UInt16
    /// The kind of sample: 1 mono, 2 right, 4 left, 8 linked.
    ///
    /// 0x10 is added for a compressed sample, and 0x8000 for a sample in ROM.
    public var kind: UInt16

    /// True if the sample is compressed.
    public var isCompressed: Bool { kind & 0x10 != 0 }
    /// True if the sample is in the ROM of an old sound card, not in the file.
    public var isInROM: Bool { kind & 0x8000 != 0 }

    /// Creates a mono sample that contains all of its data.
    ///
    /// - Parameters:
    ///   - name: The name, cut to 20 bytes.
    ///   - data: The data of the sample.
    ///   - isCompressed: True if the data is a compressed stream.
    ///   - loop: The loop, in frames.
    ///   - rate: The sample rate in hertz.
    ///   - key: The key that plays the sample at its original pitch, 0…127.
    ///   - correction: The pitch correction in cents.
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
