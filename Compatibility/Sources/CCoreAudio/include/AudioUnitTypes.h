// SPDX-License-Identifier: Apache-2.0
// Types of audio units and their parameters.
#pragma once
#include <stdint.h>

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

typedef struct MusicDeviceStdNoteParams {
  uint32_t argCount;
  float mPitch;
  float mVelocity;
} MusicDeviceStdNoteParams;

typedef struct NoteParamsControlValue {
  AudioUnitParameterID mID;
  AudioUnitParameterValue mValue;
} NoteParamsControlValue;

// Pitch, velocity, and as many values of parameters as argCount is above 2; the first stands here.
typedef struct MusicDeviceNoteParams {
  uint32_t argCount;
  float mPitch;
  float mVelocity;
  NoteParamsControlValue mControls[1];
} MusicDeviceNoteParams;
