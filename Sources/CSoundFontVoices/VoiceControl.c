// SPDX-License-Identifier: Apache-2.0
#include "VoiceControl.h"

#include <math.h>
#include <string.h>

/// The attenuation of an envelope at its minimum, in centibels.
static const double depth = 960;

void cvoices_begin(CVoice *voice) {
  memset(voice, 0, sizeof *voice);
  voice->is_new = voice->is_unchecked = voice->is_filter_new = 1;
  voice->has_no_gains = 1;
  voice->level = voice->former_level = 1;
  voice->filtered_cents = -1;
  voice->stepped_pitch = NAN;
  for (int index = 0; index < 2; index++) {
    CVoiceEnvelope *envelope = index == 0 ? &voice->volume : &voice->modulation;
    cvoices_set_section(envelope, CVOICES_SUSTAIN, UINT32_MAX, 0, -1, 2);
    cvoices_set_section(envelope, CVOICES_FINISHED, UINT32_MAX, 0, -1, 1);
  }
}

void cvoices_set_section(
    CVoiceEnvelope *envelope, int section, uint32_t count, double step, double least,
    double most) {
  envelope->sections[section] = (CVoiceSection){step, least, most, count};
}

static void enter(CVoiceEnvelope *envelope, int section) {
  envelope->section = section;
  envelope->count = 0;
}

static double clipped(double value) { return value < 0 ? 0 : value > 1 ? 1 : value; }

/// Releases a voice.
///
/// The attack is linear in amplitude, and later sections are linear in centibels. The release
/// therefore begins at the level that corresponds to the amplitude, and to the convex attack of the
/// modulation envelope.
static void release(CVoice *voice, const CVoiceTables *tables) {
  CVoiceEnvelope *volume = &voice->volume, *modulation = &voice->modulation;
  voice->release_age = 0;
  if (volume->section == CVOICES_FINISHED) return;
  if (volume->section == CVOICES_ATTACK && volume->value > 0)
    volume->value = clipped(1 + 200 * log10(volume->value) / depth);
  if (modulation->section == CVOICES_ATTACK && modulation->value > 0)
    modulation->value = clipped(cvoices_convex(tables, 127 * modulation->value));
  enter(volume, CVOICES_RELEASE);
  enter(modulation, CVOICES_RELEASE);
}

void cvoices_release(CVoice *voice, const CVoiceTables *tables, uint32_t least_age) {
  if (least_age > voice->age) voice->release_age = least_age;
  else release(voice, tables);
}

void cvoices_finish(CVoice *voice) {
  enter(&voice->volume, CVOICES_FINISHED);
  enter(&voice->modulation, CVOICES_FINISHED);
}

void cvoices_attack_again(CVoice *voice, const CVoiceTables *tables) {
  CVoiceEnvelope *volume = &voice->volume, *modulation = &voice->modulation;
  CVoiceSection *attack = &volume->sections[CVOICES_ATTACK];
  if (volume->section >= CVOICES_HOLD)
    volume->value = clipped(cvoices_factor(tables, depth * (1 - volume->value)));
  enter(volume, CVOICES_ATTACK);
  volume->value = volume->value * cvoices_factor(tables, voice->former_attenuation)
                  / cvoices_factor(tables, voice->attenuation);
  // Applied only once, because legato notes at one attenuation would grow without limit.
  voice->former_attenuation = voice->attenuation;
  const int rises = volume->value <= 1;
  attack->step = rises ? (double)(1.0f / (float)attack->count) : -volume->value / attack->count;
  attack->least = rises ? -1 : 1;
  attack->most = rises ? 1 : volume->value;
  if (modulation->section >= CVOICES_HOLD)
    modulation->value = clipped(cvoices_factor(tables, (1 - modulation->value) * depth / 2));
  enter(modulation, CVOICES_ATTACK);
}

void cvoices_slide(CVoice *voice, double cents, uint32_t count) {
  if (count == 0) return;
  voice->slide += cents;
  voice->slide_step = -voice->slide / count;
}

void cvoices_set_resonance(CVoice *voice, double decibels) {
  voice->damping = pow(10, decibels / 20);
  voice->filter_gain = 1 / sqrt(voice->damping);
  voice->peak = sqrt(voice->damping);
  voice->filtered_cents = -1;
}

static inline void move_envelope(CVoiceEnvelope *envelope) {
  if (envelope->section == CVOICES_SUSTAIN) return;
  const CVoiceSection *section = &envelope->sections[envelope->section];
  while (envelope->count >= section->count) {
    if (envelope->section == CVOICES_DECAY) envelope->value = section->least;
    section = &envelope->sections[++envelope->section];
    envelope->count = 0;
  }
  const int is_silent =
      envelope->section == CVOICES_DELAY || envelope->section == CVOICES_FINISHED;
  const double value = is_silent ? 0 : envelope->value + section->step;
  if (value < section->least) {
    envelope->value = section->least;
    enter(envelope, envelope->section + 1);
  } else if (value > section->most) {
    envelope->value = section->most;
    enter(envelope, envelope->section + 1);
  } else {
    envelope->value = value;
    envelope->count++;
  }
}

