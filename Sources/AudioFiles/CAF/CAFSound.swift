// SPDX-License-Identifier: Apache-2.0

/// The sound of a Core Audio Format file: its encoding and its packets.
///
/// Source: Apple, Core Audio Format Specification 1.0.
struct CAFSound {
  let chunks: CAFChunks
  let description: CAFDescription
  /// The magic cookie for a decoder.
  let cookie: [UInt8]
  /// The packets; nil for uncompressed samples, and if they cannot be listed.
  let packets: CAFPacketTable?

  /// Reads the chunks of a file; nil if the description or the sound is missing.
  ///
  /// - Complexity: O(n) in the number of packets.
  init?(of stream: FileStream) {
    guard let chunks = CAFChunks(of: stream),
      let description = CAFDescription(chunks.content("desc")), let sound = chunks["data"],
      sound.byteCount >= Self.editByteCount
    else { return nil }
    (self.chunks, self.description) = (chunks, description)
    cookie = CAFCookie.decoderCookie(chunks.content("kuki"), description)
    let isPlain = Self.isPlain(description.codec)
    packets = isPlain ? nil : Self.packets(chunks, description, sound, stream)
  }

  /// The bytes before the sound: the number of edits.
  static let editByteCount: Int64 = 4

  /// Returns true if a codec stores samples individually.
  static func isPlain(_ codec: SoundCodec) -> Bool { [.linearPCM, .muLaw, .aLaw].contains(codec) }

  /// The number of frames of uncompressed samples; nil for packets.
  var plainFrameCount: Int? {
    guard Self.isPlain(description.codec), description.bytesPerPacket > 0,
      description.framesPerPacket == 1, let sound = chunks["data"]
    else { return nil }
    return Int((sound.byteCount - Self.editByteCount) / Int64(description.bytesPerPacket))
  }

  private static func packets(
    _ chunks: CAFChunks, _ description: CAFDescription, _ sound: CAFChunks.Chunk,
    _ stream: FileStream
  ) -> CAFPacketTable? {
    let content = chunks.content("pakt")
    let place = (sound.offset + editByteCount, sound.byteCount - editByteCount)
    var packets = CAFPacketTable(
      description, content, sound: place,
      statedByteCount: sound.statedByteCount.map { $0 - editByteCount })
    // Writers that state only complete packets omit the length of the last one; for ALAC the packet
    // states it.
    if description.codec == .alac, let last = packets?.table.packets.last,
      let head = stream.bytes(at: last.offset, min(last.byteCount, ALACPacket.headByteCount)),
      let count = ALACPacket.statedFrameCount(head)
    {
      packets?.shortenLast(to: count, content)
    }
    return packets
  }

  /// The layers that the file states, best first.
  var layers: [SoundLayer] {
    if [.aac, .aacHE, .aacHEv2].contains(description.codec),
      let config = AudioSpecificConfig(cookie)
    {
      return config.layers
    }
    return [
      SoundLayer(
        codec: description.codec, hertz: Int(description.hertz.rounded()),
        channelCount: description.channelCount, framesPerPacket: description.framesPerPacket)
    ]
  }
}
