// SPDX-License-Identifier: Apache-2.0
internal import CFFmpeg
internal import Glibc

/// The file that encoded packets go to.
protocol EncodedTarget: AnyObject {
  /// Writes a packet, which is empty then; returns FFmpeg's code.
  func write(_ packet: borrowing PacketHandle) -> Int32
  /// Writes the end.
  ///
  /// - Parameter frameCount: the frames of sound.
  /// - Returns: FFmpeg's code.
  func finish(frameCount: Int64) -> Int32
}

/// A file whose container FFmpeg writes.
final class MuxedTarget: EncodedTarget {
  private let muxer: MuxerHandle

  init(_ muxer: consuming MuxerHandle) { self.muxer = muxer }

  func write(_ packet: borrowing PacketHandle) -> Int32 { muxer.write(packet) }

  func finish(frameCount: Int64) -> Int32 { muxer.finish(frameCount: frameCount) }
}

/// A Core Audio Format file, which is written here.
@safe
final class CAFTarget: EncodedTarget {
  private var file: CAFPacketFile
  private let stream: FileStream
  private let framesPerPacket: Int
  private let priming: Int
  private let metadata: SoundFileMetadata

  /// Begins a file of an encoder's packets.
  ///
  /// - Throws: `SoundFileError.cannotEncode` without memory.
  init(
    _ stream: FileStream, _ library: UnsafePointer<CFFmpegTable>, _ codec: SoundCodec,
    _ encoder: borrowing EncoderHandle, layout: ChannelLayout, hertz: Int,
    _ metadata: SoundFileMetadata, path: String
  ) throws(SoundFileError) {
    let parameters = try unsafe CodecParameters(library, path: path)
    let code = unsafe encoder.describe(parameters.parameters)
    guard code >= 0 else {
      throw .cannotEncode(path: path, reason: FFmpegLibrary.reason(code))
    }
    let cookie = parameters.cookie
    let layer = SoundLayer(
      codec: codec, hertz: hertz, channelCount: layout.roles.count,
      framesPerPacket: encoder.framesPerPacket)
    file = CAFPacketFile(
      stream, CAFDescription(packets: layer, cookie: cookie), cookie: cookie, roles: layout)
    (self.stream, self.metadata) = (stream, metadata)
    (framesPerPacket, priming) = (encoder.framesPerPacket, parameters.initialPadding)
  }

  func write(_ packet: borrowing PacketHandle) -> Int32 {
    let bytes = packet.bytes
    packet.clear()
    // All packets decode to as many frames: what is behind the sound is the remainder.
    let isWritten = file.write(bytes, frameCount: framesPerPacket)
    return isWritten && stream.failure == 0 ? 0 : -EIO
  }

  func finish(frameCount: Int64) -> Int32 {
    let isWritten = file.finish(priming: priming, frameCount: frameCount, metadata)
    return isWritten && stream.failure == 0 ? 0 : -EIO
  }
}
