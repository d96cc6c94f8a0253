// SPDX-License-Identifier: Apache-2.0
internal import CFFmpeg

/// Owns an FFmpeg encoder and its input frame.
@safe
struct EncoderHandle: ~Copyable {
  private let library: UnsafePointer<CFFmpegTable>
  private let context: OpaquePointer
  private let frame: OpaquePointer
  private let recipe: EncodingRecipe
  private let hertz: Int
  private let channels: CFFmpegChannels
  /// The number of frames in a packet.
  let framesPerPacket: Int
  /// The number of frames that were sent.
  private(set) var nextFrame: Int64 = 0

  /// Opens an encoder.
  ///
  /// - Throws: `SoundFileError.cannotEncode` if it does not exist, `.impossibleShape` if it does
  ///   not support the rate or channels.
  init(
    _ library: UnsafePointer<CFFmpegTable>, _ recipe: EncodingRecipe, hertz: Int, mask: UInt64,
    path: String
  ) throws(SoundFileError) {
    let missing = SoundFileError.cannotEncode(
      path: path, reason: "this FFmpeg lacks the encoder \(recipe.encoder)")
    guard let codec = unsafe library.pointee.avcodec_find_encoder_by_name(recipe.encoder),
      let context = unsafe library.pointee.avcodec_alloc_context3(codec)
    else { throw missing }
    var owned: OpaquePointer? = unsafe context
    let parameters = try unsafe CodecParameters(library, path: path)
    let wanted = unsafe parameters.parameters
    let channels = CFFmpegChannels(count: Int32(mask.nonzeroBitCount), mask: mask)
    unsafe cffmpeg_set_AVCodecParameters_format(wanted, Int32(recipe.sampleFormat))
    unsafe cffmpeg_set_AVCodecParameters_sample_rate(wanted, Int32(clamping: hertz))
    unsafe cffmpeg_set_AVCodecParameters_bits_per_raw_sample(wanted, Int32(recipe.bits))
    unsafe cffmpeg_set_AVCodecParameters_bit_rate(wanted, Int64(recipe.bitrate ?? 0))
    unsafe cffmpeg_set_AVCodecParameters_channels(wanted, channels)
    var code = unsafe library.pointee.avcodec_parameters_to_context(context, wanted)
    for (name, value) in recipe.options where code >= 0 {
      code = unsafe library.pointee.av_opt_set(
        UnsafeMutableRawPointer(context), name, value, Int32(AV_OPT_SEARCH_CHILDREN))
    }
    if code >= 0 { code = unsafe library.pointee.avcodec_open2(context, codec, nil) }
    if code >= 0 { code = unsafe library.pointee.avcodec_parameters_from_context(wanted, context) }
    guard code >= 0, let frame = unsafe library.pointee.av_frame_alloc() else {
      unsafe library.pointee.avcodec_free_context(&owned)
      throw code == FFmpegLibrary.impossible
        ? .impossibleShape(path: path, channelCount: mask.nonzeroBitCount, hertz: hertz)
        : .cannotEncode(path: path, reason: FFmpegLibrary.reason(code))
    }
    unsafe self.library = library
    unsafe self.context = context
    unsafe self.frame = frame
    self.recipe = recipe
    self.hertz = hertz
    self.channels = channels
    framesPerPacket = unsafe max(1, Int(cffmpeg_AVCodecParameters_frame_size(wanted)))
  }

  deinit {
    var frame: OpaquePointer? = unsafe frame
    unsafe library.pointee.av_frame_free(&frame)
    var context: OpaquePointer? = unsafe context
    unsafe library.pointee.avcodec_free_context(&context)
  }

  /// Fills the parameters for a decoder.
  func describe(_ parameters: OpaquePointer) -> Int32 {
    unsafe library.pointee.avcodec_parameters_from_context(parameters, context)
  }

  /// Sends interleaved samples with full scale at ±1; returns FFmpeg's code.
  mutating func send(_ samples: ArraySlice<Double>, channelCount: Int) -> Int32 {
    let count = samples.count / channelCount
    unsafe library.pointee.av_frame_unref(frame)
    unsafe cffmpeg_set_AVFrame_nb_samples(frame, Int32(count))
    unsafe cffmpeg_set_AVFrame_format(frame, Int32(recipe.sampleFormat))
    unsafe cffmpeg_set_AVFrame_sample_rate(frame, Int32(clamping: hertz))
    unsafe cffmpeg_set_AVFrame_channels(frame, channels)
    let code = unsafe library.pointee.av_frame_get_buffer(frame, 0)
    guard code >= 0 else { return code }
    unsafe cffmpeg_set_AVFrame_pts(frame, nextFrame)
    nextFrame += Int64(count)
    fill(samples, channelCount)
    return unsafe library.pointee.avcodec_send_frame(context, frame)
  }

  /// Signals the end of the frames.
  func drain() -> Int32 { unsafe library.pointee.avcodec_send_frame(context, nil) }

  /// Receives a packet; returns FFmpeg's code.
  func receive(_ packet: borrowing PacketHandle) -> Int32 {
    unsafe library.pointee.avcodec_receive_packet(context, packet.packet)
  }

  private func fill(_ samples: ArraySlice<Double>, _ channelCount: Int) {
    switch recipe.sampleFormat {
    case AV_SAMPLE_FMT_S16P: fill(samples, channelCount, as: Int16.self)
    case AV_SAMPLE_FMT_S32P: fill(samples, channelCount, as: Int32.self)
    default: fill(samples, channelCount, as: Float.self)
    }
  }

  /// The largest sample that is sent to the encoder: 48 dB above full scale.
  ///
  /// Some lossy encoders end the process if a sum of squares is infinite.
  private var limit: Double { recipe.encoder == "wavpack" ? .infinity : 256 }

  private func fill<Sample: AudioSample>(
    _ samples: ArraySlice<Double>, _ channelCount: Int, as type: Sample.Type
  ) {
    let (isPlanar, limit) = (recipe.sampleFormat != AV_SAMPLE_FMT_FLT, limit)
    let planes = unsafe cffmpeg_AVFrame_extended_data(frame)
    for channel in 0..<channelCount {
      guard let plane = unsafe planes?[isPlanar ? channel : 0] else { continue }
      let target = unsafe UnsafeMutableRawPointer(plane).assumingMemoryBound(to: Sample.self)
      var source = samples.startIndex + channel
      for place in 0..<samples.count / channelCount {
        let index = isPlanar ? place : place * channelCount + channel
        unsafe target[index] = .nearest(to: min(max(samples[source], -limit), limit))
        source += channelCount
      }
    }
  }
}
