// SPDX-License-Identifier: Apache-2.0
// Attacks the voices' C code with invalid positions, loops, tunings and envelopes: `attack ROUNDS
// SEED`.
//
// For the address and undefined-behaviour sanitizers: samples are in blocks of exactly their size,
// so that a read outside them is found. Every fourth round plays close to the largest frame number.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "CSoundFontVoices.h"

enum { VOICES = 24, GROUPS = VOICES / CVOICES_LANES, GAP = 8 };

static uint64_t state;
static CVoiceKernels sincs;

static uint64_t next(void) {
  uint64_t z = (state += 0x9E3779B97F4A7C15u);
  z = (z ^ z >> 30) * 0xBF58476D1CE4E5B9u;
  z = (z ^ z >> 27) * 0x94D049BB133111EBu;
  return z ^ z >> 31;
}

static int below(int bound) { return (int)(next() % (uint64_t)bound); }

static double between(double least, double most) {
  return least + (most - least) * (double)(next() >> 11) / 0x1p53;
}

/// A position near a sample's ends, in it, or anywhere.
static int32_t place(int32_t first, int32_t last) {
  switch (below(6)) {
  case 0: return first;
  case 1: return last;
  case 2: return (int32_t)next();
  case 3: return below(2) ? INT32_MIN : INT32_MAX;
  case 4: return last - below(last - first < 8 ? 1 : 8);
  default: return first + below(last - first + 1);
  }
}

static void set_envelope(CVoiceEnvelope *envelope) {
  cvoices_set_section(envelope, CVOICES_DELAY, below(4) ? 0 : below(4), 0, -1, 1);
  const uint32_t attack = 1 + below(6);
  cvoices_set_section(envelope, CVOICES_ATTACK, attack, 1.0 / attack, -1, 1);
  cvoices_set_section(envelope, CVOICES_HOLD, below(5), 0, -1, 2);
  const uint32_t decay = below(30);
  cvoices_set_section(
      envelope, CVOICES_DECAY, decay, decay ? -1.0 / decay : 0, between(0, 1), 2);
  const uint32_t release = 1 + below(20);
  cvoices_set_section(envelope, CVOICES_RELEASE, release, -1.0 / release, 0, 1);
}

static void set_places(CVoice *voice) {
  voice->start = place(voice->first, voice->last);
  voice->end = place(voice->first, voice->last);
  voice->loop_start = place(voice->first, voice->last);
  voice->loop_end = place(voice->first, voice->last);
  if (below(3)) voice->start = voice->first, voice->end = voice->last;
  voice->is_unchecked = 1;
}

static void begin(
    CVoice *voice, CVoiceGroup *group, int lane, int number, int32_t first, int32_t last) {
  cvoices_begin(voice);
  voice->first = first;
  voice->last = last;
  voice->loop_mode = (int[]){0, 1, 1, 3}[below(4)];
  voice->wait = below(3) ? 0 : below(CVOICES_QUANTUM);
  voice->bus = below(2);
  set_places(voice);
  set_envelope(&voice->volume);
  set_envelope(&voice->modulation);
  voice->pitch = between(-30000, 30000);
  voice->root_hertz = exp2(between(-40, 14));
  voice->cutoff = between(-2000, 16000);
  voice->attenuation = between(0, 1440);
  voice->modulation_to_pitch = between(-12000, 12000);
  voice->vibrato_to_pitch = between(-12000, 12000);
  voice->slow_to_filter = between(-12000, 12000);
  voice->slow.step = voice->vibrato.step = between(-1, 1);
  voice->vibrato.delay = below(1000);
  cvoices_set_resonance(voice, between(-3, 96));
  if (below(4) == 0) cvoices_slide(voice, between(-12700, 12700), below(20));
  for (int target = 0; target < CVOICES_TARGETS; target++)
    cvoices_aim(voice, target, (float)between(0, 1) / 32768);
  cvoices_seat(group, lane, number, first);
}

