// SPDX-License-Identifier: Apache-2.0
// A quantum of eight voices: their samples and filters, one frame of all eight at a time; then
// their sum, eight frames of each voice at a time.
#include <string.h>

#include "VoiceControl.h"
#include "VoicePlan.h"

#define INLINE static inline __attribute__((always_inline))
#define VECTOR __attribute__((vector_size(32)))

typedef float lanes VECTOR;
typedef int32_t flags VECTOR;
typedef uint32_t places VECTOR;
typedef int64_t pairs VECTOR;
typedef float loose __attribute__((vector_size(32), aligned(4)));

#define LOAD(field) (*(const places *)group->field)
#define REAL(field) (*(const lanes *)group->field)
#define CHOOSE(flag, yes, no) (((yes) & (places)(flag)) | ((no) & ~(places)(flag)))
#define CHOOSE_REAL(flag, yes, no) ((lanes)CHOOSE(flag, (places)(yes), (places)(no)))
#define EACH(value) ((value) - (lanes){0})
/// Magnitudes.
#define SIZE(numbers) ((lanes)((places)(numbers) & 0x7FFFFFFF))
/// Sets tiny numbers to 0, because calculations with them are slow, and also huge numbers, which a
/// filter with extreme resonance produces when its cutoff jumps.
#define NORMAL(numbers)                                                                           \
  ((lanes)((places)(numbers)                                                                      \
           & (places)((SIZE(numbers) > 1e-20f) & (SIZE(numbers) < 1e20f))))
#define IS_ANY(flag) (__builtin_reduce_or((flags)(flag)) != 0)

INLINE int64_t four(const int16_t *samples, uint32_t index) {
  int64_t all;
  memcpy(&all, samples + index - 1, sizeof all);
  return all;
}

/// The number of frames that are read, then filtered: a small number, so that each hides the
/// latency of the other.
enum { STRETCH = 8 };

/// The state that changes with each frame that is read.
typedef struct {
  places index, part, low, span;
} Reading;

/// The value of the lower bytes of the lanes' samples, for one of the four neighbours, 0…3.
#define LOW_PARTS(place)                                                                          \
  (__builtin_convertvector((flags)(*(places *)low_fours >> 8 * (place) & 0xFF), lanes)            \
   * (1.0f / 256))

/// Reads interpolated frames of all lanes; `has_edges` if some of them may be at an end.
INLINE void read(
    CVoiceGroup *group, CVoice *voices, const int16_t *samples, const uint8_t *low_bytes,
    lanes *sounds, int start, int stop, const flags *mask, const places *steps,
    const places *part_steps, Reading *reading, const int has_edges) {
  const places step_and_one = *steps + 1, part_step = *part_steps;
  places index = reading->index, part = reading->part;
  for (int frame = start; frame < stop; frame++) {
    _Alignas(32) uint32_t at[CVOICES_LANES];
    *(places *)at = index;
    // Through memory, because eight loads are faster than splitting a register.
    __asm__("" : "+m"(at));
    pairs even, odd;
    _Alignas(32) uint32_t low_fours[CVOICES_LANES];
    if (has_edges && IS_ANY(index - reading->low >= reading->span)) {
      _Alignas(32) int32_t edges[CVOICES_LANES];
      int64_t all[CVOICES_LANES];
      *(flags *)edges = index - reading->low >= reading->span;
      cvoices_read_edges(group, voices, samples, low_bytes, at, edges, all, low_fours);
      index = *(places *)at;
      reading->low = CHOOSE(*mask, LOAD(low), LOAD(park));
      reading->span = CHOOSE(*mask, LOAD(span), ~(places){0});
      even = (pairs){all[0], all[1], all[4], all[5]};
      odd = (pairs){all[2], all[3], all[6], all[7]};
    } else {
      // In this order the halves of both combine to lanes 0 to 7.
      even = (pairs){four(samples, at[0]), four(samples, at[1]), four(samples, at[4]),
                     four(samples, at[5])};
      odd = (pairs){four(samples, at[2]), four(samples, at[3]), four(samples, at[6]),
                    four(samples, at[7])};
      for (int lane = 0; low_bytes && lane < CVOICES_LANES; lane++)
        memcpy(low_fours + lane, low_bytes + at[lane] - 1, sizeof *low_fours);
    }
    const flags early =
        __builtin_shufflevector((flags)even, (flags)odd, 0, 2, 8, 10, 4, 6, 12, 14);
    const flags late = __builtin_shufflevector((flags)even, (flags)odd, 1, 3, 9, 11, 5, 7, 13, 15);
    lanes s0 = __builtin_convertvector((flags)((places)early << 16) >> 16, lanes);
    lanes s1 = __builtin_convertvector(early >> 16, lanes);
    lanes s2 = __builtin_convertvector((flags)((places)late << 16) >> 16, lanes);
    lanes s3 = __builtin_convertvector(late >> 16, lanes);
    if (low_bytes) {
      s0 += LOW_PARTS(0);
      s1 += LOW_PARTS(1);
      s2 += LOW_PARTS(2);
      s3 += LOW_PARTS(3);
    }
    // The cubic through the two middle samples, with the slopes of their neighbours, at one of 256
    // positions between them.
    const lanes x = __builtin_convertvector((flags)(part >> 24), lanes) * (1.0f / 256);
    const lanes fall = s1 - s2;
    const lanes c1 = 0.5f * (s2 - s0);
    const lanes c3 = 0.5f * (s3 - s0) + 1.5f * fall;
    const lanes c2 = fall + (c1 + c3);
    sounds[frame] = ((c3 * x - c2) * x + c1) * x + s1;
    part += part_step;
    // Without a carry, one is subtracted again.
    index += step_and_one + (places)(part >= part_step);
  }
  reading->index = index;
  reading->part = part;
}

