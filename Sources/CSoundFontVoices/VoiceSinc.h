// SPDX-License-Identifier: Apache-2.0
// Samples read with a windowed sinc of 32 frames. Only VoiceGroup.c includes this file, and
// compiles it for each register size.
#ifndef VOICESINC_H
#define VOICESINC_H

/// The number of frames that are copied at a time: a quantum of a sample that plays up to eight
/// times as fast.
enum { SOURCE = 8 * CVOICES_QUANTUM + CVOICES_TAPS };

/// Copies frames from a position as they sound: a loop is repeated, and the outermost frame is
/// repeated before the start and after the end.
INLINE void unroll(
    const CVoice *voice, const int16_t *samples, const uint8_t *low_bytes, int64_t place, int count,
    float *source) {
  const int64_t loop_start = voice->loop_start, length = voice->loop_end - loop_start;
  const int64_t low =
      voice->has_looped && loop_start < voice->start ? loop_start : voice->start;
  while (count > 0) {
    int64_t at = place, run = count;
    int holds = 0;
    if (voice->loops && (at >= voice->loop_end || (voice->has_looped && at < loop_start)))
      at = loop_start + ((at - loop_start) % length + length) % length;
    if (at < low) {
      holds = 1;
      run = low - at;
      at = low;
    } else if (voice->loops) {
      run = voice->loop_end - at;
    } else if (at > voice->end) {
      holds = 1;
      at = voice->end;
    } else {
      run = voice->end + 1 - at;
    }
    if (run > count) run = count;
    for (int64_t frame = 0; frame < run; frame++) {
      const int64_t from = holds ? at : at + frame;
      source[frame] = samples[from];
      if (low_bytes) source[frame] += low_bytes[from] * (1.0f / 256);
    }
    source += run;
    place += run;
    count -= (int)run;
  }
}

/// The sum of 32 frames with the taps for a position, given in 2^-32 frames, interpolated between
/// two phases.
INLINE float weigh(const float *source, const float (*taps)[2][CVOICES_TAPS], uint32_t part) {
  const float(*const own)[CVOICES_TAPS] = taps[part >> 24];
  const float rest = (float)(int32_t)(part & 0xFFFFFF) * 0x1p-24f;
  lanes sum = {0};
#pragma clang loop unroll(full)
  for (int tap = 0; tap < CVOICES_TAPS; tap += 8) {
    const lanes weight = *(const loose *)(own[0] + tap) + rest * *(const loose *)(own[1] + tap);
    sum += *(const loose *)(source + tap) * weight;
  }
  typedef float half __attribute__((vector_size(16)));
  const half four = __builtin_shufflevector(sum, sum, 0, 1, 2, 3)
                    + __builtin_shufflevector(sum, sum, 4, 5, 6, 7);
  return (four[0] + four[2]) + (four[1] + four[3]);
}

/// Reads frames of one lane.
INLINE void read_lane(
    CVoiceGroup *group, CVoice *voice, const int16_t *samples, const uint8_t *low_bytes,
    const CVoiceKernels *kernels, lanes *sounds, int lane, int from, int to) {
  const uint64_t step = (uint64_t)group->step[lane] << 32 | group->part_step[lane];
  int kernel = 0;
  while (kernel < CVOICES_KERNELS - 1 && step > kernels->most[kernel]) kernel++;
  uint32_t index = group->index[lane], part = group->part[lane];
  float source[SOURCE];
  for (int frame = from; frame < to;) {
    if (voice->loops && index >= (uint32_t)voice->loop_end) {
      const uint32_t length = (uint32_t)(voice->loop_end - voice->loop_start);
      index = voice->loop_start + (index - voice->loop_start) % length;
      voice->has_looped = 1;
    }
    // The number of frames that fit, at least one.
    const uint64_t room = ((uint64_t)(SOURCE - CVOICES_TAPS) << 32) - part;
    int count = to - frame;
    if (step != 0 && room / step + 1 < (uint64_t)count) count = (int)(room / step) + 1;
    uint64_t place = part;
    const int last = (int)((place + step * (uint64_t)(count - 1)) >> 32);
    unroll(voice, samples, low_bytes, (int64_t)index - (CVOICES_TAPS / 2 - 1),
           last + CVOICES_TAPS, source);
    for (int next = 0; next < count; next++) {
      sounds[frame + next][lane] =
          weigh(source + (place >> 32), kernels->taps[kernel], (uint32_t)place);
      place += step;
    }
    index += (uint32_t)(place >> 32);
    part = (uint32_t)place;
    frame += count;
  }
  group->index[lane] = index;
  group->part[lane] = part;
}

/// Reads frames of all lanes.
///
/// Lanes without a bit in `mask` are silent and keep their state.
INLINE void read_best(
    CVoiceGroup *group, CVoice *voices, const int16_t *samples, const uint8_t *low_bytes,
    const CVoiceKernels *kernels, lanes *sounds, int from, int to, uint32_t mask) {
  for (int frame = from; frame < to; frame++) sounds[frame] = (lanes){0};
  for (uint32_t left = mask; left; left &= left - 1) {
    const int lane = __builtin_ctz(left);
    read_lane(group, voices + group->voices[lane], samples, low_bytes, kernels, sounds, lane, from,
              to);
  }
}

#endif
