// SPDX-License-Identifier: Apache-2.0
import AVFoundation
import Testing

/// Numbers that Apple's headers give to formats, files, converters, queues and streams.
@Suite struct AudioConstantTests {
  private static func code(_ letters: String) -> UInt32 {
    letters.utf8.reduce(0) { $0 << 8 | UInt32($1) }
  }

  @Test func `Formats of samples and packets`() {
    let formats: [(AudioFormatID, String)] = [
      (kAudioFormatLinearPCM, "lpcm"), (kAudioFormatAC3, "ac-3"), (kAudioFormatAppleIMA4, "ima4"),
      (kAudioFormatMPEG4AAC, "aac "), (kAudioFormatULaw, "ulaw"), (kAudioFormatALaw, "alaw"),
      (kAudioFormatMPEGLayer1, ".mp1"), (kAudioFormatMPEGLayer2, ".mp2"),
      (kAudioFormatMPEGLayer3, ".mp3"), (kAudioFormatAppleLossless, "alac"),
      (kAudioFormatMPEG4AAC_HE, "aach"), (kAudioFormatMPEG4AAC_HE_V2, "aacp"),
      (kAudioFormatMPEG4AAC_LD, "aacl"), (kAudioFormatMPEG4AAC_ELD, "aace"),
      (kAudioFormatEnhancedAC3, "ec-3"), (kAudioFormatFLAC, "flac"), (kAudioFormatOpus, "opus"),
      (kAudioFormatiLBC, "ilbc"), (kAudioFormatAMR, "samr"), (kAudioFormatMPEGD_USAC, "usac"),
    ]
    for (format, letters) in formats { #expect(format == Self.code(letters)) }
    #expect(kAudioFormatDVIIntelIMA == 0x6D73_0011 && kAudioFormatMicrosoftGSM == 0x6D73_0031)
    let flags: [AudioFormatFlags] = [
      kAudioFormatFlagIsFloat, kAudioFormatFlagIsBigEndian, kAudioFormatFlagIsSignedInteger,
      kAudioFormatFlagIsPacked, kAudioFormatFlagIsAlignedHigh, kAudioFormatFlagIsNonInterleaved,
      kAudioFormatFlagIsNonMixable,
    ]
    #expect(flags == [1, 2, 4, 8, 16, 32, 64])
    #expect(kLinearPCMFormatFlagIsSignedInteger == 4 && kLinearPCMFormatFlagIsPacked == 8)
    #expect(kAudioFormatFlagsAreAllClear == 0x8000_0000)
    #expect(kLinearPCMFormatFlagsSampleFractionMask == 0x1F80)
    #expect(kAudioFormatFlagsNativeFloatPacked == 9 && kAudioFormatFlagsAudioUnitCanonical == 41)
    #expect(kAppleLosslessFormatFlag_24BitSourceData == 3)
  }

  @Test func `Files`() {
    let kinds: [(AudioFileTypeID, String)] = [
      (kAudioFileAIFFType, "AIFF"), (kAudioFileAIFCType, "AIFC"), (kAudioFileWAVEType, "WAVE"),
      (kAudioFileRF64Type, "RF64"), (kAudioFileNextType, "NeXT"), (kAudioFileMP3Type, "MPG3"),
      (kAudioFileAC3Type, "ac-3"), (kAudioFileAAC_ADTSType, "adts"), (kAudioFileMPEG4Type, "mp4f"),
      (kAudioFileM4AType, "m4af"), (kAudioFileCAFType, "caff"), (kAudioFileFLACType, "flac"),
    ]
    for (kind, letters) in kinds { #expect(kind == Self.code(letters)) }
    let errors: [(OSStatus, OSStatus)] = [
      (kAudioFileUnspecifiedError, 2_003_334_207),
      (kAudioFileUnsupportedFileTypeError, 1_954_115_647),
      (kAudioFileUnsupportedDataFormatError, 1_718_449_215),
      (kAudioFileUnsupportedPropertyError, 1_886_681_407),
      (kAudioFileBadPropertySizeError, 561_211_770), (kAudioFilePermissionsError, 1_886_547_263),
      (kAudioFileNotOptimizedError, 1_869_640_813), (kAudioFileInvalidChunkError, 1_667_787_583),
      (kAudioFileDoesNotAllow64BitDataSizeError, 1_868_981_823),
      (kAudioFileInvalidPacketOffsetError, 1_885_563_711),
      (kAudioFileInvalidFileError, 1_685_348_671),
      (kAudioFileOperationNotSupportedError, 1_869_627_199), (kAudioFileNotOpenError, -38),
      (kAudioFileEndOfFileError, -39), (kAudioFilePositionError, -40),
      (kAudioFileFileNotFoundError, -43),
    ]
    for (error, number) in errors { #expect(error == number) }
    let properties: [(AudioFilePropertyID, String)] = [
      (kAudioFilePropertyFileFormat, "ffmt"), (kAudioFilePropertyDataFormat, "dfmt"),
      (kAudioFilePropertyMagicCookieData, "mgic"), (kAudioFilePropertyAudioDataByteCount, "bcnt"),
      (kAudioFilePropertyAudioDataPacketCount, "pcnt"),
      (kAudioFilePropertyMaximumPacketSize, "psze"), (kAudioFilePropertyChannelLayout, "cmap"),
      (kAudioFilePropertyInfoDictionary, "info"), (kAudioFilePropertyPacketTableInfo, "pnfo"),
      (kAudioFilePropertyFormatList, "flst"), (kAudioFilePropertyPacketSizeUpperBound, "pkub"),
      (kAudioFilePropertyEstimatedDuration, "edur"), (kAudioFilePropertyBitRate, "brat"),
      (kAudioFileGlobalInfo_ReadableTypes, "afrf"), (kAudioFileGlobalInfo_AllExtensions, "alxt"),
      (kAudioFileGlobalInfo_TypesForExtension, "text"),
    ]
    for (property, letters) in properties { #expect(property == Self.code(letters)) }
    #expect(AudioFileFlags.eraseFile.rawValue == 1)
    #expect(AudioFilePermissions.readWritePermission.rawValue == 3)
    #expect(kAFInfoDictionary_Title == "title")
    #expect(kAFInfoDictionary_ApproximateDurationInSeconds == "approximate duration in seconds")
  }

  @Test func `Files with conversion, formats and converters`() {
    #expect(kExtAudioFileProperty_ClientDataFormat == Self.code("cfmt"))
    #expect(kExtAudioFileProperty_FileLengthFrames == Self.code("#frm"))
    #expect(kExtAudioFileProperty_PacketTable == Self.code("xpti"))
    #expect(kExtAudioFileError_InvalidProperty == -66561)
    #expect(kExtAudioFileError_AsyncWriteBufferOverflow == -66570)
    #expect(kAudioFormatProperty_FormatInfo == Self.code("fmti"))
    #expect(kAudioFormatProperty_FirstPlayableFormatFromList == Self.code("fpfl"))
    #expect(kAudioFormatProperty_Decoders == Self.code("avde"))
    #expect(UInt32(bitPattern: kAudioFormatUnknownFormatError) == Self.code("!fmt"))
    #expect(UInt32(bitPattern: kAudioFormatUnspecifiedError) == Self.code("what"))
    #expect(kAudioConverterEncodeBitRate == Self.code("brat"))
    #expect(kAudioConverterPrimeInfo == Self.code("prim"))
    #expect(kAudioConverterInputChannelLayout == Self.code("icl "))
    #expect(kAudioConverterQuality_Max == 0x7F && kAudioConverterQuality_High == 0x60)
    #expect(kAudioConverterSampleRateConverterComplexity_Mastering == Self.code("bats"))
    #expect(kConverterPrimeMethod_None == 2)
    #expect(UInt32(bitPattern: kAudioConverterErr_InvalidInputSize) == Self.code("insz"))
    #expect(
      UInt32(bitPattern: kAudioConverterErr_RequiresPacketDescriptionsError) == Self.code("!pkd"))
    #expect(kAppleSoftwareAudioCodecManufacturer == Self.code("appl"))
    #expect(kAudioDecoderComponentType == Self.code("adec"))
  }

  @Test func `Queues and streams`() {
    #expect(kAudioQueueErr_InvalidBuffer == -66687 && kAudioQueueErr_CannotStartYet == -66665)
    #expect(kAudioQueueErr_EnqueueDuringReset == -66632)
    #expect(kAudioQueueErr_InvalidOfflineMode == -66626)
    #expect(kAudioQueueProperty_IsRunning == Self.code("aqrn"))
    #expect(kAudioQueueProperty_CurrentLevelMeterDB == Self.code("aqmd"))
    #expect(kAudioQueueProperty_EnableTimePitch == Self.code("q_tp"))
    #expect(kAudioQueueParam_Volume == 1 && kAudioQueueParam_Pan == 13)
    #expect(AudioQueueProcessingTapFlags.endOfStream.rawValue == 0x200)
    #expect(kAudioFileStreamProperty_ReadyToProducePackets == Self.code("redy"))
    #expect(kAudioFileStreamProperty_AverageBytesPerPacket == Self.code("abpp"))
    #expect(UInt32(bitPattern: kAudioFileStreamError_NotOptimized) == Self.code("optm"))
    #expect(UInt32(bitPattern: kAudioFileStreamError_DataUnavailable) == Self.code("more"))
    #expect(AudioFileStreamParseFlags.discontinuity.rawValue == 1)
    #expect(AudioFileStreamSeekFlags.offsetIsEstimated.rawValue == 1)
  }
}
