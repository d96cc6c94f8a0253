// SPDX-License-Identifier: Apache-2.0
// What a voice engine of our own would cost, and how its sound differs from FluidSynth's: a
// prototype that plays notes which are struck at frame 0 and held, for the suite `voices`.
//
// Eight voices are a register: each frame's four samples of each are read from the mapped file, and
// everything behind them (cubic interpolation, envelope, filter, pan, sends) is done for all eight at
// once; their sum over all voices is brought together once a quantum. Envelopes, oscillators, pitch
// and filter move once in 64 frames, as SoundFont 2.04 describes them and in FluidSynth's steps.
//
//   engine OUTPUT QUANTA FONT VOICES    prints nanoseconds for a voice and a quantum
#include <fcntl.h>
#include <immintrin.h>
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <time.h>

enum { QUANTUM = 64, LANES = 8 };
static const double rate = 48000;

// Generators, by their numbers in SoundFont 2.04, 8.1.2.
enum {
  MOD_LFO_TO_PITCH = 5, VIB_LFO_TO_PITCH, MOD_ENV_TO_PITCH, FILTER, RESONANCE, MOD_LFO_TO_FILTER,
  MOD_ENV_TO_FILTER, MOD_LFO_TO_VOLUME = 13, CHORUS = 15, REVERB, PAN, MOD_LFO_DELAY = 21,
  MOD_LFO_RATE, VIB_LFO_DELAY, VIB_LFO_RATE, MOD_ENV, VOL_ENV = 33, ATTENUATION = 48,
  COARSE_TUNE = 51, FINE_TUNE, SCALE = 56, ROOT_KEY = 58,
};

/// What a voice is struck with: voice_engine.py writes it.
typedef struct {
  float generators[60];
  uint32_t start, end, loop_start, loop_end, sample_rate;
  int32_t correction;
  uint32_t root;
  int32_t key, base;
} Note;

typedef struct {
  int count;
  float step, least, most;
} Section;

/// Delay, attack, hold, decay, sustain.
typedef struct {
  Section sections[5];
  int section, count;
  float value;
} Envelope;

typedef struct {
  float value, step;
  int delay;
} Oscillator;

/// What moves once a quantum.
typedef struct {
  Envelope volume, modulation;
  Oscillator slow, vibrato;
  float attenuation, amplitude, pitch, root_hertz, filter, damping, filter_gain;
  float slow_to_filter, slow_to_pitch, slow_to_volume, vibrato_to_pitch, envelope_to_pitch,
      envelope_to_filter;
  int frames, is_ready;
} Control;

/// Eight voices; `part` is the place between two samples in 2^-24.
typedef struct {
  _Alignas(32) int32_t index[LANES];
  int32_t part[LANES], step[LANES], part_step[LANES], loop_end[LANES], loop[LANES];
  /// The level behind the filter: each voice comes in over its first quantum.
  float level[LANES], level_rise[LANES];
  float amplitude[LANES], rise[LANES], b02[LANES], b1[LANES], a1[LANES], a2[LANES], h1[LANES],
      h2[LANES], left[LANES], right[LANES], reverb[LANES], chorus[LANES];
} Group;

static float factors[1442];

/// The factor of an attenuation in centibels, in FluidSynth's whole ones.
static inline float factor(float centibels) {
  return centibels < 0 ? 1 : centibels >= 1441 ? 0 : factors[(int)centibels];
}

/// The frequency of a pitch in cents, in FluidSynth's whole ones.
static double hertz(double cents) { return 8.175798915643707 * exp2(floor(cents) / 1200); }

static double quanta(double timecents) { return rate / QUANTUM * exp2(timecents / 1200); }

static void begin_envelope(Envelope *envelope, const float *times, int key) {
  memset(envelope, 0, sizeof *envelope);
  const double hold = times[2] + times[6] * (60 - key), decay = times[3] + times[7] * (60 - key);
  const int attack_count = 1 + (int)quanta(times[1]), decay_count = (int)(quanta(decay) + 0.5);
  const float sustain = fmin(1, fmax(0, 1 - 0.001 * times[4]));
  envelope->sections[0] = (Section){(int)quanta(times[0]), 0, -1, 1};
  envelope->sections[1] = (Section){attack_count, 1.0f / attack_count, -1, 1};
  envelope->sections[2] = (Section){(int)(quanta(hold) + 0.5), 0, -1, 2};
  envelope->sections[3] =
      (Section){decay_count, decay_count ? -1.0f / decay_count : 0, sustain, 2};
  envelope->sections[4] = (Section){INT32_MAX, 0, -1, 2};
}

