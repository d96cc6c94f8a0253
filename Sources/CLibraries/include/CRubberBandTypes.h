// SPDX-License-Identifier: Apache-2.0
// What of Rubber Band's C interface is used, in declarations of our own: building needs no header of it.
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
