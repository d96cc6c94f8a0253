// SPDX-License-Identifier: Apache-2.0
internal import CFFmpeg

/// The owner of what one of FFmpeg's codecs is to know before it begins.
@safe
struct CodecParameters: ~Copyable {
  let parameters: OpaquePointer
  private let library: UnsafePointer<CFFmpegTable>

  /// Empty parameters, to be filled.
  init(_ library: UnsafePointer<CFFmpegTable>, path: String) throws(SoundFileError) {
    guard let parameters = unsafe library.pointee.avcodec_parameters_alloc() else {
      throw .notSoundFile(path: path, reason: "not enough memory")
    }
    unsafe self.parameters = parameters
    unsafe self.library = library
    unsafe cffmpeg_set_AVCodecParameters_codec_type(parameters, AVMEDIA_TYPE_AUDIO)
  }

  /// The parameters of a decoder for packets without a container; unknown codecs are taken for AAC.
  ///
  /// - Throws: `SoundFileError.notSoundFile` if there is not enough memory.
  init(
    _ library: UnsafePointer<CFFmpegTable>, codec: SoundCodec, cookie: [UInt8], hertz: Int,
    channelCount: Int, path: String
  ) throws(SoundFileError) {
    try unsafe self.init(library, path: path)
    let id =
      switch codec {
      case .alac: AV_CODEC_ID_ALAC
      // One decoder takes all layers.
      case .mp1, .mp2, .mp3: AV_CODEC_ID_MP3
      case .ac3: AV_CODEC_ID_AC3
      case .enhancedAC3: AV_CODEC_ID_EAC3
      case .flac: AV_CODEC_ID_FLAC
      case .vorbis: AV_CODEC_ID_VORBIS
      case .opus: AV_CODEC_ID_OPUS
      default: AV_CODEC_ID_AAC
      }
    unsafe cffmpeg_set_AVCodecParameters_codec_id(parameters, id)
    unsafe cffmpeg_set_AVCodecParameters_sample_rate(parameters, Int32(clamping: hertz))
    unsafe cffmpeg_set_AVCodecParameters_channels(
      parameters, CFFmpegChannels(count: Int32(clamping: channelCount), mask: 0))
    // The size of a sample, behind the box's head, its version and the frames of a packet.
    if codec == .alac, cookie.count > 17 {
      unsafe cffmpeg_set_AVCodecParameters_bits_per_raw_sample(parameters, Int32(cookie[17]))
    }
    // The bits of a sample in a STREAMINFO block (RFC 9639, 8.2).
    if codec == .flac, cookie.count == 34 {
      let bits = Int32(cookie[12] & 1) << 4 | Int32(cookie[13] >> 4)
      unsafe cffmpeg_set_AVCodecParameters_bits_per_raw_sample(parameters, bits + 1)
    }
    setCookie(codec == .opus ? Self.withoutPreSkip(cookie) : cookie)
  }

  /// The identification header of Opus for a decoder that gives all frames of a packet.
  ///
  /// FFmpeg's decoder drops the pre-skip (RFC 7845, 5.1) of the first packet that it gets, even after
  /// a seek.
  private static func withoutPreSkip(_ cookie: [UInt8]) -> [UInt8] {
    guard cookie.count >= 12 else { return cookie }
    return cookie[..<10] + [0, 0] + cookie[12...]
  }

  deinit {
    var parameters: OpaquePointer? = unsafe parameters
    unsafe library.pointee.avcodec_parameters_free(&parameters)
  }

  /// What a decoder is to know beforehand.
  var cookie: [UInt8] {
    guard let bytes = unsafe cffmpeg_AVCodecParameters_extradata(parameters) else { return [] }
    let count = unsafe Int(cffmpeg_AVCodecParameters_extradata_size(parameters))
    return unsafe Array(UnsafeBufferPointer(start: bytes, count: count))
  }

  /// Frames that a decoder gives before the first that was put in.
  var initialPadding: Int {
    unsafe Int(cffmpeg_AVCodecParameters_initial_padding(parameters))
  }

  private func setCookie(_ cookie: [UInt8]) {
    // Decoders read on behind the end, 64 bytes at most.
    guard !cookie.isEmpty, let copy = unsafe library.pointee.av_mallocz(cookie.count + 64) else {
      return
    }
    let bytes = unsafe copy.assumingMemoryBound(to: UInt8.self)
    for (index, byte) in cookie.enumerated() { unsafe bytes[index] = byte }
    unsafe cffmpeg_set_AVCodecParameters_extradata(parameters, bytes)
    unsafe cffmpeg_set_AVCodecParameters_extradata_size(parameters, Int32(cookie.count))
  }
}