static inline void move_oscillator(CVoiceOscillator *oscillator, uint32_t age) {
  if (age < oscillator->delay) return;
  const double value = oscillator->value + oscillator->step;
  oscillator->value = value;
  if (value > 1) {
    oscillator->step = -oscillator->step;
    oscillator->value = 2 - value;
  } else if (value < -1) {
    oscillator->step = -oscillator->step;
    oscillator->value = -2 - value;
  }
}

static int32_t within(int32_t value, int32_t least, int32_t most) {
  return value < least ? least : value > most ? most : value;
}

static void order(int32_t *low, int32_t *high) {
  if (*low <= *high) return;
  const int32_t other = *low;
  *low = *high;
  *high = other;
}

/// Moves start, end and loop into the sample, in the right order; here `end` and `last` are the
/// last frames.
static void check(CVoice *voice, CVoiceGroup *group, int lane) {
  voice->is_unchecked = 0;
  voice->start = within(voice->start, voice->first, voice->last);
  voice->end = within(voice->end, voice->first, voice->last);
  order(&voice->start, &voice->end);
  // Also without a loop: a voice that has looped before still reads its other end at the loop
  // start.
  voice->loop_start = within(voice->loop_start, voice->first, voice->last + 1);
  voice->loop_end = within(voice->loop_end, voice->first, voice->last + 1);
  order(&voice->loop_start, &voice->loop_end);
  if (voice->loop_end < voice->loop_start + 2) voice->loop_mode = 0;
  if (voice->start == voice->end) {
    cvoices_finish(voice);
    return;
  }
  if (voice->is_new) {
    group->index[lane] = voice->start;
    group->part[lane] = 0;
    voice->is_new = 0;
  }
  const int loops = voice->loop_mode == 1
                    || (voice->loop_mode == 3 && voice->volume.section < CVOICES_RELEASE);
  if (loops && group->index[lane] >= (uint32_t)voice->loop_end) {
    group->index[lane] = voice->loop_start;
    group->part[lane] = 0;
  }
  voice->loops = loops;
  cvoices_bound(voice, group, lane);
}

void cvoices_bound(const CVoice *voice, CVoiceGroup *group, int lane) {
  const int32_t low = (voice->has_looped ? voice->loop_start : voice->start) + 1;
  const int32_t span = (voice->loops ? voice->loop_end - 2 : voice->end - 1) - low;
  group->low[lane] = low;
  group->span[lane] = span > 0 ? span : 0;
}

/// Computes the amplitude for the end of the quantum; false if the voice is no longer audible.
static inline int aim(const CVoice *voice, const CVoiceTables *tables, double *target) {
  const CVoiceEnvelope *volume = &voice->volume;
  // SoundFont 2.04, 8.1.2, 13: a positive depth raises the level while the oscillator is positive.
  const double level = voice->attenuation - voice->slow.value * voice->slow_to_volume;
  if (volume->section == CVOICES_ATTACK) {
    *target = cvoices_factor(tables, level) * volume->value;
    return 1;
  }
  *target = cvoices_factor(tables, level + depth * (1 - volume->value));
  return cvoices_factor(tables, voice->least_attenuation) * volume->value
         >= (voice->has_looped ? voice->loop_floor : voice->floor);
}

static inline void set_step(
    CVoice *voice, CVoiceGroup *group, int lane, const CVoiceTables *tables, double pitch) {
  if (pitch == voice->stepped_pitch) return;
  voice->stepped_pitch = pitch;
  const double ratio = cvoices_hertz(tables, pitch) / voice->root_hertz;
  // A sample that does not advance would never end.
  const double step = !(ratio > 0) ? 1 : ratio < 0x1p24 ? ratio : 0x1p24;
  group->step[lane] = (uint32_t)step;
  group->part_step[lane] = (uint32_t)((step - (uint32_t)step) * 0x1p32);
}