static inline void move_envelope(Envelope *envelope) {
  Section *section = &envelope->sections[envelope->section];
  while (envelope->count >= section->count) {
    if (envelope->section == 3) envelope->value = section->least;
    section = &envelope->sections[++envelope->section];
    envelope->count = 0;
  }
  const float value = envelope->value + section->step;
  envelope->count++;
  if (value < section->least || value > section->most) {
    envelope->section++;
    envelope->count = 0;
  }
  envelope->value = fminf(section->most, fmaxf(section->least, value));
}

static inline void move_oscillator(Oscillator *oscillator, int frames) {
  if (frames < oscillator->delay) return;
  oscillator->value += oscillator->step;
  if (fabsf(oscillator->value) <= 1) return;
  oscillator->step = -oscillator->step;
  oscillator->value = copysignf(2, oscillator->value) - oscillator->value;
}

static void set_filter(Group *group, int lane, const Control *control, double cents) {
  const double cutoff = fmin(hertz(fmin(13500, fmax(1500, cents))), 0.45 * rate);
  const double omega = 2 * M_PI * cutoff / rate, alpha = sin(omega) / (2 * control->damping);
  const double share = 1 / (1 + alpha);
  group->a1[lane] = -2 * cos(omega) * share;
  group->a2[lane] = (1 - alpha) * share;
  group->b1[lane] = (1 - cos(omega)) * share * control->filter_gain;
  group->b02[lane] = group->b1[lane] / 2;
}

/// Moves what changes once a quantum.
static inline void move(Group *group, int lane, Control *control) {
  move_envelope(&control->volume);
  move_envelope(&control->modulation);
  move_oscillator(&control->slow, control->frames);
  move_oscillator(&control->vibrato, control->frames);
  control->frames += QUANTUM;
  const Envelope *volume = &control->volume;
  const float tremolo = -control->slow.value * control->slow_to_volume;
  const float target =
      volume->section == 0   ? 0
      : volume->section == 1 ? factor(control->attenuation) * factor(tremolo) * volume->value
                             : factor(control->attenuation)
                                   * factor(960 * (1 - volume->value) + tremolo);
  group->level[lane] = control->is_ready;
  group->level_rise[lane] = control->is_ready ? 0 : 1.0f / QUANTUM;
  group->amplitude[lane] = control->amplitude;
  group->rise[lane] = (target - control->amplitude) / QUANTUM;
  control->amplitude = target;
  if (!control->is_ready || control->slow_to_pitch != 0 || control->vibrato_to_pitch != 0
      || control->envelope_to_pitch != 0) {
    const float pitch = control->pitch + control->slow.value * control->slow_to_pitch
                        + control->vibrato.value * control->vibrato_to_pitch
                        + control->modulation.value * control->envelope_to_pitch;
    const double step = hertz(pitch) / control->root_hertz;
    group->step[lane] = (int)step;
    group->part_step[lane] = (int)((step - (int)step) * (1 << 24));
  }
  if (!control->is_ready || control->slow_to_filter != 0 || control->envelope_to_filter != 0) {
    set_filter(group, lane, control,
               control->filter + control->slow.value * control->slow_to_filter
                   + control->modulation.value * control->envelope_to_filter);
  }
  control->is_ready = 1;
}

/// A sample and its three neighbours; behind the end of a loop they are those of its start.
static inline long long neighbours(const int16_t *samples, const Group *group, int lane, int index) {
  long long four;
  if (__builtin_expect(index + 2 < group->loop_end[lane], 1)) {
    memcpy(&four, samples + index - 1, sizeof four);
    return four;
  }
  int16_t parts[4];
  for (int part = 0; part < 4; part++) {
    const int place = index - 1 + part;
    parts[part] = samples[place >= group->loop_end[lane] ? place - group->loop[lane] : place];
  }
  memcpy(&four, parts, sizeof four);
  return four;
}

#define FLOATS(field) _mm256_load_ps(group->field)
#define INTEGERS(field) _mm256_load_si256((const __m256i *)group->field)
#define LOW(pairs) _mm256_cvtepi32_ps(_mm256_srai_epi32(_mm256_slli_epi32(pairs, 16), 16))
#define HIGH(pairs) _mm256_cvtepi32_ps(_mm256_srai_epi32(pairs, 16))

