// SPDX-License-Identifier: Apache-2.0
// Queues of buffers: properties, parameters, codes and buffers.
#pragma once
#include "AudioChannelLayoutTypes.h"

typedef uint32_t AudioQueuePropertyID;
typedef uint32_t AudioQueueParameterID;
typedef float AudioQueueParameterValue;
typedef struct OpaqueAudioQueue *AudioQueueRef;
typedef struct OpaqueAudioQueueTimeline *AudioQueueTimelineRef;
typedef struct OpaqueAudioQueueProcessingTap *AudioQueueProcessingTapRef;

enum : OSStatus {
  kAudioQueueErr_InvalidBuffer = -66687,
  kAudioQueueErr_BufferEmpty = -66686,
  kAudioQueueErr_DisposalPending = -66685,
  kAudioQueueErr_InvalidProperty = -66684,
  kAudioQueueErr_InvalidPropertySize = -66683,
  kAudioQueueErr_InvalidParameter = -66682,
  kAudioQueueErr_CannotStart = -66681,
  kAudioQueueErr_InvalidDevice = -66680,
  kAudioQueueErr_BufferInQueue = -66679,
  kAudioQueueErr_InvalidRunState = -66678,
  kAudioQueueErr_InvalidQueueType = -66677,
  kAudioQueueErr_Permissions = -66676,
  kAudioQueueErr_InvalidPropertyValue = -66675,
  kAudioQueueErr_PrimeTimedOut = -66674,
  kAudioQueueErr_CodecNotFound = -66673,
  kAudioQueueErr_InvalidCodecAccess = -66672,
  kAudioQueueErr_QueueInvalidated = -66671,
  kAudioQueueErr_TooManyTaps = -66670,
  kAudioQueueErr_InvalidTapContext = -66669,
  kAudioQueueErr_RecordUnderrun = -66668,
  kAudioQueueErr_InvalidTapType = -66667,
  kAudioQueueErr_BufferEnqueuedTwice = -66666,
  kAudioQueueErr_CannotStartYet = -66665,
  kAudioQueueErr_EnqueueDuringReset = -66632,
  kAudioQueueErr_InvalidOfflineMode = -66626,
};

enum : AudioQueuePropertyID {
  kAudioQueueProperty_IsRunning = 'aqrn',
  kAudioQueueDeviceProperty_SampleRate = 'aqsr',
  kAudioQueueDeviceProperty_NumberChannels = 'aqdc',
  kAudioQueueProperty_CurrentDevice = 'aqcd',
  kAudioQueueProperty_MagicCookie = 'aqmc',
  kAudioQueueProperty_MaximumOutputPacketSize = 'xops',
  kAudioQueueProperty_StreamDescription = 'aqft',
  kAudioQueueProperty_ChannelLayout = 'aqcl',
  kAudioQueueProperty_EnableLevelMetering = 'aqme',
  kAudioQueueProperty_CurrentLevelMeter = 'aqmv',
  kAudioQueueProperty_CurrentLevelMeterDB = 'aqmd',
  kAudioQueueProperty_DecodeBufferSizeFrames = 'dcbf',
  kAudioQueueProperty_ConverterError = 'qcve',
  kAudioQueueProperty_EnableTimePitch = 'q_tp',
  kAudioQueueProperty_TimePitchAlgorithm = 'qtpa',
  kAudioQueueProperty_TimePitchBypass = 'qtpb',
  kAudioQueueProperty_HardwareCodecPolicy = 'aqcp',
  kAudioQueueProperty_ChannelAssignments = 'aqca',
};

enum : uint32_t {
  kAudioQueueTimePitchAlgorithm_Spectral = 'spec',
  kAudioQueueTimePitchAlgorithm_TimeDomain = 'tido',
  kAudioQueueTimePitchAlgorithm_Varispeed = 'vspd',
  kAudioQueueTimePitchAlgorithm_LowQualityZeroLatency = 'lqzl',
};

