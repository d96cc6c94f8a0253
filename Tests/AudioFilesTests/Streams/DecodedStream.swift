// SPDX-License-Identifier: Apache-2.0
import AudioFiles

/// The packets and samples of some bytes that are appended to a stream in pieces.
struct DecodedStream {
  private(set) var packets: [SoundStream.Packet] = []
  private(set) var sounds: [StreamDecoder.Sound] = []
  private(set) var layers: [SoundLayer] = []
  private(set) var failureCount = 0
  private(set) var stream: SoundStream

  /// Appends all bytes, and decodes the packets as they are found.
  ///
  /// - Parameters:
  ///   - bytes: the bytes of the stream.
  ///   - pieces: the size of each piece; 0 for one piece.
  ///   - kind: the container; nil to determine it.
  ///   - decodes: false to find packets only.
  /// - Throws: an error of `StreamDecoder`.
  init(
    _ bytes: [UInt8], pieces: Int = 0, kind: SoundStream.Kind? = nil, decodes: Bool = true
  ) throws {
    stream = SoundStream(byteCount: Int64(bytes.count), kind: kind)
    stream.takesOtherFormats = true
    var decoder: StreamDecoder?
    let size = pieces == 0 ? max(1, bytes.count) : pieces
    for start in stride(from: 0, to: bytes.count, by: size) {
      stream.append(bytes[start..<min(bytes.count, start + size)])
      try take(&decoder, decodes)
    }
    stream.finish()
    try take(&decoder, decodes)
    sounds += decoder?.finish() ?? []
    failureCount = decoder?.failureCount ?? 0
  }

  private mutating func take(_ decoder: inout StreamDecoder?, _ decodes: Bool) throws {
    for packet in stream.takePackets() {
      packets.append(packet)
      guard decodes else { continue }
      if decoder == nil, let properties = stream.properties {
        decoder = try StreamDecoder(properties)
      }
      sounds += try decoder?.decode(packet) ?? []
      if let layer = decoder?.layer, layer != layers.last { layers.append(layer) }
    }
  }

  /// The decoded samples, interleaved.
  var samples: [Float] { sounds.flatMap(\.samples) }
}
