// SPDX-License-Identifier: Apache-2.0

extension SoundFontDocument {
  /// A part of sample data that samples play.
  package struct Sound: Hashable, Sendable {
    /// The identity of the sample data.
    let data: ObjectIdentifier
    /// The range of frames in the data.
    let range: Range<Int>
    /// Frames per second.
    package let rate: UInt32
  }

  /// Returns the sound of a sample.
  ///
  /// The result is nil if the sample is compressed, shorter than two frames, in ROM, or outside its
  /// data.
  ///
  /// - Parameter index: The index of the sample.
  /// - Returns: The sound, which is equal for samples with the same frames and rate.
  package func sound(ofSample index: Int) -> Sound? {
    let sample = samples[index]
    // Voices ignore uncompressed samples of one frame.
    guard !sample.isCompressed, SamplePart(sample) != nil, sample.end - sample.start > 1 else {
      return nil
    }
    return Sound(
      data: ObjectIdentifier(sample.data), range: sample.start..<sample.end, rate: sample.rate)
  }

  /// Reads the frames of a sample that has a sound.
  ///
  /// - Parameter index: The index of the sample.
  /// - Returns: The frames, −1…1, without loss; a frame after the end of the data is silent.
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

  /// Replaces the sound of a sample by a stream of the same frames; loop, pitch and links stay the
  /// same.
  ///
  /// - Parameters:
  ///   - index: The index of the sample.
  ///   - stream: The compressed sound, which several samples can share.
  package mutating func replaceSound(ofSample index: Int, with stream: SampleData) {
    samples[index].data = stream
    (samples[index].start, samples[index].end) = (0, stream.bytes.count)
    samples[index].kind |= 0x10
    setVersion(major: 3, minor: 0)
    closeGaps()
  }
}
