// SPDX-License-Identifier: Apache-2.0
// Types of audio units, their components and their parameters.
#pragma once
#include <stdint.h>
#include "CoreAudioBaseTypes.h"

typedef struct OpaqueAudioComponent *AudioComponent;
typedef struct OpaqueAudioComponentInstance *AudioComponentInstance;
typedef AudioComponentInstance AudioUnit;
typedef uint32_t AudioUnitPropertyID;
typedef uint32_t AudioUnitScope;
typedef uint32_t AudioUnitElement;
typedef uint32_t AudioUnitParameterID;
typedef float AudioUnitParameterValue;
typedef AudioUnit MusicDeviceComponent;
typedef uint32_t MusicDeviceInstrumentID;
typedef uint32_t MusicDeviceGroupID;
typedef uint32_t NoteInstanceID;

// The description of a component; a field of 0 matches any value.
typedef struct AudioComponentDescription {
  OSType componentType;
  OSType componentSubType;
  OSType componentManufacturer;
  uint32_t componentFlags;
  uint32_t componentFlagsMask;
} AudioComponentDescription;

typedef CORE_AUDIO_OPTIONS(AudioUnitRenderActionFlags, uint32_t) {
  kAudioUnitRenderAction_PreRender CORE_AUDIO_SWIFT_NAME(unitRenderAction_PreRender) = 1u << 2,
  kAudioUnitRenderAction_PostRender CORE_AUDIO_SWIFT_NAME(unitRenderAction_PostRender) = 1u << 3,
  kAudioUnitRenderAction_OutputIsSilence
  CORE_AUDIO_SWIFT_NAME(unitRenderAction_OutputIsSilence) = 1u << 4,
  kAudioOfflineUnitRenderAction_Preflight
  CORE_AUDIO_SWIFT_NAME(offlineUnitRenderAction_Preflight) = 1u << 5,
  kAudioOfflineUnitRenderAction_Render
  CORE_AUDIO_SWIFT_NAME(offlineUnitRenderAction_Render) = 1u << 6,
  kAudioOfflineUnitRenderAction_Complete
  CORE_AUDIO_SWIFT_NAME(offlineUnitRenderAction_Complete) = 1u << 7,
  kAudioUnitRenderAction_PostRenderError
  CORE_AUDIO_SWIFT_NAME(unitRenderAction_PostRenderError) = 1u << 8,
} AudioUnitRenderActionFlags;

typedef OSStatus (*AURenderCallback)(
    void *_Nonnull inRefCon, AudioUnitRenderActionFlags *_Nonnull ioActionFlags,
    const AudioTimeStamp *_Nonnull inTimeStamp, uint32_t inBusNumber, uint32_t inNumberFrames,
    AudioBufferList *_Nullable ioData);

// Calls a function with arguments that may be null although its type does not allow it.
static inline OSStatus CoreAudioCallRender(
    AURenderCallback _Nonnull function, void *_Nullable data,
    AudioUnitRenderActionFlags *_Nonnull flags, const AudioTimeStamp *_Nonnull time, uint32_t bus,
    uint32_t frames, AudioBufferList *_Nullable list) {
  return ((OSStatus(*)(
      void *_Nullable, AudioUnitRenderActionFlags *_Nonnull, const AudioTimeStamp *_Nonnull,
      uint32_t, uint32_t, AudioBufferList *_Nullable))function)(
      data, flags, time, bus, frames, list);
}

// A render callback, which supplies an input with sound.
typedef struct AURenderCallbackStruct {
  AURenderCallback _Nullable inputProc;
  void *_Nullable inputProcRefCon;
} AURenderCallbackStruct;

// A connection from the output of a unit to an input.
typedef struct AudioUnitConnection {
  AudioUnit _Nullable sourceAudioUnit;
  uint32_t sourceOutputNumber;
  uint32_t destInputNumber;
} AudioUnitConnection;

typedef struct MusicDeviceStdNoteParams {
  uint32_t argCount;
  float mPitch;
  float mVelocity;
} MusicDeviceStdNoteParams;

typedef struct NoteParamsControlValue {
  AudioUnitParameterID mID;
  AudioUnitParameterValue mValue;
} NoteParamsControlValue;

// A pitch, a velocity, and `argCount` − 2 parameter values, the first of which is declared here.
typedef struct MusicDeviceNoteParams {
  uint32_t argCount;
  float mPitch;
  float mVelocity;
  NoteParamsControlValue mControls[1];
} MusicDeviceNoteParams;
