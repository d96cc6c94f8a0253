// SPDX-License-Identifier: Apache-2.0
// The functions of libebur128 in use.
//
// The library is opened on first use, because only loudness measurements require it.
#ifndef CEBUR128_H
#define CEBUR128_H

#include "CEBUR128Types.h"

#define CEBUR128_FUNCTIONS(f)                                                                     \
  f(ebur128_state *, init, (unsigned channels, unsigned long rate, int mode))                     \
  f(void, destroy, (ebur128_state **))                                                            \
  f(int, add_frames_float, (ebur128_state *, const float *, size_t frames))                       \
  f(int, loudness_global, (ebur128_state *, double *))                                            \
  f(int, loudness_momentary, (ebur128_state *, double *))                                         \
  f(int, loudness_shortterm, (ebur128_state *, double *))                                         \
  f(int, sample_peak, (ebur128_state *, unsigned channel, double *))                              \
  f(int, true_peak, (ebur128_state *, unsigned channel, double *))                                \
  f(void, get_version, (int *major, int *minor, int *patch))

typedef struct {
#define CEBUR128_FIELD(type, name, arguments) type(*name) arguments;
  CEBUR128_FUNCTIONS(CEBUR128_FIELD)
#undef CEBUR128_FIELD
} CEBUR128Table;

/// Opens the library on the first call, on any thread, and returns its functions; null if it is
/// missing.
const CEBUR128Table *cebur128_table(void);

#endif
