// SPDX-License-Identifier: Apache-2.0
internal import CFFmpeg

/// Owns the parameters of an FFmpeg codec.
@safe
struct CodecParameters: ~Copyable {
  let parameters: OpaquePointer
  private let library: UnsafePointer<CFFmpegTable>

  /// Allocates empty parameters.
  init(_ library: UnsafePointer<CFFmpegTable>, path: String) throws(SoundFileError) {
    guard let parameters = unsafe library.pointee.avcodec_parameters_alloc() else {
      throw .notSoundFile(path: path, reason: "not enough memory")
    }
    unsafe self.parameters = parameters
    unsafe self.library = library
    unsafe cffmpeg_set_AVCodecParameters_codec_type(parameters, AVMEDIA_TYPE_AUDIO)
  }

  /// The parameters of a decoder for packets without a container.
  ///
  /// - Throws: `SoundFileError.notSoundFile` if the codec is not supported, or if memory is
  ///   insufficient.
  init(
    _ library: UnsafePointer<CFFmpegTable>, codec: SoundCodec, cookie: [UInt8], hertz: Int,
    channelCount: Int, framesPerPacket: Int = 0, path: String
  ) throws(SoundFileError) {
    let id = try Self.known(codec, path: path)
    try unsafe self.init(library, path: path)
    unsafe cffmpeg_set_AVCodecParameters_codec_id(parameters, id)
    unsafe cffmpeg_set_AVCodecParameters_sample_rate(parameters, Int32(clamping: hertz))
    unsafe cffmpeg_set_AVCodecParameters_channels(
      parameters, CFFmpegChannels(count: Int32(clamping: channelCount), mask: 0))
    // The size of a sample, after the box's header, its version and the frames of a packet.
    if codec == .alac, cookie.count > 17 {
      unsafe cffmpeg_set_AVCodecParameters_bits_per_raw_sample(parameters, Int32(cookie[17]))
    }
    // The bits of a sample in a STREAMINFO block (RFC 9639, 8.2).
    if codec == .flac, cookie.count == 34 {
      let bits = Int32(cookie[12] & 1) << 4 | Int32(cookie[13] >> 4)
      unsafe cffmpeg_set_AVCodecParameters_bits_per_raw_sample(parameters, bits + 1)
    }
    // The decoder of iLBC distinguishes packets of 20 and of 30 ms by the bitrate.
    if codec == .ilbc {
      let bitrate: Int64 = framesPerPacket == 240 ? 13_333 : 15_200
      unsafe cffmpeg_set_AVCodecParameters_bit_rate(parameters, bitrate)
    }
    setCookie(codec == .opus ? Self.withoutPreSkip(cookie) : cookie)
  }

  /// The identification header of Opus for a decoder that returns all frames of a packet.
  ///
  /// FFmpeg's decoder drops the pre-skip (RFC 7845, 5.1) of the first packet that it gets, even
  /// after a seek.
  private static func withoutPreSkip(_ cookie: [UInt8]) -> [UInt8] {
    guard cookie.count >= 12 else { return cookie }
    return cookie[..<10] + [0, 0] + cookie[12...]
  }

  private static func known(
    _ codec: SoundCodec, path: String
  ) throws(SoundFileError) -> AVCodecID {
    guard let id = identifier(of: codec) else {
      throw .notSoundFile(path: path, reason: "no decoder for \(codec) packets is used")
    }
    return id
  }

  /// FFmpeg's number of the decoder for a codec's packets; nil if the codec is not supported.
  static func identifier(of codec: SoundCodec) -> AVCodecID? {
    switch codec {
    case .aac, .aacHE, .aacHEv2: AV_CODEC_ID_AAC
    case .alac: AV_CODEC_ID_ALAC
    // This decoder supports all three layers.
    case .mp1, .mp2, .mp3: AV_CODEC_ID_MP3
    case .imaADPCM: AV_CODEC_ID_ADPCM_IMA_QT
    case .ac3: AV_CODEC_ID_AC3
    case .enhancedAC3: AV_CODEC_ID_EAC3
    case .opus: AV_CODEC_ID_OPUS
    case .vorbis: AV_CODEC_ID_VORBIS
    case .flac: AV_CODEC_ID_FLAC
    case .ilbc: AV_CODEC_ID_ILBC
    case .amrNarrow: AV_CODEC_ID_AMR_NB
    case .amrWide: AV_CODEC_ID_AMR_WB
    default: nil
    }
  }

  deinit {
    var parameters: OpaquePointer? = unsafe parameters
    unsafe library.pointee.avcodec_parameters_free(&parameters)
  }

  /// The magic cookie.
  var cookie: [UInt8] {
    guard let bytes = unsafe cffmpeg_AVCodecParameters_extradata(parameters) else { return [] }
    let count = unsafe Int(cffmpeg_AVCodecParameters_extradata_size(parameters))
    return unsafe Array(UnsafeBufferPointer(start: bytes, count: count))
  }

  /// The number of decoded frames before the first input frame.
  var initialPadding: Int {
    unsafe Int(cffmpeg_AVCodecParameters_initial_padding(parameters))
  }

  private func setCookie(_ cookie: [UInt8]) {
    // Decoders read up to 64 bytes after the end.
    guard !cookie.isEmpty, let copy = unsafe library.pointee.av_mallocz(cookie.count + 64) else {
      return
    }
    let bytes = unsafe copy.assumingMemoryBound(to: UInt8.self)
    for (index, byte) in cookie.enumerated() { unsafe bytes[index] = byte }
    unsafe cffmpeg_set_AVCodecParameters_extradata(parameters, bytes)
    unsafe cffmpeg_set_AVCodecParameters_extradata_size(parameters, Int32(cookie.count))
  }
}
