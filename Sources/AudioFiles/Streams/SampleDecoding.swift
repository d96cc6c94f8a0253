// SPDX-License-Identifier: Apache-2.0

/// A decoder of the packets of one format.
protocol SampleDecoding: AnyObject {
  /// Decodes a packet; returns false if it is damaged.
  func send(_ bytes: [UInt8]) -> Bool
  /// Returns the next frames that are ready, or nil.
  func receive() -> PacketDecoding.Frames<Double>?
  /// Signals the end of the packets.
  func drain()
}

/// A decoder that uses FFmpeg.
final class FFmpegDecoding: SampleDecoding {
  private let decoding: PacketDecoding

  /// Opens the decoder.
  ///
  /// - Throws: The errors of `PacketDecoding.init`.
  init(
    _ codec: SoundCodec, cookie: [UInt8], hertz: Int, channelCount: Int, path: String
  ) throws(SoundFileError) {
    decoding = try PacketDecoding(
      codec, cookie: cookie, hertz: hertz, channelCount: channelCount, path: path)
  }

  // FFmpeg interprets an empty packet as the end.
  func send(_ bytes: [UInt8]) -> Bool { !bytes.isEmpty && decoding.send(bytes) }

  func receive() -> PacketDecoding.Frames<Double>? { decoding.receive(Double.self) }

  func drain() { decoding.drain() }
}