#include "VoiceFilter.h"
#include "VoiceSinc.h"

/// Renders frames of all lanes.
///
/// Lanes without a bit in `mask` are silent and keep their state.
INLINE void run(
    CVoiceGroup *group, CVoice *voices, const int16_t *samples, const uint8_t *low_bytes,
    const CVoiceKernels *kernels, lanes *sounds, int from, int to, uint32_t mask, uint32_t glides,
    uint32_t loud) {
  const places bits = {1, 2, 4, 8, 16, 32, 64, 128};
  const flags on = (bits & mask) != 0;
  const flags is_loud = (bits & loud) != 0;
  const places step = LOAD(step) & (places)on, part_step = LOAD(part_step) & (places)on;
  Reading reading = {
      CHOOSE(on, LOAD(index), LOAD(park)), LOAD(part), CHOOSE(on, LOAD(low), LOAD(park)),
      CHOOSE(on, LOAD(span), ~(places){0})};
  // The output of a disabled lane's state is silent and discarded.
  const lanes rise = (lanes)(LOAD(rise) & (places)on);
  Filtering filtering = {
      REAL(c), REAL(k), REAL(b), REAL(c_rise), REAL(k_rise), REAL(b_rise), REAL(pull), REAL(bound),
      NORMAL(REAL(h)), NORMAL(REAL(d)), REAL(came), REAL(pair),
      (lanes)(LOAD(amplitude) & (places)on) + rise * (float)from, rise};
  if (glides) {
    filtering.c += filtering.c_rise * (float)from;
    filtering.k += filtering.k_rise * (float)from;
    filtering.b += filtering.b_rise * (float)from;
  }
  const places old_part = reading.part;
  if (kernels)
    read_best(group, voices, samples, low_bytes, kernels, sounds, from, to, mask);
  for (int start = from; start < to; start += STRETCH) {
    const int stop = start + STRETCH < to ? start + STRETCH : to;
    const places last = reading.index + step * STRETCH + STRETCH;
    if (kernels) {
      // Already read.
    } else if (IS_ANY((reading.index - reading.low >= reading.span)
               | (last - reading.low >= reading.span))) {
      read(group, voices, samples, low_bytes, sounds, start, stop, &on, &step, &part_step,
           &reading, 1);
    } else {
      read(group, voices, samples, low_bytes, sounds, start, stop, &on, &step, &part_step,
           &reading, 0);
    }
    if (glides && loud)
      filter(sounds, start, stop, &filtering, &is_loud, 1, 1);
    else if (glides)
      filter(sounds, start, stop, &filtering, &is_loud, 1, 0);
    else if (loud)
      filter(sounds, start, stop, &filtering, &is_loud, 0, 1);
    else
      filter(sounds, start, stop, &filtering, &is_loud, 0, 0);
  }
  *(lanes *)group->h = CHOOSE_REAL(on, filtering.h, REAL(h));
  *(lanes *)group->d = CHOOSE_REAL(on, filtering.d, REAL(d));
  *(lanes *)group->came = CHOOSE_REAL(on, filtering.came, REAL(came));
  *(lanes *)group->pair = CHOOSE_REAL(on, filtering.pair, REAL(pair));
  if (kernels) return;
  *(places *)group->part = CHOOSE(on, reading.part, old_part);
  *(places *)group->index = CHOOSE(on, reading.index, LOAD(index));
  if (!IS_ANY(reading.index - reading.low >= reading.span)) return;
  const places last = reading.index - step - 1 - (places)(reading.part >= part_step);
  for (int lane = 0; lane < CVOICES_LANES; lane++) {
    if (mask >> lane & 1) cvoices_return(voices + group->voices[lane], group, lane, last[lane]);
  }
}

