// SPDX-License-Identifier: Apache-2.0
internal import CFFmpeg

/// The owner of FFmpeg's writer of a container with one stream of sound.
@safe
struct MuxerHandle: ~Copyable {
  private let library: UnsafePointer<CFFmpegTable>
  private let context: UnsafeMutablePointer<AVFormatContext>
  private let sound: UnsafeMutablePointer<AVStream>
  private let channel: ByteChannel
  private let hertz: Int32

  /// Creates a container over a stream and writes its head.
  ///
  /// - Throws: `SoundFileError.cannotEncode` where FFmpeg refuses.
  init(
    _ stream: FileStream, _ library: UnsafePointer<CFFmpegTable>, _ recipe: EncodingRecipe,
    _ encoder: borrowing EncoderHandle, hertz: Int, tags: [SoundFileMetadata.Tag: String],
    path: String
  ) throws(SoundFileError) {
    var made: UnsafeMutablePointer<AVFormatContext>?
    var code = unsafe library.pointee.avformat_alloc_output_context2(&made, nil, recipe.muxer, nil)
    guard let context = unsafe made,
      let channel = unsafe ByteChannel(stream, library, writes: true),
      let sound = unsafe library.pointee.avformat_new_stream(context, nil)
    else {
      unsafe library.pointee.avformat_free_context(made)
      throw .cannotEncode(path: path, reason: FFmpegLibrary.reason(code))
    }
    unsafe context.pointee.pb = channel.context
    unsafe context.pointee.flags |= Int32(AVFMT_FLAG_CUSTOM_IO)
    unsafe sound.pointee.time_base = AVRational(num: 1, den: Int32(clamping: hertz))
    code = unsafe encoder.describe(sound.pointee.codecpar)
    for (name, value) in [("fflags", "+bitexact")] + recipe.muxerOptions where code >= 0 {
      code = unsafe library.pointee.av_opt_set(context, name, value, Int32(AV_OPT_SEARCH_CHILDREN))
    }
    for (name, tag) in SoundFileMetadata.tagNames {
      guard let text = tags[tag], tag != .software else { continue }
      unsafe _ = library.pointee.av_dict_set(&context.pointee.metadata, name, text, 0)
    }
    if code >= 0 { code = unsafe library.pointee.avformat_write_header(context, nil) }
    guard code >= 0 else {
      unsafe library.pointee.avformat_free_context(context)
      throw .cannotEncode(path: path, reason: FFmpegLibrary.reason(code))
    }
    unsafe self.library = library
    unsafe self.context = context
    unsafe self.sound = sound
    self.channel = channel
    self.hertz = Int32(clamping: hertz)
  }

  deinit { unsafe library.pointee.avformat_free_context(context) }

  /// Writes a packet, which is empty then; returns FFmpeg's code.
  func write(_ packet: borrowing PacketHandle) -> Int32 {
    unsafe packet.packet.pointee.stream_index = 0
    unsafe library.pointee.av_packet_rescale_ts(
      packet.packet, AVRational(num: 1, den: hertz), sound.pointee.time_base)
    return unsafe library.pointee.av_interleaved_write_frame(context, packet.packet)
  }

  /// Writes the end; returns FFmpeg's code.
  func finish() -> Int32 { unsafe library.pointee.av_write_trailer(context) }
}
