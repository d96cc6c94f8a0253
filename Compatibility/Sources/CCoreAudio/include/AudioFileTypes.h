// SPDX-License-Identifier: Apache-2.0
// Sound files: kinds, properties, codes and the structs of properties.
#pragma once
#include <stddef.h>
#include "AudioChannelLayoutTypes.h"

typedef struct OpaqueAudioFileID *AudioFileID;
typedef uint32_t AudioFileTypeID;
typedef uint32_t AudioFilePropertyID;

enum : AudioFileTypeID {
  kAudioFileAIFFType = 'AIFF',
  kAudioFileAIFCType = 'AIFC',
  kAudioFileWAVEType = 'WAVE',
  kAudioFileRF64Type = 'RF64',
  kAudioFileBW64Type = 'BW64',
  kAudioFileWave64Type = 'W64f',
  kAudioFileSoundDesigner2Type = 'Sd2f',
  kAudioFileNextType = 'NeXT',
  kAudioFileMP3Type = 'MPG3',
  kAudioFileMP2Type = 'MPG2',
  kAudioFileMP1Type = 'MPG1',
  kAudioFileAC3Type = 'ac-3',
  kAudioFileAAC_ADTSType = 'adts',
  kAudioFileMPEG4Type = 'mp4f',
  kAudioFileM4AType = 'm4af',
  kAudioFileM4BType = 'm4bf',
  kAudioFileCAFType = 'caff',
  kAudioFile3GPType = '3gpp',
  kAudioFile3GP2Type = '3gp2',
  kAudioFileAMRType = 'amrf',
  kAudioFileFLACType = 'flac',
  kAudioFileLATMInLOASType = 'loas',
};

enum : OSStatus {
  kAudioFileUnspecifiedError = 'wht?',
  kAudioFileUnsupportedFileTypeError = 'typ?',
  kAudioFileUnsupportedDataFormatError = 'fmt?',
  kAudioFileUnsupportedPropertyError = 'pty?',
  kAudioFileBadPropertySizeError = '!siz',
  kAudioFilePermissionsError = 'prm?',
  kAudioFileNotOptimizedError = 'optm',
  kAudioFileInvalidChunkError = 'chk?',
  kAudioFileDoesNotAllow64BitDataSizeError = 'off?',
  kAudioFileInvalidPacketOffsetError = 'pck?',
  kAudioFileInvalidPacketDependencyError = 'dep?',
  kAudioFileInvalidFileError = 'dta?',
  kAudioFileOperationNotSupportedError = 0x6F703F3F,
  kAudioFileNotOpenError = -38,
  kAudioFileEndOfFileError = -39,
  kAudioFilePositionError = -40,
  kAudioFileFileNotFoundError = -43,
};

typedef CORE_AUDIO_OPTIONS(AudioFileFlags, uint32_t) {
  kAudioFileFlags_EraseFile CORE_AUDIO_SWIFT_NAME(eraseFile) = 1,
  kAudioFileFlags_DontPageAlignAudioData CORE_AUDIO_SWIFT_NAME(dontPageAlignAudioData) = 2,
} AudioFileFlags;

typedef CORE_AUDIO_ENUM(AudioFilePermissions, int8_t) {
  kAudioFileReadPermission CORE_AUDIO_SWIFT_NAME(readPermission) = 1,
  kAudioFileWritePermission CORE_AUDIO_SWIFT_NAME(writePermission) = 2,
  kAudioFileReadWritePermission CORE_AUDIO_SWIFT_NAME(readWritePermission) = 3,
} AudioFilePermissions;

enum : uint32_t {
  kAudioFileLoopDirection_NoLooping = 0,
  kAudioFileLoopDirection_Forward = 1,
  kAudioFileLoopDirection_ForwardAndBackward = 2,
  kAudioFileLoopDirection_Backward = 3,
};

typedef struct AudioFile_SMPTE_Time {
  int8_t mHours;
  uint8_t mMinutes;
  uint8_t mSeconds;
  uint8_t mFrames;
  uint32_t mSubFrameSampleOffset;
} AudioFile_SMPTE_Time;

enum : uint32_t { kAudioFileMarkerType_Generic = 0 };

// A marker. The name is an object, which Swift declares as `mName` with another type.
typedef struct AudioFileMarker {
  double mFramePosition;
  const void *_Nullable mName CORE_AUDIO_HIDDEN;
  int32_t mMarkerID;
  AudioFile_SMPTE_Time mSMPTETime;
  uint32_t mType;
  uint16_t mReserved;
  uint16_t mChannel;
} AudioFileMarker;

// A list with its first marker, which is followed by the others.
typedef struct AudioFileMarkerList {
  uint32_t mSMPTE_TimeType;
  uint32_t mNumberMarkers;
  AudioFileMarker mMarkers[1];
} AudioFileMarkerList;