/// Transposes eight frames of eight lanes to eight lanes of eight frames.
INLINE void turn(const lanes *sounds, lanes *turned) {
  lanes pair[8], four[8];
  for (int index = 0; index < 4; index++) {
    const lanes a = sounds[2 * index], b = sounds[2 * index + 1];
    pair[2 * index] = __builtin_shufflevector(a, b, 0, 8, 1, 9, 4, 12, 5, 13);
    pair[2 * index + 1] = __builtin_shufflevector(a, b, 2, 10, 3, 11, 6, 14, 7, 15);
  }
  for (int half = 0; half < 2; half++) {
    for (int index = 0; index < 2; index++) {
      const lanes a = pair[4 * half + index], b = pair[4 * half + index + 2];
      four[4 * half + 2 * index] = __builtin_shufflevector(a, b, 0, 1, 8, 9, 4, 5, 12, 13);
      four[4 * half + 2 * index + 1] = __builtin_shufflevector(a, b, 2, 3, 10, 11, 6, 7, 14, 15);
    }
  }
  for (int index = 0; index < 4; index++) {
    const lanes a = four[index], b = four[index + 4];
    turned[index] = __builtin_shufflevector(a, b, 0, 1, 2, 3, 8, 9, 10, 11);
    turned[index + 4] = __builtin_shufflevector(a, b, 4, 5, 6, 7, 12, 13, 14, 15);
  }
}

/// Adds a quantum of the lanes in `mask`.
///
/// Lanes in `moving` have changing gains, and lanes in `sends` are added to all targets.
/// Consecutive lanes of one bus are added in registers.
INLINE void mix(
    const lanes *sounds, const Mix *mixes, uint32_t mask, uint32_t moving, uint32_t sends,
    float *reverb, float *chorus) {
  const Mix *const first = mixes + __builtin_ctz(mask);
  for (int frame = 0; frame < CVOICES_QUANTUM; frame += 8) {
    lanes turned[CVOICES_LANES];
    turn(sounds + frame, turned);
    float *left = first->left, *right = first->right;
    lanes sums[CVOICES_TARGETS] = {*(loose *)(left + frame), *(loose *)(right + frame)};
    if (sends) {
      sums[2] = *(loose *)(reverb + frame);
      sums[3] = *(loose *)(chorus + frame);
    }
    const lanes frames = (float)frame + (lanes){0, 1, 2, 3, 4, 5, 6, 7};
#pragma clang loop unroll(full)
    for (int lane = 0; lane < CVOICES_LANES; lane++) {
      if (!(mask >> lane & 1)) continue;
      const lanes sound = turned[lane];
      const Mix *const own = mixes + lane;
      if (own->left != left) {
        *(loose *)(left + frame) = sums[0];
        *(loose *)(right + frame) = sums[1];
        left = own->left;
        right = own->right;
        sums[0] = *(loose *)(left + frame);
        sums[1] = *(loose *)(right + frame);
      }
      if (__builtin_expect(moving >> lane & 1, 0)) {
        sums[0] += sound * (own->gains[0] + own->rises[0] * frames);
        sums[1] += sound * (own->gains[1] + own->rises[1] * frames);
        if (!(sends >> lane & 1)) continue;
        sums[2] += sound * (own->gains[2] + own->rises[2] * frames);
        sums[3] += sound * (own->gains[3] + own->rises[3] * frames);
        continue;
      }
      sums[0] += sound * own->gains[0];
      sums[1] += sound * own->gains[1];
      if (!(sends >> lane & 1)) continue;
      sums[2] += sound * own->gains[2];
      sums[3] += sound * own->gains[3];
    }
    *(loose *)(left + frame) = sums[0];
    *(loose *)(right + frame) = sums[1];
    if (sends) {
      *(loose *)(reverb + frame) = sums[2];
      *(loose *)(chorus + frame) = sums[3];
    }
  }
}

/// Adds a quantum of the lanes with a bit in `plan->seconds` to their second buses.
INLINE void send(const lanes *sounds, const Plan *plan) {
  for (uint32_t left = plan->seconds; left; left &= left - 1) {
    const int lane = __builtin_ctz(left);
    const Mix *const own = plan->mixes + lane;
    for (int frame = 0; frame < CVOICES_QUANTUM; frame++) {
      const float place = (float)frame;
      const float sound = sounds[frame][lane] * (own->send + own->send_rise * place);
      own->send_left[frame] += sound * (own->gains[0] + own->rises[0] * place);
      own->send_right[frame] += sound * (own->gains[1] + own->rises[1] * place);
    }
  }
}

