// SPDX-License-Identifier: Apache-2.0
// Information about formats: properties, codes and the structs of properties.
#pragma once
#include "AudioChannelLayoutTypes.h"

typedef uint32_t AudioFormatPropertyID;

typedef CORE_AUDIO_ENUM(AudioPanningMode, uint32_t) {
  kPanningMode_SoundField CORE_AUDIO_SWIFT_NAME(panningMode_SoundField) = 3,
  kPanningMode_VectorBasedPanning CORE_AUDIO_SWIFT_NAME(panningMode_VectorBasedPanning) = 4,
} AudioPanningMode;

typedef struct AudioPanningInfo {
  AudioPanningMode mPanningMode;
  uint32_t mCoordinateFlags;
  float mCoordinates[3];
  float mGainScale;
  const AudioChannelLayout *_Nonnull mOutputChannelMap;
} AudioPanningInfo;

typedef CORE_AUDIO_ENUM(AudioBalanceFadeType, uint32_t) {
  kAudioBalanceFadeType_MaxUnityGain CORE_AUDIO_SWIFT_NAME(maxUnityGain) = 0,
  kAudioBalanceFadeType_EqualPower CORE_AUDIO_SWIFT_NAME(equalPower) = 1,
} AudioBalanceFadeType;

// Balance −1 (left) to 1 (right), fade −1 (rear) to 1 (front).
typedef struct AudioBalanceFade {
  float mLeftRightBalance;
  float mBackFrontFade;
  AudioBalanceFadeType mType;
  const AudioChannelLayout *_Nonnull mChannelLayout;
} AudioBalanceFade;

typedef struct AudioFormatInfo {
  AudioStreamBasicDescription mASBD;
  const void *_Nullable mMagicCookie;
  uint32_t mMagicCookieSize;
} AudioFormatInfo;

typedef struct ExtendedAudioFormatInfo {
  AudioStreamBasicDescription mASBD;
  const void *_Nullable mMagicCookie;
  uint32_t mMagicCookieSize;
  AudioClassDescription mClassDescription;
} ExtendedAudioFormatInfo;

enum : AudioFormatPropertyID {
  kAudioFormatProperty_FormatInfo = 'fmti',
  kAudioFormatProperty_FormatName = 'fnam',
  kAudioFormatProperty_EncodeFormatIDs = 'acof',
  kAudioFormatProperty_DecodeFormatIDs = 'acif',
  kAudioFormatProperty_FormatList = 'flst',
  kAudioFormatProperty_ASBDFromESDS = 'essd',
  kAudioFormatProperty_ChannelLayoutFromESDS = 'escl',
  kAudioFormatProperty_OutputFormatList = 'ofls',
  kAudioFormatProperty_FirstPlayableFormatFromList = 'fpfl',
  kAudioFormatProperty_FormatIsVBR = 'fvbr',
  kAudioFormatProperty_FormatIsExternallyFramed = 'fexf',
  kAudioFormatProperty_FormatEmploysDependentPackets = 'fdep',
  kAudioFormatProperty_FormatIsEncrypted = 'cryp',
  kAudioFormatProperty_Encoders = 'aven',
  kAudioFormatProperty_Decoders = 'avde',
  kAudioFormatProperty_AvailableEncodeBitRates = 'aebr',
  kAudioFormatProperty_AvailableEncodeSampleRates = 'aesr',
  kAudioFormatProperty_AvailableEncodeChannelLayoutTags = 'aecl',
  kAudioFormatProperty_AvailableEncodeNumberChannels = 'avnc',
  kAudioFormatProperty_ASBDFromMPEGPacket = 'admp',
  kAudioFormatProperty_BitmapForLayoutTag = 'bmtg',
  kAudioFormatProperty_MatrixMixMap = 'mmap',
  kAudioFormatProperty_ChannelMap = 'chmp',
  kAudioFormatProperty_NumberOfChannelsForLayout = 'nchm',
  kAudioFormatProperty_AreChannelLayoutsEquivalent = 'cheq',
  kAudioFormatProperty_ChannelLayoutHash = 'chha',
  kAudioFormatProperty_ValidateChannelLayout = 'vacl',
  kAudioFormatProperty_ChannelLayoutForTag = 'cmpl',
  kAudioFormatProperty_TagForChannelLayout = 'cmpt',
  kAudioFormatProperty_ChannelLayoutName = 'lonm',
  kAudioFormatProperty_ChannelLayoutSimpleName = 'lsnm',
  kAudioFormatProperty_ChannelLayoutForBitmap = 'cmpb',
  kAudioFormatProperty_ChannelName = 'cnam',
  kAudioFormatProperty_ChannelShortName = 'csnm',
  kAudioFormatProperty_TagsForNumberOfChannels = 'tagc',
  kAudioFormatProperty_PanningMatrix = 'panm',
  kAudioFormatProperty_BalanceFade = 'balf',
  kAudioFormatProperty_ID3TagSize = 'id3s',
  kAudioFormatProperty_ID3TagToDictionary = 'id3d',
  kAudioFormatProperty_HardwareCodecCapabilities = 'hwcc',
};

enum : OSStatus {
  kAudioFormatUnspecifiedError = 'what',
  kAudioFormatUnsupportedPropertyError = 'prop',
  kAudioFormatBadPropertySizeError = '!siz',
  kAudioFormatBadSpecifierSizeError = '!spc',
  kAudioFormatUnsupportedDataFormatError = 'fmt?',
  kAudioFormatUnknownFormatError = '!fmt',
};

// Codecs as components.
enum : uint32_t {
  kAudioDecoderComponentType = 'adec',
  kAudioEncoderComponentType = 'aenc',
  kAppleSoftwareAudioCodecManufacturer = 'appl',
  kAppleHardwareAudioCodecManufacturer = 'aphw',
};
