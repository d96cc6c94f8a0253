// SPDX-License-Identifier: Apache-2.0
internal import CFFmpeg

/// Owns an FFmpeg decoder and the frame that it fills.
@safe
struct DecoderHandle: ~Copyable {
  /// The format and length of a decoded frame.
  struct Shape: Equatable {
    var hertz = 0
    var channelCount = 0
    /// The mask of loudspeakers, or 0.
    var mask: UInt64 = 0
    var sampleFormat = 0
    var frameCount = 0
  }

  private let library: UnsafePointer<CFFmpegTable>
  private let context: OpaquePointer
  private let frame: OpaquePointer

  /// Opens the decoder for codec parameters.
  ///
  /// - Parameters:
  ///   - library: The functions of FFmpeg.
  ///   - parameters: The codec and its configuration.
  ///   - path: The name of the file in messages.
  /// - Throws: `SoundFileError.notSoundFile` if FFmpeg does not support the codec, or rejects the
  ///   parameters.
  init(
    _ library: UnsafePointer<CFFmpegTable>, _ parameters: OpaquePointer, path: String
  ) throws(SoundFileError) {
    let id = unsafe cffmpeg_AVCodecParameters_codec_id(parameters)
    // FFmpeg's own decoder of Opus is less exact at low bitrates.
    let preferred =
      id == AV_CODEC_ID_OPUS ? unsafe library.pointee.avcodec_find_decoder_by_name("libopus") : nil
    guard let codec = unsafe preferred ?? library.pointee.avcodec_find_decoder(id) else {
      let name = unsafe Self.name(library, id)
      throw .notSoundFile(path: path, reason: "no decoder for \(name) is installed")
    }
    guard unsafe Self.isBounded(parameters, id) else {
      throw .notSoundFile(path: path, reason: "its ALAC packets are too long")
    }
    guard let context = unsafe library.pointee.avcodec_alloc_context3(codec) else {
      throw .notSoundFile(path: path, reason: "not enough memory")
    }
    var owned: OpaquePointer? = unsafe context
    if unsafe preferred != nil {
      _ = unsafe library.pointee.av_opt_set(
        UnsafeMutableRawPointer(context), "request_sample_fmt", "flt", 0)
    }
    var code = unsafe library.pointee.avcodec_parameters_to_context(context, parameters)
    if code >= 0 { code = unsafe library.pointee.avcodec_open2(context, codec, nil) }
    guard code >= 0, let frame = unsafe library.pointee.av_frame_alloc() else {
      unsafe library.pointee.avcodec_free_context(&owned)
      throw .notSoundFile(path: path, reason: FFmpegLibrary.reason(code))
    }
    unsafe self.library = library
    unsafe self.context = context
    unsafe self.frame = frame
  }

  deinit {
    var frame: OpaquePointer? = unsafe frame
    unsafe library.pointee.av_frame_free(&frame)
    var context: OpaquePointer? = unsafe context
    unsafe library.pointee.avcodec_free_context(&context)
  }

  /// Sends a packet; returns FFmpeg's code.
  func send(_ packet: borrowing PacketHandle) -> Int32 {
    unsafe library.pointee.avcodec_send_packet(context, packet.packet)
  }

  /// Signals the end of the packets.
  func drain() { _ = unsafe library.pointee.avcodec_send_packet(context, nil) }

  /// Receives frames; returns FFmpeg's code.
  func receive() -> Int32 { unsafe library.pointee.avcodec_receive_frame(context, frame) }

  /// The format of the frames received last.
  var shape: Shape {
    let channels = unsafe cffmpeg_AVFrame_channels(frame)
    return unsafe Shape(
      hertz: Int(cffmpeg_AVFrame_sample_rate(frame)), channelCount: Int(channels.count),
      mask: channels.mask, sampleFormat: Int(cffmpeg_AVFrame_format(frame)),
      frameCount: Int(cffmpeg_AVFrame_nb_samples(frame)))
  }

  /// The planes of the samples received last, or one plane with all channels.
  var planes: UnsafeMutablePointer<UnsafeMutablePointer<UInt8>?>? {
    unsafe cffmpeg_AVFrame_extended_data(frame)
  }

  /// The most frames in a packet of ALAC: 32 times those of Apple's encoder.
  ///
  /// A cookie may claim 2²⁴, for which the decoder allocates 64 MiB several times. Other codecs have
  /// at most 65,535 frames in a packet (FLAC), by their formats.
  private static let longestPacket = 1 << 17

  /// False if a cookie claims packets of ALAC that are too long.
  private static func isBounded(_ parameters: OpaquePointer, _ id: AVCodecID) -> Bool {
    guard id == AV_CODEC_ID_ALAC,
      let cookie = unsafe cffmpeg_AVCodecParameters_extradata(parameters),
      unsafe cffmpeg_AVCodecParameters_extradata_size(parameters) >= 16
    else { return true }
    // The frames of a packet follow the box's head and its version.
    let length = (12..<16).reduce(0) { unsafe $0 << 8 | Int(cookie[$1]) }
    return length <= longestPacket
  }

  private static func name(_ library: UnsafePointer<CFFmpegTable>, _ id: AVCodecID) -> String {
    unsafe library.pointee.avcodec_get_name(id).map { unsafe String(cString: $0) } ?? "it"
  }
}
