// SPDX-License-Identifier: Apache-2.0
// Types of clocks, and of places in bars and beats.
#pragma once
#include <stdint.h>

typedef double CAClockBeats;
typedef double CAClockTempo;
typedef double CAClockSamples;
typedef double CAClockSeconds;

// A place as bar (from 1), beat (from 1) and parts of a beat (from 0).
typedef struct CABarBeatTime {
  int32_t bar;
  uint16_t beat;
  uint16_t subbeat;
  uint16_t subbeatDivisor;
  uint16_t reserved;
} CABarBeatTime;