static void attack(
    const int16_t *samples, const uint8_t *low_bytes, int32_t first, int32_t frame_count,
    const CVoiceTables *tables) {
  static CVoice voices[VOICES];
  static CVoiceGroup groups[GROUPS] __attribute__((aligned(32)));
  memset(voices, 0, sizeof voices);
  memset(groups, 0, sizeof groups);
  float *sound = calloc(6 * 4 * CVOICES_QUANTUM, sizeof *sound);
  float *dry[4];
  for (int bus = 0; bus < 4; bus++) dry[bus] = sound + bus * 4 * CVOICES_QUANTUM;
  float *sends[2] = {sound + 16 * CVOICES_QUANTUM, sound + 20 * CVOICES_QUANTUM};
  const int has_sends = below(2);
  const CVoiceKernels *kernels = below(3) ? 0 : &sincs;
  cvoices_choose(below(2));
  for (int turn = 0; turn < 40; turn++) {
    for (int number = 0; number < VOICES; number++) {
      CVoiceGroup *group = groups + number / CVOICES_LANES;
      const int lane = number % CVOICES_LANES;
      CVoice *voice = voices + number;
      if (group->ended >> lane & 1) cvoices_unseat(group, lane);
      if (!(group->taken >> lane & 1)) {
        if (below(3)) continue;
        const int32_t start = first + below(frame_count < 2 ? 1 : frame_count - 1);
        const int32_t left = frame_count - (start - first);
        begin(voice, group, lane, number, start, start + below(left));
        continue;
      }
      switch (below(12)) {
      case 0: cvoices_release(voice, tables, below(500)); break;
      case 1: set_places(voice); break;
      case 2: voice->pitch = between(-30000, 30000); break;
      case 3: cvoices_attack_again(voice, tables); break;
      case 4: if (below(8) == 0) cvoices_finish(voice); break;
      case 5:
        voice->former_attenuation = voice->attenuation;
        voice->attenuation = between(0, 1440);
        cvoices_attack_again(voice, tables);
        break;
      default: break;
      }
    }
    const long count = 1 + below(4);
    for (int index = 0; index < GROUPS; index++) {
      cvoices_render(
          groups + index, voices, samples, low_bytes, tables, kernels, count, dry,
          has_sends ? sends[0] : 0, has_sends ? sends[1] : 0);
    }
    for (int index = 0; index < 24 * CVOICES_QUANTUM; index++) {
      if (!isfinite(sound[index])) {
        fprintf(stderr, "a sample that is not a number\n");
        abort();
      }
      sound[index] = 0;
    }
  }
  free(sound);
}

/// A sample in a block of exactly its size.
static void attack_block(const CVoiceTables *tables) {
  const int32_t count = 1 + below(below(2) ? 40 : 4000);
  int16_t *block = malloc((size_t)(count + 2 * GAP) * sizeof *block);
  uint8_t *low_block = malloc((size_t)(count + 2 * GAP));
  for (int32_t index = 0; index < count + 2 * GAP; index++) {
    block[index] = (int16_t)next();
    low_block[index] = (uint8_t)next();
  }
  attack(block, below(2) ? low_block : 0, GAP, count, tables);
  free(block);
  free(low_block);
}

/// A sample that ends at the largest frame number; the memory after it must not be read.
static void attack_far(const CVoiceTables *tables) {
  const size_t last = (size_t)INT32_MAX - 65536;
  const size_t size = (last + 1 + GAP) * sizeof(int16_t), page = 4096;
  const size_t whole = (size + page - 1) / page * page;
  char *memory =
      mmap(0, whole + page, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (memory == MAP_FAILED) return;
  if (mprotect(memory + whole - (1 << 20), 1 << 20, PROT_READ)) abort();
  attack((const int16_t *)memory, 0, (int32_t)last - 4000, 4001, tables);
  munmap(memory, whole + page);
}

int main(int count, char **words) {
  if (count != 3) {
    fprintf(stderr, "usage: attack ROUNDS SEED\n");
    return 64;
  }
  static CVoiceTables tables;
  cvoices_fill_kernels(&sincs);
  state = strtoull(words[2], 0, 10);
  const long rounds = strtol(words[1], 0, 10);
  for (long round = 0; round < rounds; round++) {
    if (round % 1000 == 0) cvoices_fill_tables(&tables, (double[]){8000, 44100, 96000}[below(3)]);
    if (round % 4 == 3) attack_far(&tables);
    else attack_block(&tables);
  }
  printf("voices: %ld rounds, seed %s: nothing found\n", rounds, words[2]);
  return 0;
}
