// SPDX-License-Identifier: Apache-2.0
// Declarations of the part of Rubber Band's C interface in use, so that building does not require
// its headers.
#ifndef CRUBBERBAND_TYPES_H
#define CRUBBERBAND_TYPES_H

typedef struct RubberBandState_ *RubberBandState;
typedef int RubberBandOptions;

#define RubberBandOptionProcessRealTime 0x00000001
#define RubberBandOptionThreadingNever 0x00010000
#define RubberBandOptionPitchHighConsistency 0x04000000
#define RubberBandOptionFormantPreserved 0x01000000
#define RubberBandOptionChannelsTogether 0x10000000
#define RubberBandOptionEngineFiner 0x20000000

#endif
