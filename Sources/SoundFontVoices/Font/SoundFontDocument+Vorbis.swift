// SPDX-License-Identifier: Apache-2.0
internal import AudioFiles
package import SoundFontFiles

extension SoundFontDocument {
  /// Compresses all samples as Ogg Vorbis, which makes the font an SF3 font.
  ///
  /// A sample keeps its number of frames and its loop. Samples with the same frames share a stream.
  /// Samples that are compressed already, empty or in ROM stay as they are. The same font and quality
  /// give the same bytes with the same release of libvorbis.
  ///
  /// - Parameter quality: the quality, 0…1; 0.6 is near 10 % of the size.
  /// - Throws: `SoundFileError` without libsndfile, or if it cannot encode Vorbis; `SoundFontError`
  ///   if sample data cannot be read.
  /// - Complexity: O(n) in the number of frames; memory for the streams and the longest sample.
  package mutating func compressSamples(quality: Double) throws {
    var streams: [Sound: SampleData] = [:]
    for index in samples.indices {
      guard let sound = sound(ofSample: index) else { continue }
      let stream = try streams[sound] ?? stream(ofSample: index, quality: quality)
      streams[sound] = stream
      replaceSound(ofSample: index, with: stream)
    }
  }

  private func stream(ofSample index: Int, quality: Double) throws -> SampleData {
    let sample = samples[index]
    let bytes = try VorbisEncoder.stream(
      frames(ofSample: index), hertz: Int(sample.rate), quality: quality, name: sample.name.text)
    return SampleData(compressed: FontBytes(bytes))
  }
}
