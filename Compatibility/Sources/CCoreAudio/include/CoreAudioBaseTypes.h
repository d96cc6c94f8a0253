// SPDX-License-Identifier: Apache-2.0
// Numbers, times and formats of sound that all services use.
#pragma once
#include <stdint.h>

// An enumeration to which values can be added, and one whose values are bits of a set.
#define CORE_AUDIO_ENUM(name, type) \
  enum __attribute__((enum_extensibility(open))) name : type
#define CORE_AUDIO_OPTIONS(name, type) \
  enum __attribute__((flag_enum, enum_extensibility(open))) name : type
#define CORE_AUDIO_SWIFT_NAME(name) __attribute__((swift_name(#name)))
// A field that Swift declares under the same name with another type, which C cannot express.
#define CORE_AUDIO_HIDDEN __attribute__((swift_private))

typedef int32_t OSStatus;
typedef uint32_t FourCharCode;
typedef FourCharCode OSType;

// The frame rate of an SMPTETime, with or without drop-frame.
typedef CORE_AUDIO_ENUM(SMPTETimeType, uint32_t) {
  kSMPTETimeType24 CORE_AUDIO_SWIFT_NAME(type24) = 0,
  kSMPTETimeType25 CORE_AUDIO_SWIFT_NAME(type25) = 1,
  kSMPTETimeType30Drop CORE_AUDIO_SWIFT_NAME(type30Drop) = 2,
  kSMPTETimeType30 CORE_AUDIO_SWIFT_NAME(type30) = 3,
  kSMPTETimeType2997 CORE_AUDIO_SWIFT_NAME(type2997) = 4,
  kSMPTETimeType2997Drop CORE_AUDIO_SWIFT_NAME(type2997Drop) = 5,
  kSMPTETimeType60 CORE_AUDIO_SWIFT_NAME(type60) = 6,
  kSMPTETimeType5994 CORE_AUDIO_SWIFT_NAME(type5994) = 7,
  kSMPTETimeType60Drop CORE_AUDIO_SWIFT_NAME(type60Drop) = 8,
  kSMPTETimeType5994Drop CORE_AUDIO_SWIFT_NAME(type5994Drop) = 9,
  kSMPTETimeType50 CORE_AUDIO_SWIFT_NAME(type50) = 10,
  kSMPTETimeType2398 CORE_AUDIO_SWIFT_NAME(type2398) = 11,
} SMPTETimeType;

typedef CORE_AUDIO_OPTIONS(SMPTETimeFlags, uint32_t) {
  kSMPTETimeUnknown CORE_AUDIO_SWIFT_NAME(unknown) = 0,
  kSMPTETimeValid CORE_AUDIO_SWIFT_NAME(valid) = 1u << 0,
  kSMPTETimeRunning CORE_AUDIO_SWIFT_NAME(running) = 1u << 1,
} SMPTETimeFlags;

typedef struct SMPTETime {
  int16_t mSubframes;
  int16_t mSubframeDivisor;
  uint32_t mCounter;
  SMPTETimeType mType;
  SMPTETimeFlags mFlags;
  int16_t mHours;
  int16_t mMinutes;
  int16_t mSeconds;
  int16_t mFrames;
} SMPTETime;

typedef CORE_AUDIO_OPTIONS(AudioTimeStampFlags, uint32_t) {
  kAudioTimeStampNothingValid CORE_AUDIO_SWIFT_NAME(nothingValid) = 0,
  kAudioTimeStampSampleTimeValid CORE_AUDIO_SWIFT_NAME(sampleTimeValid) = 1u << 0,
  kAudioTimeStampHostTimeValid CORE_AUDIO_SWIFT_NAME(hostTimeValid) = 1u << 1,
  kAudioTimeStampRateScalarValid CORE_AUDIO_SWIFT_NAME(rateScalarValid) = 1u << 2,
  kAudioTimeStampWordClockTimeValid CORE_AUDIO_SWIFT_NAME(wordClockTimeValid) = 1u << 3,
  kAudioTimeStampSMPTETimeValid CORE_AUDIO_SWIFT_NAME(smpteTimeValid) = 1u << 4,
  kAudioTimeStampSampleHostTimeValid CORE_AUDIO_SWIFT_NAME(sampleHostTimeValid) = 3u,
} AudioTimeStampFlags;

// An instant on several timelines; the flags indicate which fields are valid.
typedef struct AudioTimeStamp {
  double mSampleTime;
  uint64_t mHostTime;
  double mRateScalar;
  uint64_t mWordClockTime;
  SMPTETime mSMPTETime;
  AudioTimeStampFlags mFlags;
  uint32_t mReserved;
} AudioTimeStamp;

// A range of values, such as sample rates, including both ends.
typedef struct AudioValueRange {
  double mMinimum;
  double mMaximum;
} AudioValueRange;

// The value that a property translates, and the memory for its translation.
typedef struct AudioValueTranslation {
  void *_Nonnull mInputData;
  uint32_t mInputDataSize;
  void *_Nonnull mOutputData;
  uint32_t mOutputDataSize;
} AudioValueTranslation;

// The description of an encoder or decoder.
typedef struct AudioClassDescription {
  OSType mType;
  OSType mSubType;
  OSType mManufacturer;
} AudioClassDescription;

typedef uint32_t AudioFormatID;
typedef uint32_t AudioFormatFlags;
typedef float AudioSampleType;
typedef float AudioUnitSampleType;

typedef struct AudioStreamBasicDescription {
  double mSampleRate;
  AudioFormatID mFormatID;
  AudioFormatFlags mFormatFlags;
  uint32_t mBytesPerPacket;
  uint32_t mFramesPerPacket;
  uint32_t mBytesPerFrame;
  uint32_t mChannelsPerFrame;
  uint32_t mBitsPerChannel;
  uint32_t mReserved;
} AudioStreamBasicDescription;

// A packet in a buffer. `mVariableFramesInPacket` is 0 if all packets have the same number of
// frames.
typedef struct AudioStreamPacketDescription {
  int64_t mStartOffset;
  uint32_t mVariableFramesInPacket;
  uint32_t mDataByteSize;
} AudioStreamPacketDescription;

typedef struct AudioBuffer {
  uint32_t mNumberChannels;
  uint32_t mDataByteSize;
  void *_Nullable mData;
} AudioBuffer;

// A list with its first buffer, which is followed by the others.
typedef struct AudioBufferList {
  uint32_t mNumberBuffers;
  AudioBuffer mBuffers[1];
} AudioBufferList;
