// SPDX-License-Identifier: Apache-2.0
// Loops over many channels, compiled for registers of 32 bytes too, which are used where the
// processor has them. Both give the same samples: no product is fused with a sum.
#include "CRealtime.h"

#pragma clang fp contract(off)

static inline __attribute__((always_inline)) void add_side(
    const float *samples, float gain, float *sum, crealtime_lane *squares, crealtime_lane *tops) {
  const crealtime_lane *source = (const crealtime_lane *)samples;
  crealtime_lane *target = (crealtime_lane *)sum;
  crealtime_lane all = *squares, top = *tops;
  for (int lane = 0; lane < CREALTIME_QUANTUM / 8; lane++) {
    const crealtime_lane sample = source[lane] * gain;
    target[lane] += sample;
    const crealtime_lane square = sample * sample;
    all += square;
    top = top > square ? top : square;
  }
  *squares = all;
  *tops = top;
}

static inline __attribute__((always_inline)) void add_strips(
    const crealtime_strip *strips, long count, float *left, float *right) {
  for (long index = 0; index < count; index++) {
    const crealtime_strip strip = strips[index];
    crealtime_lane *powers = (crealtime_lane *)strip.powers;
    add_side(strip.left, strip.left_gain, left, powers, powers + 1);
    add_side(strip.right, strip.right_gain, right, powers + 2, powers + 3);
  }
}

static inline __attribute__((always_inline)) int is_finite(
    const float *samples, long channel_count) {
  const crealtime_lane *source = (const crealtime_lane *)samples;
  const int width = CREALTIME_QUANTUM / 8;
  // Nothing makes a sum finite again that has met something that is not.
  crealtime_lane sums[CREALTIME_QUANTUM / 8] = {0};
  for (long channel = 0; channel < channel_count; channel++) {
    for (int lane = 0; lane < width; lane++) sums[lane] += source[width * channel + lane];
  }
  crealtime_lane all = sums[0];
  for (int lane = 1; lane < width; lane++) all += sums[lane];
  float sum = 0;
  for (int place = 0; place < 8; place++) sum += all[place];
  return __builtin_isfinite(sum);
}

static void add_strips_plain(
    const crealtime_strip *strips, long count, float *left, float *right) {
  add_strips(strips, count, left, right);
}

static int is_finite_plain(const float *samples, long channel_count) {
  return is_finite(samples, channel_count);
}

crealtime_loops crealtime_chosen_loops = {add_strips_plain, is_finite_plain};

#if defined(__x86_64__)
__attribute__((target("avx2"))) static void add_strips_wide(
    const crealtime_strip *strips, long count, float *left, float *right) {
  add_strips(strips, count, left, right);
}

__attribute__((target("avx2"))) static int is_finite_wide(
    const float *samples, long channel_count) {
  return is_finite(samples, channel_count);
}

// Before any thread starts.
__attribute__((constructor)) static void choose_loops(void) {
  __builtin_cpu_init();
  if (!__builtin_cpu_supports("avx2")) return;
  crealtime_chosen_loops = (crealtime_loops){add_strips_wide, is_finite_wide};
}
#endif
