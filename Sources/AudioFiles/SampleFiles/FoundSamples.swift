// SPDX-License-Identifier: Apache-2.0

/// The samples of an uncompressed file, as its header describes them.
struct FoundSamples {
  let container: SampleContainer
  let layout: PCMLayout
  let channelCount: Int
  let hertz: Int
  let dataOffset: Int64
  /// Bytes of complete frames.
  let byteCount: Int64
  /// True if the container's sizes have their lowest byte first.
  let isLittleEndian: Bool

  private static let chunk = 1 << 14
  /// The number of bytes that are read at most, besides chunks that are skipped.
  private static let patience = 1 << 24

  /// Reads the header; nil if it is not one of uncompressed samples, or is damaged.
  init?(in stream: FileStream) {
    let head = stream.bytes(at: 0, upTo: PCMContainer.signatureByteCount) ?? []
    guard let container = SampleContainer(beginning: head),
      let parser = Self.parser(of: stream), let found = parser.properties,
      let samples = found.samples, let layer = found.layers.first
    else { return nil }
    (self.container, layout) = (container, samples)
    (channelCount, hertz) = (layer.channelCount, layer.hertz)
    dataOffset = found.dataOffset
    let frames = parser.frameCount?.value ?? 0
    let (bytes, overflows) = frames.multipliedReportingOverflow(
      by: Int64(samples.byteCount * layer.channelCount))
    guard !overflows, dataOffset >= 0, dataOffset < 1 << 60 else { return nil }
    byteCount = max(0, min(bytes, stream.length - dataOffset))
    let isReversed = head.starts(with: "RIFX".utf8) || head.starts(with: "dns.".utf8)
    isLittleEndian = container.isRiff != isReversed
  }

  private static func parser(of stream: FileStream) -> SoundStream? {
    var parser = SoundStream(byteCount: stream.length)
    parser.keepsBytes = false
    var (place, read) = (Int64(0), 0)
    while parser.properties == nil {
      // Bytes of another kind of sound are stray.
      guard read < patience, parser.strayByteCount == 0,
        let bytes = stream.bytes(at: place, upTo: chunk),
        !bytes.isEmpty
      else { return nil }
      parser.append(bytes)
      (place, read) = (parser.passTag(), read + bytes.count)
    }
    return parser
  }
}