typedef CORE_AUDIO_OPTIONS(AudioFileRegionFlags, uint32_t) {
  kAudioFileRegionFlag_LoopEnable CORE_AUDIO_SWIFT_NAME(loopEnable) = 1,
  kAudioFileRegionFlag_PlayForward CORE_AUDIO_SWIFT_NAME(playForward) = 2,
  kAudioFileRegionFlag_PlayBackward CORE_AUDIO_SWIFT_NAME(playBackward) = 4,
} AudioFileRegionFlags;

// A region with its first marker, which is followed by the others.
typedef struct AudioFileRegion {
  uint32_t mRegionID;
  const void *_Nullable mName CORE_AUDIO_HIDDEN;
  AudioFileRegionFlags mFlags;
  uint32_t mNumberMarkers;
  AudioFileMarker mMarkers[1];
} AudioFileRegion;

// A list with its first region, which is followed by the others; regions have different sizes.
typedef struct AudioFileRegionList {
  uint32_t mSMPTE_TimeType;
  uint32_t mNumberRegions;
  AudioFileRegion mRegions[1];
} AudioFileRegionList;

/// Returns the number of markers that fit into a list of this size in bytes.
static inline size_t NumBytesToNumAudioFileMarkers(size_t inNumBytes) {
  const size_t head = offsetof(AudioFileMarkerList, mMarkers);
  return inNumBytes < head ? 0 : (inNumBytes - head) / sizeof(AudioFileMarker);
}

/// Returns the size in bytes of a list with this number of markers.
static inline size_t NumAudioFileMarkersToNumBytes(size_t inNumMarkers) {
  return offsetof(AudioFileMarkerList, mMarkers) + inNumMarkers * sizeof(AudioFileMarker);
}

/// Returns the region after another region of a list.
static inline AudioFileRegion *_Nonnull NextAudioFileRegion(
    const AudioFileRegion *_Nonnull inAFRegionPtr) {
  return (AudioFileRegion *)((uintptr_t)inAFRegionPtr + offsetof(AudioFileRegion, mMarkers) +
                             inAFRegionPtr->mNumberMarkers * sizeof(AudioFileMarker));
}

typedef struct AudioFramePacketTranslation {
  int64_t mFrame;
  int64_t mPacket;
  uint32_t mFrameOffsetInPacket;
} AudioFramePacketTranslation;

typedef CORE_AUDIO_OPTIONS(AudioBytePacketTranslationFlags, uint32_t) {
  kBytePacketTranslationFlag_IsEstimate
  CORE_AUDIO_SWIFT_NAME(bytePacketTranslationFlag_IsEstimate) = 1,
} AudioBytePacketTranslationFlags;

typedef struct AudioBytePacketTranslation {
  int64_t mByte;
  int64_t mPacket;
  uint32_t mByteOffsetInPacket;
  AudioBytePacketTranslationFlags mFlags;
} AudioBytePacketTranslation;

// The frames of all packets: the sound, the priming before it and the remainder after it.
typedef struct AudioFilePacketTableInfo {
  int64_t mNumberValidFrames;
  int32_t mPrimingFrames;
  int32_t mRemainderFrames;
} AudioFilePacketTableInfo;

typedef struct AudioPacketRangeByteCountTranslation {
  int64_t mPacket;
  int64_t mPacketCount;
  int64_t mByteCountUpperBound;
} AudioPacketRangeByteCountTranslation;

typedef struct AudioPacketRollDistanceTranslation {
  int64_t mPacket;
  int64_t mRollDistance;
} AudioPacketRollDistanceTranslation;

typedef struct AudioIndependentPacketTranslation {
  int64_t mPacket;
  int64_t mIndependentlyDecodablePacket;
} AudioIndependentPacketTranslation;

typedef struct AudioPacketDependencyInfoTranslation {
  int64_t mPacket;
  uint32_t mIsIndependentlyDecodable;
  uint32_t mNumberPrerollPackets;
} AudioPacketDependencyInfoTranslation;

typedef struct AudioFileTypeAndFormatID {
  AudioFileTypeID mFileType;
  uint32_t mFormatID;
} AudioFileTypeAndFormatID;

// The keys of `kAudioFilePropertyInfoDictionary`.
#define kAFInfoDictionary_Album "album"
#define kAFInfoDictionary_ApproximateDurationInSeconds "approximate duration in seconds"
#define kAFInfoDictionary_Artist "artist"
#define kAFInfoDictionary_ChannelLayout "channel layout"
#define kAFInfoDictionary_Comments "comments"
#define kAFInfoDictionary_Composer "composer"
#define kAFInfoDictionary_Copyright "copyright"
#define kAFInfoDictionary_EncodingApplication "encoding application"
#define kAFInfoDictionary_Genre "genre"
#define kAFInfoDictionary_ISRC "ISRC"
#define kAFInfoDictionary_KeySignature "key signature"
#define kAFInfoDictionary_Lyricist "lyricist"
#define kAFInfoDictionary_NominalBitRate "nominal bit rate"
#define kAFInfoDictionary_RecordedDate "recorded date"
#define kAFInfoDictionary_SourceBitDepth "source bit depth"
#define kAFInfoDictionary_SourceEncoder "source encoder"
#define kAFInfoDictionary_SubTitle "subtitle"
#define kAFInfoDictionary_Tempo "tempo"
#define kAFInfoDictionary_TimeSignature "time signature"
#define kAFInfoDictionary_Title "title"
#define kAFInfoDictionary_TrackNumber "track number"
#define kAFInfoDictionary_Year "year"

