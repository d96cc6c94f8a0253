// SPDX-License-Identifier: Apache-2.0
internal import CSndFile

extension SoundLayer {
  /// Creates the only layer of a file that libsndfile reads, from its format code.
  init(_ shape: SF_INFO) {
    let (codec, hertz) = (SoundCodec(sndFile: shape.format), Int(shape.samplerate))
    self.init(
      codec: codec, hertz: hertz, channelCount: Int(shape.channels),
      framesPerPacket: Self.framesPerPacket(codec, hertz))
  }

  private static func framesPerPacket(_ codec: SoundCodec, _ hertz: Int) -> Int {
    switch codec {
    case .linearPCM, .muLaw, .aLaw: 1
    case .mp1: 384
    case .mp2: 1152
    case .mp3: hertz < 32_000 ? 576 : 1152
    default: 0
    }
  }
}

extension SoundCodec {
  /// The codec for a format code: Core Audio's code if there is one, else libsndfile's name.
  fileprivate init(sndFile code: Int32) {
    let minor = Int(code) & SF_FORMAT_SUBMASK
    if Int(code) & SF_FORMAT_TYPEMASK == SF_FORMAT_FLAC {
      self = .flac
      return
    }
    switch minor {
    case SF_FORMAT_PCM_S8, SF_FORMAT_PCM_U8, SF_FORMAT_PCM_16, SF_FORMAT_PCM_24, SF_FORMAT_PCM_32,
      SF_FORMAT_FLOAT, SF_FORMAT_DOUBLE:
      self = .linearPCM
    case SF_FORMAT_ULAW: self = .muLaw
    case SF_FORMAT_ALAW: self = .aLaw
    case SF_FORMAT_IMA_ADPCM: self = .imaADPCM
    case SF_FORMAT_GSM610: self = .gsm
    case SF_FORMAT_ALAC_16, SF_FORMAT_ALAC_20, SF_FORMAT_ALAC_24, SF_FORMAT_ALAC_32: self = .alac
    case SF_FORMAT_VORBIS: self = .vorbis
    case SF_FORMAT_OPUS: self = .opus
    case SF_FORMAT_MPEG_LAYER_I: self = .mp1
    case SF_FORMAT_MPEG_LAYER_II: self = .mp2
    case SF_FORMAT_MPEG_LAYER_III: self = .mp3
    default: self.init(rawValue: SoundFileHandle.name(ofFormat: minor) ?? "unknown")
    }
  }
}
