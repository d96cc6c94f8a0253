// SPDX-License-Identifier: Apache-2.0
internal import CFFmpeg
internal import Glibc

/// Owns FFmpeg's writer of a container with one audio stream.
@safe
struct MuxerHandle: ~Copyable {
  private let library: UnsafePointer<CFFmpegTable>
  private let context: OpaquePointer
  private let sound: OpaquePointer
  private let channel: ByteChannel
  private let hertz: Int32
  private let stream: FileStream
  /// True if FFmpeg, before 5.0, can only state the movie's time in milliseconds.
  private let countsMilliseconds: Bool

  /// Opens a container on a stream and writes its header.
  ///
  /// - Throws: `SoundFileError.cannotEncode` if FFmpeg fails.
  init(
    _ stream: FileStream, _ library: UnsafePointer<CFFmpegTable>, _ recipe: EncodingRecipe,
    _ encoder: borrowing EncoderHandle, hertz: Int, tags: [SoundFileMetadata.Tag: String],
    path: String
  ) throws(SoundFileError) {
    var made: OpaquePointer?
    var code = unsafe library.pointee.avformat_alloc_output_context2(&made, nil, recipe.muxer, nil)
    guard let context = unsafe made,
      let channel = unsafe ByteChannel(stream, library, writes: true),
      let sound = unsafe library.pointee.avformat_new_stream(context, nil),
      let parameters = unsafe cffmpeg_AVStream_codecpar(sound)
    else {
      unsafe library.pointee.avformat_free_context(made)
      throw .cannotEncode(path: path, reason: FFmpegLibrary.reason(code))
    }
    unsafe channel.attach(to: context)
    unsafe cffmpeg_set_AVStream_time_base(sound, AVRational(num: 1, den: Int32(clamping: hertz)))
    code = unsafe encoder.describe(parameters)
    var countsMilliseconds = false
    for (name, value) in [("fflags", "+bitexact")] + recipe.muxerOptions where code >= 0 {
      code = unsafe library.pointee.av_opt_set(
        UnsafeMutableRawPointer(context), name, value, Int32(AV_OPT_SEARCH_CHILDREN))
      if code < 0, name == "movie_timescale" { (code, countsMilliseconds) = (0, true) }
    }
    var metadata = unsafe cffmpeg_AVFormatContext_metadata(context)
    for (name, tag) in SoundFileMetadata.tagNames {
      guard let text = tags[tag], tag != .software else { continue }
      unsafe _ = library.pointee.av_dict_set(&metadata, name, text, 0)
    }
    unsafe cffmpeg_set_AVFormatContext_metadata(context, metadata)
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
    self.stream = stream
    self.countsMilliseconds = countsMilliseconds
  }

  deinit { unsafe library.pointee.avformat_free_context(context) }

  /// Writes a packet and empties it; returns FFmpeg's code.
  func write(_ packet: borrowing PacketHandle) -> Int32 {
    unsafe cffmpeg_set_AVPacket_stream_index(packet.packet, 0)
    unsafe library.pointee.av_packet_rescale_ts(
      packet.packet, AVRational(num: 1, den: hertz), cffmpeg_AVStream_time_base(sound))
    return unsafe library.pointee.av_interleaved_write_frame(context, packet.packet)
  }

  /// Finishes the file.
  ///
  /// - Parameter frameCount: The number of frames of sound.
  /// - Returns: FFmpeg's code.
  func finish(frameCount: Int64) -> Int32 {
    let code = unsafe library.pointee.av_write_trailer(context)
    guard code >= 0, countsMilliseconds else { return code }
    let isDone = MP4MovieUnits.set(in: stream, hertz: Int(hertz), frameCount: frameCount)
    return isDone ? code : -EIO
  }
}
