// SPDX-License-Identifier: Apache-2.0
// Types of clocks, and of positions in bars and beats.
#pragma once
#include <stdint.h>
#include "CoreAudioBaseTypes.h"

typedef struct OpaqueCAClock *CAClockRef;
typedef double CAClockBeats;
typedef double CAClockTempo;
typedef double CAClockSamples;
typedef double CAClockSeconds;
typedef SMPTETimeType CAClockSMPTEFormat;

typedef CORE_AUDIO_ENUM(CAClockPropertyID, uint32_t) {
  kCAClockProperty_InternalTimebase CORE_AUDIO_SWIFT_NAME(internalTimebase) = 'intb',
  kCAClockProperty_TimebaseSource CORE_AUDIO_SWIFT_NAME(timebaseSource) = 'itbs',
  kCAClockProperty_SyncMode CORE_AUDIO_SWIFT_NAME(syncMode) = 'synm',
  kCAClockProperty_SyncSource CORE_AUDIO_SWIFT_NAME(syncSource) = 'syns',
  kCAClockProperty_SMPTEFormat CORE_AUDIO_SWIFT_NAME(smpteFormat) = 'smpf',
  kCAClockProperty_SMPTEOffset CORE_AUDIO_SWIFT_NAME(smpteOffset) = 'smpo',
  kCAClockProperty_MIDIClockDestinations CORE_AUDIO_SWIFT_NAME(midiClockDestinations) = 'mbcd',
  kCAClockProperty_MTCDestinations CORE_AUDIO_SWIFT_NAME(mtcDestinations) = 'mtcd',
  kCAClockProperty_MTCFreewheelTime CORE_AUDIO_SWIFT_NAME(mtcFreewheelTime) = 'mtfw',
  kCAClockProperty_TempoMap CORE_AUDIO_SWIFT_NAME(tempoMap) = 'tmpo',
  kCAClockProperty_MeterTrack CORE_AUDIO_SWIFT_NAME(meterTrack) = 'metr',
  kCAClockProperty_Name CORE_AUDIO_SWIFT_NAME(name) = 'name',
  kCAClockProperty_SendMIDISPP CORE_AUDIO_SWIFT_NAME(sendMIDISPP) = 'mspp',
} CAClockPropertyID;

typedef CORE_AUDIO_ENUM(CAClockTimebase, uint32_t) {
  kCAClockTimebase_HostTime CORE_AUDIO_SWIFT_NAME(hostTime) = 'host',
  kCAClockTimebase_AudioDevice CORE_AUDIO_SWIFT_NAME(audioDevice) = 'audi',
  kCAClockTimebase_AudioOutputUnit CORE_AUDIO_SWIFT_NAME(audioOutputUnit) = 'auou',
} CAClockTimebase;

typedef CORE_AUDIO_ENUM(CAClockSyncMode, uint32_t) {
  kCAClockSyncMode_Internal CORE_AUDIO_SWIFT_NAME(internal) = 'intr',
  kCAClockSyncMode_MIDIClockTransport CORE_AUDIO_SWIFT_NAME(midiClockTransport) = 'mclk',
  kCAClockSyncMode_MTCTransport CORE_AUDIO_SWIFT_NAME(mtcTransport) = 'mmtc',
} CAClockSyncMode;

typedef CORE_AUDIO_ENUM(CAClockMessage, uint32_t) {
  kCAClockMessage_StartTimeSet CORE_AUDIO_SWIFT_NAME(startTimeSet) = 'stim',
  kCAClockMessage_Started CORE_AUDIO_SWIFT_NAME(started) = 'strt',
  kCAClockMessage_Stopped CORE_AUDIO_SWIFT_NAME(stopped) = 'stop',
  kCAClockMessage_Armed CORE_AUDIO_SWIFT_NAME(armed) = 'armd',
  kCAClockMessage_Disarmed CORE_AUDIO_SWIFT_NAME(disarmed) = 'darm',
  kCAClockMessage_PropertyChanged CORE_AUDIO_SWIFT_NAME(propertyChanged) = 'pchg',
  kCAClockMessage_WrongSMPTEFormat CORE_AUDIO_SWIFT_NAME(wrongSMPTEFormat) = '?smp',
} CAClockMessage;

typedef CORE_AUDIO_ENUM(CAClockTimeFormat, uint32_t) {
  kCAClockTimeFormat_HostTime CORE_AUDIO_SWIFT_NAME(hostTime) = 'host',
  kCAClockTimeFormat_Samples CORE_AUDIO_SWIFT_NAME(samples) = 'samp',
  kCAClockTimeFormat_Beats CORE_AUDIO_SWIFT_NAME(beats) = 'beat',
  kCAClockTimeFormat_Seconds CORE_AUDIO_SWIFT_NAME(seconds) = 'secs',
  kCAClockTimeFormat_SMPTESeconds CORE_AUDIO_SWIFT_NAME(smpteSeconds) = 'smps',
  kCAClockTimeFormat_SMPTETime CORE_AUDIO_SWIFT_NAME(smpteTime) = 'smpt',
  kCAClockTimeFormat_AbsoluteSeconds CORE_AUDIO_SWIFT_NAME(absoluteSeconds) = 'asec',
} CAClockTimeFormat;

// A time; the format determines the member of the union.
typedef struct CAClockTime {
  CAClockTimeFormat format;
  uint32_t reserved;
  union {
    uint64_t hostTime;
    CAClockSamples samples;
    CAClockBeats beats;
    CAClockSeconds seconds;
    SMPTETime smpte;
  } time;
} CAClockTime;

// A position: bar (from 1), beat (from 1) and subbeat (from 0).
typedef struct CABarBeatTime {
  int32_t bar;
  uint16_t beat;
  uint16_t subbeat;
  uint16_t subbeatDivisor;
  uint16_t reserved;
} CABarBeatTime;

typedef struct CATempoMapEntry {
  CAClockBeats beats;
  CAClockTempo tempoBPM;
} CATempoMapEntry;

typedef struct CAMeterTrackEntry {
  CAClockBeats beats;
  uint16_t meterNumer;
  uint16_t meterDenom;
} CAMeterTrackEntry;

typedef void (*CAClockListenerProc)(
    void *_Nullable userData, CAClockMessage message, const void *_Nullable param);
