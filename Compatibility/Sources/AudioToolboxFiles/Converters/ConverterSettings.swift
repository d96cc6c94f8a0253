// SPDX-License-Identifier: Apache-2.0
package import AudioFiles
internal import CCoreAudio

/// The properties of a converter that a program can set.
package struct ConverterSettings: Sendable {
  /// Exactness of a change of rate, 0…127.
  package var rateQuality = UInt32(kAudioConverterQuality_Max)
  /// The kind of filter of a change of rate.
  package var complexity = UInt32(kAudioConverterSampleRateConverterComplexity_Normal)
  /// The effort of an encoder, 0…127; it is kept, and does not change the result.
  package var codecQuality = UInt32(kAudioConverterQuality_Medium)
  /// The frames that a change of rate expects before the first.
  package var primeMethod = UInt32(kConverterPrimeMethod_Normal)
  /// Decoded frames that are left out at the beginning.
  package var trimmedFrameCount = 0
  /// For each output channel the number of an input channel, or −1 for silence.
  package var channelMap: [Int32]?
  /// The loudspeakers of the input's channels.
  package var inputLayout: ChannelLabels?
  /// The loudspeakers of the output's channels.
  package var outputLayout: ChannelLabels?
  /// The configuration of the decoder, as the program gave it.
  package var decompressionCookie: [UInt8] = []
  /// Bits per second of an encoder; nil for its usual rate.
  package var bitRate: Int?
  /// The noise that is added before samples are rounded.
  package var dither = Dither.none
  /// The bits that dither rounds to; nil for all of the output's.
  package var ditherBits: Int?
  /// The bits of the samples that a lossless encoder keeps; nil for those of the input.
  package var bitDepthHint: Int?

  /// The quality of a change of rate.
  package var quality: SampleRateConverter.Quality {
    if complexity == UInt32(kAudioConverterSampleRateConverterComplexity_Mastering) {
      return .veryHigh
    }
    if complexity == UInt32(kAudioConverterSampleRateConverterComplexity_Linear) { return .medium }
    return switch rateQuality {
    case UInt32(kAudioConverterQuality_High)...: .veryHigh
    case UInt32(kAudioConverterQuality_Medium)...: .high
    default: .medium
    }
  }

  /// Creates the default settings.
  package init() {}
}
