// SPDX-License-Identifier: Apache-2.0

/// The samples of an uncompressed file, as its header describes them.
struct FoundSamples {
  let container: SampleContainer
  let layout: PCMLayout
  let channelCount: Int
  let hertz: Int
  let dataOffset: Int64
  /// The bytes of complete frames.
  let byteCount: Int64
  /// The bytes of the samples, including an incomplete last frame.
  let storedByteCount: Int64
  /// True if the container's sizes are little-endian.
  let isLittleEndian: Bool

  /// Reads the header; nil if it is damaged, or the samples are compressed.
  init?(in stream: FileStream) {
    let head = stream.bytes(at: 0, upTo: PCMContainer.signatureByteCount) ?? []
    guard let container = SampleContainer(beginning: head),
      let (sound, start) = PCMFileFrames.sound(in: stream), start < 1 << 60
    else { return nil }
    let format = sound.format
    (self.container, layout) = (container, format.layout)
    (channelCount, hertz, dataOffset) = (format.channelCount, format.hertz, start)
    let there = max(0, stream.length - start)
    storedByteCount = min(sound.byteCount ?? there, there)
    byteCount = storedByteCount - storedByteCount % Int64(format.frameByteCount)
    let isReversed = head.starts(with: "RIFX".utf8) || head.starts(with: "dns.".utf8)
    isLittleEndian = container.isRiff != isReversed
  }
}