enum : uint32_t {
  kAudioQueueHardwareCodecPolicy_Default = 0,
  kAudioQueueHardwareCodecPolicy_UseSoftwareOnly = 1,
  kAudioQueueHardwareCodecPolicy_UseHardwareOnly = 2,
  kAudioQueueHardwareCodecPolicy_PreferSoftware = 3,
  kAudioQueueHardwareCodecPolicy_PreferHardware = 4,
};

enum : AudioQueueParameterID {
  kAudioQueueParam_Volume = 1,
  kAudioQueueParam_PlayRate = 2,
  kAudioQueueParam_Pitch = 3,
  kAudioQueueParam_VolumeRampTime = 4,
  kAudioQueueParam_Pan = 13,
};

typedef CORE_AUDIO_OPTIONS(AudioQueueProcessingTapFlags, uint32_t) {
  kAudioQueueProcessingTap_PreEffects CORE_AUDIO_SWIFT_NAME(preEffects) = 1u << 0,
  kAudioQueueProcessingTap_PostEffects CORE_AUDIO_SWIFT_NAME(postEffects) = 1u << 1,
  kAudioQueueProcessingTap_Siphon CORE_AUDIO_SWIFT_NAME(siphon) = 1u << 2,
  kAudioQueueProcessingTap_StartOfStream CORE_AUDIO_SWIFT_NAME(startOfStream) = 1u << 8,
  kAudioQueueProcessingTap_EndOfStream CORE_AUDIO_SWIFT_NAME(endOfStream) = 1u << 9,
} AudioQueueProcessingTapFlags;

// A buffer. The queue owns its memory, whose capacity and address never change.
typedef struct AudioQueueBuffer {
  const uint32_t mAudioDataBytesCapacity;
  void *const _Nonnull mAudioData;
  uint32_t mAudioDataByteSize;
  void *_Nullable mUserData;
  const uint32_t mPacketDescriptionCapacity;
  AudioStreamPacketDescription *const _Nullable mPacketDescriptions;
  uint32_t mPacketDescriptionCount;
} AudioQueueBuffer;
typedef AudioQueueBuffer *AudioQueueBufferRef;

typedef struct AudioQueueParameterEvent {
  AudioQueueParameterID mID;
  AudioQueueParameterValue mValue;
} AudioQueueParameterEvent;

typedef struct AudioQueueLevelMeterState {
  float mAveragePower;
  float mPeakPower;
} AudioQueueLevelMeterState;

// The channel, from 1, of a device. Swift declares the device as `mDeviceUID` with another type.
typedef struct AudioQueueChannelAssignment {
  const void *_Nullable mDeviceUID CORE_AUDIO_HIDDEN;
  uint32_t mChannelNumber;
} AudioQueueChannelAssignment;

// Functions that a queue calls for a played buffer, a filled buffer, or a changed property.
typedef void (*AudioQueueOutputCallback)(
    void *_Nullable inUserData, AudioQueueRef _Nonnull inAQ,
    AudioQueueBufferRef _Nonnull inBuffer);
typedef void (*AudioQueueInputCallback)(
    void *_Nullable inUserData, AudioQueueRef _Nonnull inAQ,
    AudioQueueBufferRef _Nonnull inBuffer, const AudioTimeStamp *_Nonnull inStartTime,
    uint32_t inNumberPacketDescriptions,
    const AudioStreamPacketDescription *_Nullable inPacketDescs);
typedef void (*AudioQueuePropertyListenerProc)(
    void *_Nullable inUserData, AudioQueueRef _Nonnull inAQ, AudioQueuePropertyID inID);
typedef void (*AudioQueueProcessingTapCallback)(
    void *_Nonnull inClientData, AudioQueueProcessingTapRef _Nonnull inAQTap,
    uint32_t inNumberFrames, AudioTimeStamp *_Nonnull ioTimeStamp,
    AudioQueueProcessingTapFlags *_Nonnull ioFlags, uint32_t *_Nonnull outNumberFrames,
    AudioBufferList *_Nonnull ioData);
