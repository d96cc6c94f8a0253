// SPDX-License-Identifier: Apache-2.0
// The functions of Rubber Band 3 or later in use.
//
// The library is opened on first use: it is under the GPL, and only time stretching requires it.
#ifndef CRUBBERBAND_H
#define CRUBBERBAND_H

#include <math.h>

#include "CRubberBandTypes.h"

#define CRUBBERBAND_FUNCTIONS(f)                                                                  \
  f(RubberBandState, new,                                                                         \
    (unsigned rate, unsigned channels, RubberBandOptions, double time, double pitch))             \
  f(void, delete, (RubberBandState))                                                              \
  f(void, set_time_ratio, (RubberBandState, double))                                              \
  f(void, set_pitch_scale, (RubberBandState, double))                                             \
  f(unsigned, get_preferred_start_pad, (const RubberBandState))                                   \
  f(unsigned, get_start_delay, (const RubberBandState))                                           \
  f(void, set_max_process_size, (RubberBandState, unsigned))                                      \
  f(void, process, (RubberBandState, const float *const *, unsigned, int final))                  \
  f(int, available, (const RubberBandState))                                                      \
  f(unsigned, retrieve, (const RubberBandState, float *const *, unsigned))

typedef struct {
#define CRUBBERBAND_FIELD(type, name, arguments) type(*name) arguments;
  CRUBBERBAND_FUNCTIONS(CRUBBERBAND_FIELD)
#undef CRUBBERBAND_FIELD
} CRubberBandTable;

/// Opens the library on the first call, on any thread, and returns its functions; null if it is
/// missing.
const CRubberBandTable *crubberband_table(void);

/// The loader's message if the library could not be opened.
const char *crubberband_missing(void);

#define CRUBBERBAND_REALTIME \
  static inline __attribute__((swift_attr("@_noLocks"), swift_attr("@_noAllocation")))

CRUBBERBAND_REALTIME void crubberband_set(
    const CRubberBandTable *table, RubberBandState state, double speed, double cents) {
  table->set_time_ratio(state, 1 / speed);
  table->set_pitch_scale(state, exp2(cents / 1200));
}

CRUBBERBAND_REALTIME void crubberband_process(
    const CRubberBandTable *table, RubberBandState state, const float *const *input, unsigned count) {
  table->process(state, input, count, 0);
}

CRUBBERBAND_REALTIME int crubberband_available(const CRubberBandTable *table, RubberBandState state) {
  return table->available(state);
}

CRUBBERBAND_REALTIME unsigned crubberband_retrieve(
    const CRubberBandTable *table, RubberBandState state, float *const *output, unsigned count) {
  return table->retrieve(state, output, count);
}

#endif
