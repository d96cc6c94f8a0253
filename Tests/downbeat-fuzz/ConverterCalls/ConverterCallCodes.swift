// SPDX-License-Identifier: Apache-2.0
import AVFoundation

/// The statuses that converters, extended files and questions about formats may return, and the
/// properties that they are asked for.
enum ConverterCallCodes {
  static let all: Set<OSStatus> = [
    noErr, 77, kAudio_ParamError, kAudio_MemFullError, kAudioConverterErr_FormatNotSupported,
    kAudioConverterErr_OperationNotSupported, kAudioConverterErr_PropertyNotSupported,
    kAudioConverterErr_InvalidInputSize, kAudioConverterErr_InvalidOutputSize,
    kAudioConverterErr_UnspecifiedError, kAudioConverterErr_BadPropertySizeError,
    kAudioConverterErr_RequiresPacketDescriptionsError,
    kAudioConverterErr_InputSampleRateOutOfRange, kAudioConverterErr_OutputSampleRateOutOfRange,
    kExtAudioFileError_InvalidProperty, kExtAudioFileError_InvalidPropertySize,
    kExtAudioFileError_NonPCMClientFormat, kExtAudioFileError_InvalidChannelMap,
    kExtAudioFileError_InvalidOperationOrder, kExtAudioFileError_InvalidDataFormat,
    kExtAudioFileError_MaxPacketSizeUnknown, kExtAudioFileError_InvalidSeek,
    kAudioFileUnspecifiedError, kAudioFileUnsupportedFileTypeError,
    kAudioFileUnsupportedDataFormatError, kAudioFilePermissionsError,
    kAudioFileFileNotFoundError, kAudioFormatUnspecifiedError,
    kAudioFormatUnsupportedPropertyError, kAudioFormatBadPropertySizeError,
    kAudioFormatBadSpecifierSizeError, kAudioFormatUnsupportedDataFormatError,
    kAudioFormatUnknownFormatError,
  ]

  static let converterProperties: [AudioConverterPropertyID] = [
    kAudioConverterPropertyMinimumInputBufferSize, kAudioConverterPropertyMaximumOutputPacketSize,
    kAudioConverterPropertyCalculateInputBufferSize,
    kAudioConverterPropertyCalculateOutputBufferSize,
    kAudioConverterSampleRateConverterComplexity, kAudioConverterSampleRateConverterQuality,
    kAudioConverterCodecQuality, kAudioConverterPrimeMethod, kAudioConverterPrimeInfo,
    kAudioConverterChannelMap, kAudioConverterDecompressionMagicCookie,
    kAudioConverterCompressionMagicCookie, kAudioConverterEncodeBitRate,
    kAudioConverterInputChannelLayout, kAudioConverterOutputChannelLayout,
    kAudioConverterApplicableEncodeBitRates, kAudioConverterAvailableEncodeSampleRates,
    kAudioConverterAvailableEncodeChannelLayoutTags,
    kAudioConverterCurrentOutputStreamDescription, kAudioConverterPropertyBitDepthHint,
    kAudioConverterPropertyFormatList, kAudioConverterPropertyDithering,
    kAudioConverterPropertyDitherBitDepth, 7,
  ]

  static let fileProperties: [ExtAudioFilePropertyID] = [
    kExtAudioFileProperty_FileDataFormat, kExtAudioFileProperty_FileChannelLayout,
    kExtAudioFileProperty_ClientDataFormat, kExtAudioFileProperty_ClientChannelLayout,
    kExtAudioFileProperty_CodecManufacturer, kExtAudioFileProperty_AudioConverter,
    kExtAudioFileProperty_AudioFile, kExtAudioFileProperty_FileMaxPacketSize,
    kExtAudioFileProperty_ClientMaxPacketSize, kExtAudioFileProperty_FileLengthFrames,
    kExtAudioFileProperty_ConverterConfig, kExtAudioFileProperty_IOBufferSizeBytes,
    kExtAudioFileProperty_PacketTable, 7,
  ]

  /// Without those whose specifier contains addresses.
  static let formatProperties: [AudioFormatPropertyID] = [
    kAudioFormatProperty_EncodeFormatIDs, kAudioFormatProperty_DecodeFormatIDs,
    kAudioFormatProperty_FormatIsVBR, kAudioFormatProperty_FormatEmploysDependentPackets,
    kAudioFormatProperty_Encoders, kAudioFormatProperty_Decoders,
    kAudioFormatProperty_AvailableEncodeBitRates,
    kAudioFormatProperty_AvailableEncodeSampleRates,
    kAudioFormatProperty_AvailableEncodeNumberChannels, kAudioFormatProperty_BitmapForLayoutTag,
    kAudioFormatProperty_NumberOfChannelsForLayout, kAudioFormatProperty_ChannelLayoutHash,
    kAudioFormatProperty_ValidateChannelLayout, kAudioFormatProperty_ChannelLayoutForTag,
    kAudioFormatProperty_TagForChannelLayout, kAudioFormatProperty_ChannelLayoutForBitmap,
    kAudioFormatProperty_TagsForNumberOfChannels, kAudioFormatProperty_ASBDFromESDS,
    kAudioFormatProperty_ID3TagSize, kAudioFormatProperty_FormatInfo,
    kAudioFormatProperty_FirstPlayableFormatFromList, 7,
  ]
}