/// Adds a quantum of eight voices to four registers a frame: left, right, reverb, chorus.
static void render(Group *group, const int16_t *samples, __m256 *sums) {
  __m256i index = INTEGERS(index), part = INTEGERS(part);
  const __m256i step = INTEGERS(step), part_step = INTEGERS(part_step), loop = INTEGERS(loop);
  const __m256i last = _mm256_sub_epi32(INTEGERS(loop_end), _mm256_set1_epi32(1));
  const __m256i below_one = _mm256_set1_epi32((1 << 24) - 1);
  __m256 amplitude = FLOATS(amplitude), h1 = FLOATS(h1), h2 = FLOATS(h2), level = FLOATS(level);
  const __m256 level_rise = FLOATS(level_rise);
  const __m256 rise = FLOATS(rise), b02 = FLOATS(b02), b1 = FLOATS(b1), a1 = FLOATS(a1);
  const __m256 a2 = FLOATS(a2), left = FLOATS(left), right = FLOATS(right);
  const __m256 reverb = FLOATS(reverb), chorus = FLOATS(chorus);
  const __m256 half = _mm256_set1_ps(0.5f), whole = _mm256_set1_ps(1.0f / (1 << 24));
  for (int frame = 0; frame < QUANTUM; frame++, sums += 4) {
    _Alignas(32) int32_t at[LANES];
    _mm256_store_si256((__m256i *)at, index);
#define FOUR(lane) neighbours(samples, group, lane, at[lane])
    // In this order the halves of both come together as lanes 0 to 7.
    const __m256i even = _mm256_set_epi64x(FOUR(5), FOUR(4), FOUR(1), FOUR(0));
    const __m256i odd = _mm256_set_epi64x(FOUR(7), FOUR(6), FOUR(3), FOUR(2));
    const __m256 first = _mm256_castsi256_ps(even), second = _mm256_castsi256_ps(odd);
    const __m256i early = _mm256_castps_si256(_mm256_shuffle_ps(first, second, 0x88));
    const __m256i late = _mm256_castps_si256(_mm256_shuffle_ps(first, second, 0xDD));
    const __m256 s0 = LOW(early), s1 = HIGH(early), s2 = LOW(late), s3 = HIGH(late);
    // The cubic through the two in the middle, with the slopes of their neighbours; FluidSynth's
    // table has 256 places between two samples.
    const __m256 x = _mm256_mul_ps(
        _mm256_cvtepi32_ps(_mm256_and_si256(part, _mm256_set1_epi32(0xFF0000))), whole);
    const __m256 fall = _mm256_sub_ps(s1, s2);
    const __m256 c1 = _mm256_mul_ps(half, _mm256_sub_ps(s2, s0));
    const __m256 c3 = _mm256_fmadd_ps(
        half, _mm256_sub_ps(s3, s0), _mm256_mul_ps(_mm256_set1_ps(1.5f), fall));
    const __m256 c2 = _mm256_sub_ps(_mm256_setzero_ps(), _mm256_add_ps(fall, _mm256_add_ps(c1, c3)));
    __m256 sound = _mm256_fmadd_ps(_mm256_fmadd_ps(_mm256_fmadd_ps(c3, x, c2), x, c1), x, s1);
    sound = _mm256_mul_ps(sound, amplitude);
    amplitude = _mm256_add_ps(amplitude, rise);
    const __m256 centre = _mm256_fnmadd_ps(a1, h1, _mm256_fnmadd_ps(a2, h2, sound));
    sound = _mm256_fmadd_ps(b02, _mm256_add_ps(centre, h2), _mm256_mul_ps(b1, h1));
    sound = _mm256_mul_ps(sound, level);
    level = _mm256_add_ps(level, level_rise);
    h2 = h1;
    h1 = centre;
    sums[0] = _mm256_fmadd_ps(sound, left, sums[0]);
    sums[1] = _mm256_fmadd_ps(sound, right, sums[1]);
    sums[2] = _mm256_fmadd_ps(sound, reverb, sums[2]);
    sums[3] = _mm256_fmadd_ps(sound, chorus, sums[3]);
    part = _mm256_add_epi32(part, part_step);
    index = _mm256_add_epi32(index, _mm256_add_epi32(step, _mm256_srli_epi32(part, 24)));
    part = _mm256_and_si256(part, below_one);
    index = _mm256_sub_epi32(index, _mm256_and_si256(_mm256_cmpgt_epi32(index, last), loop));
  }
  _mm256_store_si256((__m256i *)group->index, index);
  _mm256_store_si256((__m256i *)group->part, part);
  _mm256_store_ps(group->h1, h1);
  _mm256_store_ps(group->h2, h2);
}