/// Computes the coefficients of a low-pass (Bristow-Johnson).
///
/// `k`, which is 1 + a1 + a2, is small for low cutoffs, so rounding does not affect it.
static inline void set_filter(
    CVoice *voice, CVoiceGroup *group, int lane, const CVoiceTables *tables, double cents,
    uint32_t *glides, uint32_t *loud) {
  const int32_t whole = cents >= 13500 ? 12000 : cents < 1500 ? 0 : (int32_t)cents - 1500;
  if (whole == voice->filtered_cents) {
    if (group->c_rise[lane] != 0 || group->b_rise[lane] != 0) {
      group->c[lane] = (float)voice->c;
      group->k[lane] = (float)voice->k;
      group->b[lane] = (float)voice->b;
      group->c_rise[lane] = group->k_rise[lane] = group->b_rise[lane] = 0;
      group->pull[lane] = 1;
    }
    return;
  }
  voice->filtered_cents = whole;
  const double versine = tables->versines[whole];
  const double alpha = tables->sines[whole] / (2 * voice->damping), share = 1 / (1 + alpha);
  const double k = 2 * versine * share, c = (1 - alpha) * share - k;
  const double b = 0.5 * versine * share * voice->filter_gain;
  if (voice->is_filter_new) {
    voice->is_filter_new = 0;
    group->c[lane] = (float)c;
    group->k[lane] = (float)k;
    group->b[lane] = (float)b;
    group->c_rise[lane] = group->k_rise[lane] = group->b_rise[lane] = 0;
    group->pull[lane] = 1;
  } else {
    group->c[lane] = (float)voice->c;
    group->k[lane] = (float)voice->k;
    group->b[lane] = (float)voice->b;
    group->c_rise[lane] = (float)((c - voice->c) / CVOICES_QUANTUM);
    group->k_rise[lane] = (float)((k - voice->k) / CVOICES_QUANTUM);
    group->b_rise[lane] = (float)((b - voice->b) / CVOICES_QUANTUM);
    *glides |= 1u << lane;
    const double ratio = versine / voice->versine;
    if (ratio < 0.5 || ratio > 2) *loud |= 1u << lane;
    // The 128th root of the ratio, which keeps the strength of a ringing tone.
    const double z = (ratio - 1) / (ratio + 1), power = z * (1 + z * z / 3) / CVOICES_QUANTUM;
    group->pull[lane] = (float)(1 + power + 0.5 * power * power);
  }
  voice->c = c;
  voice->k = k;
  voice->b = b;
  voice->versine = versine;
}

/// Limits a voice that may exceed the maximum of a voice by its resonance, a tremolo, its part's
/// level, or a decaying oscillation from these.
static inline void bound_level(
    CVoice *voice, CVoiceGroup *group, int lane, double amplitude, uint32_t *loud) {
  // While gains move to another level, use the higher one.
  const double most = voice->level > voice->former_level ? voice->level : voice->former_level;
  voice->former_level = voice->level;
  const double level = (amplitude > 1 ? amplitude : 1) * most;
  group->bound[lane] = (float)(CVOICES_MOST / level);
  // The maximum output of the filter for samples of full scale, which cubic interpolation raises by
  // a quarter.
  if (level * (1.77 + 1.1 * voice->peak) > 4) *loud |= 1u << lane;
  // Also that of a decaying oscillation, which lasts longer than the resonance that caused it.
  const double h = group->h[lane], d = group->d[lane], k = voice->k;
  const double swing = k > 0 ? sqrt(h * h + d * d / k) * (1 + 0.45 * k) : 0;
  if (amplitude * most * (swing / 32768 + 2.7) > 4) *loud |= 1u << lane;
}

int cvoices_move(
    CVoice *voice, CVoiceGroup *group, int lane, const CVoiceTables *tables, uint32_t *glides,
    uint32_t *loud) {
  if (voice->is_unchecked) check(voice, group, lane);
  const uint32_t age = voice->age;
  if (voice->release_age != 0 && age >= voice->release_age) release(voice, tables);
  voice->age = age + CVOICES_QUANTUM;
  move_envelope(&voice->volume);
  if (voice->volume.section == CVOICES_FINISHED) return VOICE_ENDS;
  move_envelope(&voice->modulation);
  move_oscillator(&voice->slow, age);
  move_oscillator(&voice->vibrato, age);
  if (voice->volume.section == CVOICES_DELAY) return VOICE_RESTS;
  double target;
  if (!aim(voice, tables, &target)) return VOICE_ENDS;
  const double rise = (target - voice->amplitude) / CVOICES_QUANTUM;
  if (voice->amplitude == 0 && rise == 0) return VOICE_RESTS;
  group->amplitude[lane] = (float)voice->amplitude;
  group->rise[lane] = (float)rise;
  bound_level(
      voice, group, lane, target > voice->amplitude ? target : voice->amplitude, loud);
  voice->amplitude = voice->wait == 0 ? target : rise * (CVOICES_QUANTUM - voice->wait);

  // SoundFont 2.04, 8.1.2, 26: the attack of the modulation envelope is convex.
  const double modulation = voice->modulation.section == CVOICES_ATTACK
                                ? cvoices_convex(tables, 127 * voice->modulation.value)
                                : voice->modulation.value;
  set_step(voice, group, lane, tables,
           voice->pitch + voice->slide + voice->slow.value * voice->slow_to_pitch
               + voice->vibrato.value * voice->vibrato_to_pitch
               + modulation * voice->modulation_to_pitch);
  if (voice->slide_step != 0) {
    const double slide = voice->slide + voice->slide_step;
    const int arrives = voice->slide_step > 0 ? slide > 0 : slide < 0;
    voice->slide = arrives ? 0 : slide;
    if (arrives) voice->slide_step = 0;
  }
  const int loops = voice->loop_mode == 1
                    || (voice->loop_mode == 3 && voice->volume.section < CVOICES_RELEASE);
  if (loops != voice->loops) {
    voice->loops = loops;
    cvoices_bound(voice, group, lane);
  }
  set_filter(voice, group, lane, tables,
             voice->cutoff + voice->slow.value * voice->slow_to_filter
                 + modulation * voice->modulation_to_filter,
             glides, loud);
  return VOICE_SOUNDS;
}