INLINE void render(
    CVoiceGroup *group, CVoice *voices, const int16_t *samples, const uint8_t *low_bytes,
    const CVoiceTables *tables, const CVoiceKernels *kernels, long quantum_count,
    float *const *dry, float *reverb, float *chorus) {
  lanes sounds[CVOICES_QUANTUM];
  Plan plan;
  for (long frame = 0; frame < quantum_count * CVOICES_QUANTUM; frame += CVOICES_QUANTUM) {
    if (!(group->taken & ~group->ended)) break;
    cvoices_plan(group, voices, tables, reverb != 0, &plan);
    if (!plan.on) continue;
    // A windowed sinc overshoots more than a cubic; in comparison, limiting is cheap.
    if (kernels) plan.loud = plan.on;
    for (int from = 0; from < CVOICES_QUANTUM;) {
      const uint64_t later = plan.cuts >> from >> 1;
      const int to = later ? from + 1 + __builtin_ctzll(later) : CVOICES_QUANTUM;
      uint32_t mask = plan.on;
      for (int lane = 0; plan.cuts && lane < CVOICES_LANES; lane++) {
        if (plan.on >> lane & 1 && (from < plan.begins[lane] || from >= plan.ends[lane]))
          mask &= ~(1u << lane);
      }
      run(group, voices, samples, low_bytes, kernels, sounds, from, to, mask, plan.glides,
          plan.loud);
      from = to;
    }
    for (uint32_t left = plan.on; left; left &= left - 1) {
      const int lane = __builtin_ctz(left);
      const int bus = voices[group->voices[lane]].bus;
      plan.mixes[lane].left = dry[2 * bus] + frame;
      plan.mixes[lane].right = dry[2 * bus + 1] + frame;
    }
    if (__builtin_expect(plan.seconds != 0, 0)) {
      for (uint32_t left = plan.seconds; left; left &= left - 1) {
        const int lane = __builtin_ctz(left);
        const int bus = voices[group->voices[lane]].send_bus;
        plan.mixes[lane].send_left = dry[2 * bus] + frame;
        plan.mixes[lane].send_right = dry[2 * bus + 1] + frame;
      }
      send(sounds, &plan);
    }
    mix(sounds, plan.mixes, plan.on, plan.moving, plan.sends, reverb ? reverb + frame : 0,
        chorus ? chorus + frame : 0);
  }
}

typedef void Render(
    CVoiceGroup *, CVoice *, const int16_t *, const uint8_t *, const CVoiceTables *,
    const CVoiceKernels *, long, float *const *, float *, float *);

/// The loops for 16-bit samples, for samples with lower bytes, and for both with a windowed sinc.
typedef struct {
  Render *words, *long_words, *best;
} Loops;

#define RENDER(name, attributes, low_bytes, kernels)                                              \
  attributes static void name(                                                                    \
      CVoiceGroup *group, CVoice *voices, const int16_t *samples, const uint8_t *bytes,           \
      const CVoiceTables *tables, const CVoiceKernels *sincs, long quantum_count,                 \
      float *const *dry, float *reverb, float *chorus) {                                          \
    (void)bytes, (void)sincs;                                                                     \
    render(group, voices, samples, low_bytes, tables, kernels, quantum_count, dry, reverb,        \
           chorus);                                                                               \
  }

RENDER(render_words, , 0, 0)
RENDER(render_long_words, , bytes, 0)
RENDER(render_best, , bytes, sincs)
static const Loops plain = {render_words, render_long_words, render_best};
static Loops chosen = {render_words, render_long_words, render_best};

#if defined(__x86_64__)
RENDER(render_words_wide, __attribute__((target("avx2"))), 0, 0)
RENDER(render_long_words_wide, __attribute__((target("avx2"))), bytes, 0)
RENDER(render_best_wide, __attribute__((target("avx2"))), bytes, sincs)
static const Loops wide = {render_words_wide, render_long_words_wide, render_best_wide};

static int is_wide_here(void) {
  __builtin_cpu_init();
  return __builtin_cpu_supports("avx2") != 0;
}
#else
#define wide plain
static int is_wide_here(void) { return 0; }
#endif

int cvoices_choose(int kind) {
  if (kind && !is_wide_here()) return 0;
  chosen = kind ? wide : plain;
  return 1;
}

// Runs before any thread starts.
__attribute__((constructor)) static void choose(void) { cvoices_choose(1); }

void cvoices_render(
    CVoiceGroup *group, CVoice *voices, const int16_t *samples, const uint8_t *low_bytes,
    const CVoiceTables *tables, const CVoiceKernels *kernels, long quantum_count,
    float *const *dry, float *reverb, float *chorus) {
  (kernels ? chosen.best : low_bytes ? chosen.long_words : chosen.words)(
      group, voices, samples, low_bytes, tables, kernels, quantum_count, dry, reverb, chorus);
}