static void strike(Group *group, int lane, Control *control, const Note *note) {
  const float *g = note->generators;
  const double root = 100.0 * (g[ROOT_KEY] >= 0 ? g[ROOT_KEY] : note->root) - note->correction;
  control->root_hertz = hertz(root) * rate / note->sample_rate;
  control->pitch = g[SCALE] / 100 * (note->key * 100 - root) + root + g[COARSE_TUNE] * 100
                   + g[FINE_TUNE];
  // FluidSynth counts two fifths of an attenuation, as the EMU8000 did; and its curves for velocity,
  // volume and expression are 1.36 cB down at 127.
  control->attenuation = fmaxf(0, g[ATTENUATION] * 0.4f) + 3 * 1.36f;
  begin_envelope(&control->volume, g + VOL_ENV, note->key);
  begin_envelope(&control->modulation, g + MOD_ENV, note->key);
  control->slow.delay = QUANTUM * quanta(g[MOD_LFO_DELAY]);
  control->slow.step = 4 * QUANTUM * hertz(g[MOD_LFO_RATE]) / rate;
  control->vibrato.delay = QUANTUM * quanta(g[VIB_LFO_DELAY]);
  control->vibrato.step = 4 * QUANTUM * hertz(g[VIB_LFO_RATE]) / rate;
  control->slow_to_pitch = g[MOD_LFO_TO_PITCH];
  control->vibrato_to_pitch = g[VIB_LFO_TO_PITCH];
  control->envelope_to_pitch = g[MOD_ENV_TO_PITCH];
  control->slow_to_filter = g[MOD_LFO_TO_FILTER];
  control->envelope_to_filter = g[MOD_ENV_TO_FILTER];
  control->slow_to_volume = g[MOD_LFO_TO_VOLUME];
  control->filter = g[FILTER];
  control->damping = pow(10, (g[RESONANCE] / 10 - 3.01) / 20);
  control->filter_gain = 1 / sqrt(control->damping);
  group->index[lane] = note->start;
  group->loop_end[lane] = note->loop_end;
  group->loop[lane] = note->loop_end - note->loop_start;
  const double unit = 0.2 / 32768, place = fmin(500, fmax(-500, g[PAN]));
  group->left[lane] = sin((500 - place) / 1000 * M_PI / 2) * unit;
  group->right[lane] = sin((500 + place) / 1000 * M_PI / 2) * unit;
  group->reverb[lane] = g[REVERB] / 1000 * unit;
  group->chorus[lane] = g[CHORUS] / 1000 * unit;
}

static float total(__m256 lanes) {
  float sum = 0;
  for (int lane = 0; lane < LANES; lane++) sum += lanes[lane];
  return sum;
}

static double now(void) {
  struct timespec time;
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
  return time.tv_sec * 1e9 + time.tv_nsec;
}

int main(int count, char **arguments) {
  static Note notes[2048];
  if (count != 5) return 64;
  FILE *file = fopen(arguments[4], "rb");
  const int font = open(arguments[3], O_RDONLY);
  struct stat status;
  if (!file || font < 0 || fstat(font, &status) != 0) return 66;
  const int note_count = (int)fread(notes, sizeof(Note), 2048, file);
  fclose(file);
  const char *bytes = mmap(0, status.st_size, PROT_READ, MAP_PRIVATE, font, 0);
  if (bytes == MAP_FAILED || note_count == 0) return 66;
  const int16_t *samples = (const int16_t *)(bytes + notes[0].base);
  for (int index = 0; index < 1442; index++) factors[index] = pow(10, -index / 200.0);
  const int group_count = (note_count + LANES - 1) / LANES, length = atoi(arguments[2]);
  Group *groups = aligned_alloc(64, group_count * sizeof(Group));
  Control *controls = calloc(group_count * LANES, sizeof(Control));
  float *left = calloc(length * QUANTUM, sizeof(float));
  float *right = calloc(length * QUANTUM, sizeof(float));
  if (!groups || !controls || !left || !right) return 71;
  memset(groups, 0, group_count * sizeof(Group));
  for (int index = 0; index < note_count; index++)
    strike(groups + index / LANES, index % LANES, controls + index, notes + index);
  static __m256 sums[4 * QUANTUM];
  const double start = now();
  for (int quantum = 0; quantum < length; quantum++) {
    memset(sums, 0, sizeof sums);
    for (int group = 0; group < group_count; group++) {
      for (int lane = 0; lane < LANES && group * LANES + lane < note_count; lane++)
        move(groups + group, lane, controls + group * LANES + lane);
      render(groups + group, samples, sums);
    }
    for (int frame = 0; frame < QUANTUM; frame++) {
      left[quantum * QUANTUM + frame] = total(sums[4 * frame]);
      right[quantum * QUANTUM + frame] = total(sums[4 * frame + 1]);
    }
  }
  printf("%f\n", (now() - start) / length / note_count);
  FILE *output = fopen(arguments[1], "wb");
  if (!output) return 73;
  fwrite(left, sizeof(float), length * QUANTUM, output);
  fwrite(right, sizeof(float), length * QUANTUM, output);
  return fclose(output);
}
