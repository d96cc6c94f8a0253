// SPDX-License-Identifier: Apache-2.0
internal import CFFmpeg

/// The owner of one of FFmpeg's encoders and of the frame that it is given.
@safe
struct EncoderHandle: ~Copyable {
  private let library: UnsafePointer<CFFmpegTable>
  private let context: OpaquePointer
  private let frame: UnsafeMutablePointer<AVFrame>
  private let recipe: EncodingRecipe
  private let hertz: Int
  private let layout: AVChannelLayout
  /// Frames that a packet takes.
  let framesPerPacket: Int
  private var nextFrame: Int64 = 0

  /// Opens an encoder.
  ///
  /// - Throws: `SoundFileError.cannotEncode` where there is none, `.impossibleShape` where it
  ///   refuses the sound's rate or channels.
  init(
    _ library: UnsafePointer<CFFmpegTable>, _ recipe: EncodingRecipe, hertz: Int, mask: UInt64,
    path: String
  ) throws(SoundFileError) {
    let missing = SoundFileError.cannotEncode(
      path: path, reason: "FFmpeg has no encoder \(recipe.encoder)")
    guard let codec = unsafe library.pointee.avcodec_find_encoder_by_name(recipe.encoder),
      let context = unsafe library.pointee.avcodec_alloc_context3(codec)
    else { throw missing }
    var owned: OpaquePointer? = unsafe context
    let parameters = try unsafe CodecParameters(library, path: path)
    let wanted = unsafe parameters.parameters
    unsafe wanted.pointee.format = Int32(recipe.sampleFormat)
    unsafe wanted.pointee.sample_rate = Int32(clamping: hertz)
    unsafe wanted.pointee.bits_per_raw_sample = Int32(recipe.bits)
    unsafe wanted.pointee.bit_rate = Int64(recipe.bitrate ?? 0)
    unsafe _ = library.pointee.av_channel_layout_from_mask(&wanted.pointee.ch_layout, mask)
    let layout = unsafe wanted.pointee.ch_layout
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
    unsafe self.layout = layout
    framesPerPacket = unsafe max(1, Int(wanted.pointee.frame_size))
  }

  deinit {
    var frame: UnsafeMutablePointer<AVFrame>? = unsafe frame
    unsafe library.pointee.av_frame_free(&frame)
    var context: OpaquePointer? = unsafe context
    unsafe library.pointee.avcodec_free_context(&context)
  }

  /// Says what a decoder is to know.
  func describe(_ parameters: UnsafeMutablePointer<AVCodecParameters>) -> Int32 {
    unsafe library.pointee.avcodec_parameters_from_context(parameters, context)
  }

  /// Puts frames in, interleaved and of full scale at ±1; returns FFmpeg's code.
  mutating func send(_ samples: ArraySlice<Double>, channelCount: Int) -> Int32 {
    let count = samples.count / channelCount
    unsafe library.pointee.av_frame_unref(frame)
    unsafe frame.pointee.nb_samples = Int32(count)
    unsafe frame.pointee.format = Int32(recipe.sampleFormat)
    unsafe frame.pointee.sample_rate = Int32(clamping: hertz)
    unsafe frame.pointee.ch_layout = layout
    let code = unsafe library.pointee.av_frame_get_buffer(frame, 0)
    guard code >= 0 else { return code }
    unsafe frame.pointee.pts = nextFrame
    nextFrame += Int64(count)
    fill(samples, channelCount)
    return unsafe library.pointee.avcodec_send_frame(context, frame)
  }

  /// Says that no frame follows.
  func drain() -> Int32 { unsafe library.pointee.avcodec_send_frame(context, nil) }

  /// Takes a packet out; returns FFmpeg's code.
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

  private func fill<Sample: AudioSample>(
    _ samples: ArraySlice<Double>, _ channelCount: Int, as type: Sample.Type
  ) {
    let isPlanar = recipe.sampleFormat != AV_SAMPLE_FMT_FLT
    for channel in 0..<channelCount {
      guard let plane = unsafe frame.pointee.extended_data[isPlanar ? channel : 0] else { continue }
      let target = unsafe UnsafeMutableRawPointer(plane).assumingMemoryBound(to: Sample.self)
      var source = samples.startIndex + channel
      for place in 0..<samples.count / channelCount {
        let index = isPlanar ? place : place * channelCount + channel
        unsafe target[index] = .nearest(to: samples[source])
        source += channelCount
      }
    }
  }
}
