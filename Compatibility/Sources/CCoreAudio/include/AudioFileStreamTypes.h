// SPDX-License-Identifier: Apache-2.0
// Packets found in bytes that arrive: properties, codes and callbacks.
#pragma once
#include "AudioFileTypes.h"

typedef struct OpaqueAudioFileStreamID *AudioFileStreamID;
typedef uint32_t AudioFileStreamPropertyID;

typedef CORE_AUDIO_OPTIONS(AudioFileStreamPropertyFlags, uint32_t) {
  kAudioFileStreamPropertyFlag_PropertyIsCached CORE_AUDIO_SWIFT_NAME(propertyIsCached) = 1,
  kAudioFileStreamPropertyFlag_CacheProperty CORE_AUDIO_SWIFT_NAME(cacheProperty) = 2,
} AudioFileStreamPropertyFlags;

typedef CORE_AUDIO_OPTIONS(AudioFileStreamParseFlags, uint32_t) {
  kAudioFileStreamParseFlag_Discontinuity CORE_AUDIO_SWIFT_NAME(discontinuity) = 1,
} AudioFileStreamParseFlags;

typedef CORE_AUDIO_OPTIONS(AudioFileStreamSeekFlags, uint32_t) {
  kAudioFileStreamSeekFlag_OffsetIsEstimated CORE_AUDIO_SWIFT_NAME(offsetIsEstimated) = 1,
} AudioFileStreamSeekFlags;

typedef void (*AudioFileStream_PropertyListenerProc)(
    void *_Nonnull inClientData, AudioFileStreamID _Nonnull inAudioFileStream,
    AudioFileStreamPropertyID inPropertyID, AudioFileStreamPropertyFlags *_Nonnull ioFlags);
typedef void (*AudioFileStream_PacketsProc)(
    void *_Nonnull inClientData, uint32_t inNumberBytes, uint32_t inNumberPackets,
    const void *_Nonnull inInputData,
    AudioStreamPacketDescription *_Nullable inPacketDescriptions);

enum : OSStatus {
  kAudioFileStreamError_UnsupportedFileType = 'typ?',
  kAudioFileStreamError_UnsupportedDataFormat = 'fmt?',
  kAudioFileStreamError_UnsupportedProperty = 'pty?',
  kAudioFileStreamError_BadPropertySize = '!siz',
  kAudioFileStreamError_NotOptimized = 'optm',
  kAudioFileStreamError_InvalidPacketOffset = 'pck?',
  kAudioFileStreamError_InvalidFile = 'dta?',
  kAudioFileStreamError_ValueUnknown = 'unk?',
  kAudioFileStreamError_DataUnavailable = 'more',
  kAudioFileStreamError_IllegalOperation = 'nope',
  kAudioFileStreamError_UnspecifiedError = 'wht?',
  kAudioFileStreamError_DiscontinuityCantRecover = 'dsc!',
};

enum : AudioFileStreamPropertyID {
  kAudioFileStreamProperty_ReadyToProducePackets = 'redy',
  kAudioFileStreamProperty_FileFormat = 'ffmt',
  kAudioFileStreamProperty_DataFormat = 'dfmt',
  kAudioFileStreamProperty_FormatList = 'flst',
  kAudioFileStreamProperty_MagicCookieData = 'mgic',
  kAudioFileStreamProperty_AudioDataByteCount = 'bcnt',
  kAudioFileStreamProperty_AudioDataPacketCount = 'pcnt',
  kAudioFileStreamProperty_MaximumPacketSize = 'psze',
  kAudioFileStreamProperty_DataOffset = 'doff',
  kAudioFileStreamProperty_ChannelLayout = 'cmap',
  kAudioFileStreamProperty_PacketToFrame = 'pkfr',
  kAudioFileStreamProperty_FrameToPacket = 'frpk',
  kAudioFileStreamProperty_RestrictsRandomAccess = 'rrap',
  kAudioFileStreamProperty_PacketToRollDistance = 'pkrl',
  kAudioFileStreamProperty_PreviousIndependentPacket = 'pind',
  kAudioFileStreamProperty_NextIndependentPacket = 'nind',
  kAudioFileStreamProperty_PacketToDependencyInfo = 'pkdp',
  kAudioFileStreamProperty_PacketToByte = 'pkby',
  kAudioFileStreamProperty_ByteToPacket = 'bypk',
  kAudioFileStreamProperty_PacketTableInfo = 'pnfo',
  kAudioFileStreamProperty_PacketSizeUpperBound = 'pkub',
  kAudioFileStreamProperty_AverageBytesPerPacket = 'abpp',
  kAudioFileStreamProperty_BitRate = 'brat',
  kAudioFileStreamProperty_InfoDictionary = 'info',
};