// Functions that read and write the bytes of a file.
typedef OSStatus (*AudioFile_ReadProc)(
    void *_Nonnull inClientData, int64_t inPosition, uint32_t requestCount, void *_Nonnull buffer,
    uint32_t *_Nonnull actualCount);
typedef OSStatus (*AudioFile_WriteProc)(
    void *_Nonnull inClientData, int64_t inPosition, uint32_t requestCount,
    const void *_Nonnull buffer, uint32_t *_Nonnull actualCount);
typedef int64_t (*AudioFile_GetSizeProc)(void *_Nonnull inClientData);
typedef OSStatus (*AudioFile_SetSizeProc)(void *_Nonnull inClientData, int64_t inSize);

enum : AudioFilePropertyID {
  kAudioFilePropertyFileFormat = 'ffmt',
  kAudioFilePropertyDataFormat = 'dfmt',
  kAudioFilePropertyIsOptimized = 'optm',
  kAudioFilePropertyMagicCookieData = 'mgic',
  kAudioFilePropertyAudioDataByteCount = 'bcnt',
  kAudioFilePropertyAudioDataPacketCount = 'pcnt',
  kAudioFilePropertyMaximumPacketSize = 'psze',
  kAudioFilePropertyDataOffset = 'doff',
  kAudioFilePropertyChannelLayout = 'cmap',
  kAudioFilePropertyDeferSizeUpdates = 'dszu',
  kAudioFilePropertyDataFormatName = 'fnme',
  kAudioFilePropertyMarkerList = 'mkls',
  kAudioFilePropertyRegionList = 'rgls',
  kAudioFilePropertyPacketToFrame = 'pkfr',
  kAudioFilePropertyFrameToPacket = 'frpk',
  kAudioFilePropertyRestrictsRandomAccess = 'rrap',
  kAudioFilePropertyPacketToRollDistance = 'pkrl',
  kAudioFilePropertyPreviousIndependentPacket = 'pind',
  kAudioFilePropertyNextIndependentPacket = 'nind',
  kAudioFilePropertyPacketToDependencyInfo = 'pkdp',
  kAudioFilePropertyPacketToByte = 'pkby',
  kAudioFilePropertyByteToPacket = 'bypk',
  kAudioFilePropertyChunkIDs = 'chid',
  kAudioFilePropertyInfoDictionary = 'info',
  kAudioFilePropertyPacketTableInfo = 'pnfo',
  kAudioFilePropertyFormatList = 'flst',
  kAudioFilePropertyPacketSizeUpperBound = 'pkub',
  kAudioFilePropertyPacketRangeByteCountUpperBound = 'prub',
  kAudioFilePropertyReserveDuration = 'rsrv',
  kAudioFilePropertyEstimatedDuration = 'edur',
  kAudioFilePropertyBitRate = 'brat',
  kAudioFilePropertyID3Tag = 'id3t',
  kAudioFilePropertyID3TagOffset = 'id3o',
  kAudioFilePropertySourceBitDepth = 'sbtd',
  kAudioFilePropertyAlbumArtwork = 'aart',
  kAudioFilePropertyAudioTrackCount = 'atct',
  kAudioFilePropertyUseAudioTrack = 'uatk',
};

enum : AudioFilePropertyID {
  kAudioFileGlobalInfo_ReadableTypes = 'afrf',
  kAudioFileGlobalInfo_WritableTypes = 'afwf',
  kAudioFileGlobalInfo_FileTypeName = 'ftnm',
  kAudioFileGlobalInfo_AvailableStreamDescriptionsForFormat = 'sdid',
  kAudioFileGlobalInfo_AvailableFormatIDs = 'fmid',
  kAudioFileGlobalInfo_AllExtensions = 'alxt',
  kAudioFileGlobalInfo_AllHFSTypeCodes = 'ahfs',
  kAudioFileGlobalInfo_AllUTIs = 'auti',
  kAudioFileGlobalInfo_AllMIMETypes = 'amim',
  kAudioFileGlobalInfo_ExtensionsForType = 'fext',
  kAudioFileGlobalInfo_HFSTypeCodesForType = 'fhfs',
  kAudioFileGlobalInfo_UTIsForType = 'futi',
  kAudioFileGlobalInfo_MIMETypesForType = 'fmim',
  kAudioFileGlobalInfo_TypesForMIMEType = 'tmim',
  kAudioFileGlobalInfo_TypesForUTI = 'tuti',
  kAudioFileGlobalInfo_TypesForHFSTypeCode = 'thfs',
  kAudioFileGlobalInfo_TypesForExtension = 'text',
};
