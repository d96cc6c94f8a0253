// SPDX-License-Identifier: Apache-2.0
internal import MusicalTime

/// Adds metadata after the samples of a finished file.
///
/// Sources: RIFF/WAVE (Multimedia Programming Interface and Data Specifications 1.0, "INFO List
/// Chunk"); Apple, AIFF-C 1.0, "Text Chunks".
struct SampleFileMetadata {
  private let container: SampleContainer
  private let hertz: Int

  init(_ container: SampleContainer, hertz: Int) {
    (self.container, self.hertz) = (container, hertz)
  }

  private static let riffNames: [(tag: SoundFileMetadata.Tag, name: String)] = [
    (.title, "INAM"), (.artist, "IART"), (.album, "IPRD"), (.trackNumber, "ITRK"),
    (.genre, "IGNR"), (.date, "ICRD"), (.comment, "ICMT"), (.copyright, "ICOP"),
    (.software, "ISFT"),
  ]
  private static let aiffNames: [(tag: SoundFileMetadata.Tag, name: String)] = [
    (.title, "NAME"), (.artist, "AUTH"), (.copyright, "(c) "), (.comment, "ANNO"),
  ]

  /// Appends chunks; the stream keeps an error.
  func append(_ metadata: SoundFileMetadata, to stream: FileStream) {
    switch container {
    case .wave, .rf64:
      appendTexts(metadata, to: stream)
      if let rate = SampleRate(hertz: hertz) {
        _ = RiffChunks.append(metadata, rate: rate, to: stream)
      }
    case .aiff, .aifc:
      appendTexts(metadata, to: stream)
      _ = AIFFMetadata.append(metadata, to: stream)
    case .caf: _ = CAFDescribingChunks.append(metadata, to: stream)
    case .wave64, .au: break
    }
  }

  private func appendTexts(_ metadata: SoundFileMetadata, to stream: FileStream) {
    let names = container.isRiff ? Self.riffNames : Self.aiffNames
    var bytes: [UInt8] = []
    for (tag, name) in names {
      guard let text = metadata.tags[tag], !text.isEmpty else { continue }
      bytes += chunk(name, Array(text.utf8) + (container.isRiff ? [0] : []))
    }
    guard !bytes.isEmpty else { return }
    if container.isRiff { bytes = chunk("LIST", Array("INFO".utf8) + bytes) }
    let length = stream.length
    let size = Int(length) + bytes.count - 8
    // A file that would exceed 4 GB does not change.
    guard container == .rf64 || size < 1 << 32, stream.put(bytes, at: length) else { return }
    switch container {
    case .rf64: _ = stream.put(Little.bytes(size, 8), at: 20)
    case .wave: _ = stream.put(Little.bytes(size, 4), at: 4)
    default: _ = stream.put(BigEndian.bytes(size, 4), at: 4)
    }
  }

  private func chunk(_ name: String, _ content: [UInt8]) -> [UInt8] {
    let size = content.count
    let length = container.isRiff ? Little.bytes(size, 4) : BigEndian.bytes(size, 4)
    return Array(name.utf8) + length + content + (size % 2 == 1 ? [0] : [])
  }
}
