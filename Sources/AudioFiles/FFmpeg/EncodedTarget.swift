// SPDX-License-Identifier: Apache-2.0
internal import CFFmpeg
internal import Glibc

/// The file that receives encoded packets.
protocol EncodedTarget: AnyObject {
  /// Writes a packet and empties it; returns FFmpeg's code.
  func write(_ packet: borrowing PacketHandle) -> Int32
  /// Finishes the file.
  ///
  /// - Parameter frameCount: The number of frames of sound.
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

/// A Core Audio Format file, written by this module.
@safe
final class CAFTarget: EncodedTarget {
  private var file: CAFPacketFile
  private let stream: FileStream
  private let framesPerPacket: Int
  private let priming: Int
  private let metadata: SoundFileMetadata

  /// Starts a file for an encoder's packets.
  ///
  /// - Throws: `SoundFileError.cannotEncode` if memory is insufficient.
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
    // All packets decode to the same number of frames; those after the sound are the remainder.
    let isWritten = file.write(bytes, frameCount: framesPerPacket)
    return isWritten && stream.failure == 0 ? 0 : -EIO
  }

  func finish(frameCount: Int64) -> Int32 {
    let isWritten = file.finish(priming: priming, frameCount: frameCount, metadata)
    return isWritten && stream.failure == 0 ? 0 : -EIO
  }
}
