// SPDX-License-Identifier: Apache-2.0
// Declarations of the part of libebur128's interface in use, so that building does not require its
// headers.
#ifndef CEBUR128_TYPES_H
#define CEBUR128_TYPES_H

#include <stddef.h>

enum mode {
  EBUR128_MODE_M = 1,
  EBUR128_MODE_S = 2 | EBUR128_MODE_M,
  EBUR128_MODE_I = 4 | EBUR128_MODE_M,
  EBUR128_MODE_SAMPLE_PEAK = 16 | EBUR128_MODE_M,
  EBUR128_MODE_TRUE_PEAK = 32 | EBUR128_MODE_SAMPLE_PEAK,
};

typedef struct {
  int mode;
  unsigned channels;
  unsigned long samplerate;
  struct ebur128_state_internal *d;
} ebur128_state;

#endif
