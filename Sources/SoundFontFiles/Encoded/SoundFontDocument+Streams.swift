// SPDX-License-Identifier: Apache-2.0

extension SoundFontDocument {
  /// A sound that samples are read from: a part of sample data.
  package struct Sound: Hashable, Sendable {
    /// The sample data, by its identity.
    let data: ObjectIdentifier
    /// Its frames in the data.
    let range: Range<Int>
    /// Frames a second.
    package let rate: UInt32
  }

  /// The sound of a sample; nil if it is compressed, shorter than two frames, in ROM
  /// or outside its data.
  ///
  /// - Parameter index: the sample's index.
  /// - Returns: the sound; equal for samples with the same frames and rate.
  package func sound(ofSample index: Int) -> Sound? {
    let sample = samples[index]
    // Voices ignore samples of one frame, but not compressed ones.
    guard !sample.isCompressed, SamplePart(sample) != nil, sample.end - sample.start > 1 else {
      return nil
    }
    return Sound(
      data: ObjectIdentifier(sample.data), range: sample.start..<sample.end, rate: sample.rate)
  }

  /// Reads the frames of a sample that has a sound.
  ///
  /// - Parameter index: the sample's index.
  /// - Returns: the frames, −1…1, with all their bits; a frame behind the data is silent.
  /// - Throws: `SoundFontError.unreadable` if the data cannot be read.
  package func frames(ofSample index: Int) throws(SoundFontError) -> [Float] {
    let sample = samples[index]
    let bytes = try sample.data.bytes.bytes(2 * sample.start..<2 * sample.end)
    let lowBytes = try sample.data.lowBytes?.bytes(sample.start..<sample.end) ?? []
    return (0..<sample.end - sample.start).map { place in
      guard 2 * place + 1 < bytes.count else { return 0 }
      let word = Int16(bitPattern: UInt16(bytes[2 * place]) | UInt16(bytes[2 * place + 1]) << 8)
      let lowByte = place < lowBytes.count ? Int32(lowBytes[place]) : 0
      return Float(Int32(word) << 8 | lowByte) / 8_388_608
    }
  }

  /// Replaces the sound of a sample by a stream of the same frames; loop, pitch and links stay.
  ///
  /// - Parameters:
  ///   - index: the sample's index.
  ///   - stream: the compressed sound, which several samples can share.
  package mutating func replaceSound(ofSample index: Int, with stream: SampleData) {
    samples[index].data = stream
    (samples[index].start, samples[index].end) = (0, stream.bytes.count)
    samples[index].kind |= 0x10
    setVersion(major: 3, minor: 0)
    closeGaps()
  }
}
