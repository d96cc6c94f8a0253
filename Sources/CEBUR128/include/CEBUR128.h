// SPDX-License-Identifier: Apache-2.0
// libebur128's own declarations, and a table of the functions that are used.
//
// The library is opened on first use, like libsndfile: it is needed where a loudness is asked for.
#ifndef CEBUR128_H
#define CEBUR128_H

#include <ebur128.h>
#include <stdbool.h>

#define CEBUR128_FUNCTIONS(f)                                                                     \
  f(init) f(destroy) f(add_frames_float) f(loudness_global) f(sample_peak) f(true_peak)             \
  f(get_version) f(loudness_momentary) f(loudness_shortterm)

typedef struct {
#define CEBUR128_FIELD(name) __typeof__(&ebur128_##name) name;
  CEBUR128_FUNCTIONS(CEBUR128_FIELD)
#undef CEBUR128_FIELD
} CEBUR128Table;

/// Opens the library once; any thread may ask. Returns null where it is missing.
const CEBUR128Table *cebur128_table(void);

#endif
