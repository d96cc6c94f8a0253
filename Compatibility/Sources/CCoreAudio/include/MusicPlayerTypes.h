// SPDX-License-Identifier: Apache-2.0
// Types of sequences, their tracks and events, and of players.
#pragma once
#include "AudioUnitTypes.h"
#include "CoreAudioBaseTypes.h"

typedef uint32_t MusicEventType;
typedef double MusicTimeStamp;

typedef struct OpaqueMusicPlayer *MusicPlayer;
typedef struct OpaqueMusicSequence *MusicSequence;
typedef struct OpaqueMusicTrack *MusicTrack;
typedef struct OpaqueMusicEventIterator *MusicEventIterator;

// The unit of a sequence's beats.
typedef CORE_AUDIO_ENUM(MusicSequenceType, uint32_t) {
  kMusicSequenceType_Beats CORE_AUDIO_SWIFT_NAME(beats) = 'beat',
  kMusicSequenceType_Seconds CORE_AUDIO_SWIFT_NAME(seconds) = 'secs',
  kMusicSequenceType_Samples CORE_AUDIO_SWIFT_NAME(samples) = 'samp',
} MusicSequenceType;

typedef CORE_AUDIO_ENUM(MusicSequenceFileTypeID, uint32_t) {
  kMusicSequenceFile_AnyType CORE_AUDIO_SWIFT_NAME(anyType) = 0,
  kMusicSequenceFile_MIDIType CORE_AUDIO_SWIFT_NAME(midiType) = 'midi',
  kMusicSequenceFile_iMelodyType CORE_AUDIO_SWIFT_NAME(iMelodyType) = 'imel',
} MusicSequenceFileTypeID;

typedef CORE_AUDIO_OPTIONS(MusicSequenceLoadFlags, uint32_t) {
  kMusicSequenceLoadSMF_PreserveTracks CORE_AUDIO_SWIFT_NAME(smf_PreserveTracks) = 0,
  kMusicSequenceLoadSMF_ChannelsToTracks CORE_AUDIO_SWIFT_NAME(smf_ChannelsToTracks) = 1u << 0,
} MusicSequenceLoadFlags;

typedef CORE_AUDIO_OPTIONS(MusicSequenceFileFlags, uint32_t) {
  kMusicSequenceFileFlags_Default CORE_AUDIO_SWIFT_NAME(default) = 0,
  kMusicSequenceFileFlags_EraseFile CORE_AUDIO_SWIFT_NAME(eraseFile) = 1u << 0,
} MusicSequenceFileFlags;

typedef struct MIDINoteMessage {
  uint8_t channel;
  uint8_t note;
  uint8_t velocity;
  uint8_t releaseVelocity;
  float duration;
} MIDINoteMessage;

typedef struct MIDIChannelMessage {
  uint8_t status;
  uint8_t data1;
  uint8_t data2;
  uint8_t reserved;
} MIDIChannelMessage;

// A number of bytes; only the first is declared here.
typedef struct MIDIRawData {
  uint32_t length;
  uint8_t data[1];
} MIDIRawData;

typedef struct MIDIMetaEvent {
  uint8_t metaEventType;
  uint8_t unused1;
  uint8_t unused2;
  uint8_t unused3;
  uint32_t dataLength;
  uint8_t data[1];
} MIDIMetaEvent;

typedef struct MusicEventUserData {
  uint32_t length;
  uint8_t data[1];
} MusicEventUserData;

typedef struct ExtendedNoteOnEvent {
  MusicDeviceInstrumentID instrumentID;
  MusicDeviceGroupID groupID;
  float duration;
  MusicDeviceNoteParams extendedParams;
} ExtendedNoteOnEvent;

typedef struct ParameterEvent {
  AudioUnitParameterID parameterID;
  AudioUnitScope scope;
  AudioUnitElement element;
  AudioUnitParameterValue value;
} ParameterEvent;

typedef struct ExtendedTempoEvent {
  double bpm;
} ExtendedTempoEvent;

// A preset. The property list is a reference to an object, which the event retains.
typedef struct AUPresetEvent {
  AudioUnitScope scope;
  AudioUnitElement element;
  const void *_Nonnull preset;
} AUPresetEvent;

typedef struct MusicTrackLoopInfo {
  MusicTimeStamp loopDuration;
  int32_t numberOfLoops;
} MusicTrackLoopInfo;
