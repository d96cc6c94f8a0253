// SPDX-License-Identifier: Apache-2.0
// Times as fractions, and ranges of them.
#pragma once
#include "CoreAudioBaseTypes.h"

#pragma pack(push, 4)

typedef int64_t CMTimeValue;
typedef int32_t CMTimeScale;
typedef int64_t CMTimeEpoch;

typedef CORE_AUDIO_OPTIONS(CMTimeFlags, uint32_t) {
  kCMTimeFlags_Valid CORE_AUDIO_SWIFT_NAME(valid) = 1u << 0,
  kCMTimeFlags_HasBeenRounded CORE_AUDIO_SWIFT_NAME(hasBeenRounded) = 1u << 1,
  kCMTimeFlags_PositiveInfinity CORE_AUDIO_SWIFT_NAME(positiveInfinity) = 1u << 2,
  kCMTimeFlags_NegativeInfinity CORE_AUDIO_SWIFT_NAME(negativeInfinity) = 1u << 3,
  kCMTimeFlags_Indefinite CORE_AUDIO_SWIFT_NAME(indefinite) = 1u << 4,
  kCMTimeFlags_ImpliedValueFlagsMask CORE_AUDIO_SWIFT_NAME(impliedValueFlagsMask) = 7u << 2,
} CMTimeFlags;

// A time of `value` / `timescale` seconds. Epochs are separate timelines; durations have epoch 0.
typedef struct CMTime {
  CMTimeValue value;
  CMTimeScale timescale;
  CMTimeFlags flags;
  CMTimeEpoch epoch;
} CMTime;

// A half-open range: the end is outside the range.
typedef struct CMTimeRange {
  CMTime start;
  CMTime duration;
} CMTimeRange;

// A range of one timeline that is played in a range of another.
typedef struct CMTimeMapping {
  CMTimeRange source;
  CMTimeRange target;
} CMTimeMapping;

typedef CORE_AUDIO_ENUM(CMTimeRoundingMethod, uint32_t) {
  kCMTimeRoundingMethod_RoundHalfAwayFromZero CORE_AUDIO_SWIFT_NAME(roundHalfAwayFromZero) = 1,
  kCMTimeRoundingMethod_RoundTowardZero CORE_AUDIO_SWIFT_NAME(roundTowardZero) = 2,
  kCMTimeRoundingMethod_RoundAwayFromZero CORE_AUDIO_SWIFT_NAME(roundAwayFromZero) = 3,
  kCMTimeRoundingMethod_QuickTime CORE_AUDIO_SWIFT_NAME(quickTime) = 4,
  kCMTimeRoundingMethod_RoundTowardPositiveInfinity
  CORE_AUDIO_SWIFT_NAME(roundTowardPositiveInfinity) = 5,
  kCMTimeRoundingMethod_RoundTowardNegativeInfinity
  CORE_AUDIO_SWIFT_NAME(roundTowardNegativeInfinity) = 6,
  kCMTimeRoundingMethod_Default CORE_AUDIO_SWIFT_NAME(default) = 1,
} CMTimeRoundingMethod;

#pragma pack(pop)
