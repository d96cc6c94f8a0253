// SPDX-License-Identifier: Apache-2.0
// A quantum of eight voices: their samples and what filters them, a frame of all eight at a time;
// then their sum, eight frames of each voice at a time.
#include <math.h>
#include <string.h>

#include "VoiceControl.h"

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
#define IS_ANY(flag) (__builtin_reduce_or((flags)(flag)) != 0)

/// Brings a place behind the end of a loop back into it.
static void wrap(CVoice *voice, uint32_t *index) {
  if (!voice->loops || (int32_t)*index < voice->loop_end) return;
  const uint32_t length = voice->loop_end - voice->loop_start;
  *index = voice->loop_start + (*index - voice->loop_start) % length;
  voice->has_looped = 1;
}

/// A sample and its three neighbours where some of them lie beyond an end: in a loop they are those
/// of its other end, else the last there is.
static int64_t edge(const int16_t *samples, CVoice *voice, uint32_t *index) {
  wrap(voice, index);
  const int32_t at = *index;
  int16_t four[4] = {0, samples[at], 0, 0};
  if (voice->has_looped)
    four[0] = samples[at == voice->loop_start ? voice->loop_end - 1 : at - 1];
  else
    four[0] = samples[at == voice->start ? at : at - 1];
  for (int next = 1; next < 3; next++) {
    int32_t place = at + next;
    if (voice->loops && place >= voice->loop_end)
      place = voice->loop_start + (place - voice->loop_end);
    else if (!voice->loops && place > voice->end)
      place = voice->end;
    four[1 + next] = samples[place];
  }
  int64_t all;
  memcpy(&all, four, sizeof all);
  return all;
}

/// The same for all lanes, of which some are at an edge.
static __attribute__((noinline)) void read_edges(
    CVoiceGroup *group, CVoice *voices, const int16_t *samples, uint32_t *index,
    const int32_t *is_edge, int64_t *fours) {
  for (int lane = 0; lane < CVOICES_LANES; lane++) {
    if (is_edge[lane]) {
      CVoice *voice = voices + group->voices[lane];
      fours[lane] = edge(samples, voice, index + lane);
      bound_lane(voice, group, lane);
    } else {
      memcpy(fours + lane, samples + index[lane] - 1, sizeof *fours);
    }
  }
}

INLINE int64_t four(const int16_t *samples, uint32_t index) {
  int64_t all;
  memcpy(&all, samples + index - 1, sizeof all);
  return all;
}

/// Frames of all lanes, those without a bit in `on` silent and as they were; `glide`: 0 where no
/// filter moves, 2 where one moves far, and its memory with it.
INLINE void run(
    CVoiceGroup *group, CVoice *voices, const int16_t *samples, lanes *sounds, int from, int to,
    uint32_t mask, uint32_t jumps, const int glide) {
  const places bits = {1, 2, 4, 8, 16, 32, 64, 128};
  const flags on = (bits & mask) != 0;
  const flags is_jumping = (bits & jumps) != 0;
  const places park = LOAD(park), everywhere = ~(places){0};
  const places step = LOAD(step) & (places)on, part_step = LOAD(part_step) & (places)on;
  places index = CHOOSE(on, LOAD(index), park), part = LOAD(part);
  places low = CHOOSE(on, LOAD(low), park), span = CHOOSE(on, LOAD(span), everywhere);
  const lanes rise = REAL(rise), a2_rise = REAL(a2_rise), k_rise = REAL(k_rise);
  const lanes b_rise = REAL(b_rise);
  lanes amplitude = REAL(amplitude) + rise * (float)from;
  lanes a2 = REAL(a2), k = REAL(k), b = REAL(b);
  if (glide) {
    a2 += a2_rise * (float)from;
    k += k_rise * (float)from;
    b += b_rise * (float)from;
  }
  lanes h = REAL(h), d = REAL(d);
  h = (lanes)((places)h & (places)((h > 1e-20f) | (h < -1e-20f)));
  d = (lanes)((places)d & (places)((d > 1e-20f) | (d < -1e-20f)));
  const lanes old_h = h, old_d = d;
  const places old_part = part;
  for (int frame = from; frame < to; frame++) {
    _Alignas(32) uint32_t at[CVOICES_LANES];
    *(places *)at = index;
    pairs even, odd;
    const flags is_edge = index - low >= span;
    if (__builtin_expect(!IS_ANY(is_edge), 1)) {
      // In this order the halves of both come together as lanes 0 to 7.
      even = (pairs){four(samples, at[0]), four(samples, at[1]), four(samples, at[4]),
                     four(samples, at[5])};
      odd = (pairs){four(samples, at[2]), four(samples, at[3]), four(samples, at[6]),
                    four(samples, at[7])};
    } else {
      _Alignas(32) int32_t edges[CVOICES_LANES];
      int64_t all[CVOICES_LANES];
      *(flags *)edges = is_edge;
      read_edges(group, voices, samples, at, edges, all);
      index = *(places *)at;
      low = CHOOSE(on, LOAD(low), park);
      span = CHOOSE(on, LOAD(span), everywhere);
      even = (pairs){all[0], all[1], all[4], all[5]};
      odd = (pairs){all[2], all[3], all[6], all[7]};
    }
    const flags early =
        __builtin_shufflevector((flags)even, (flags)odd, 0, 2, 8, 10, 4, 6, 12, 14);
    const flags late = __builtin_shufflevector((flags)even, (flags)odd, 1, 3, 9, 11, 5, 7, 13, 15);
    const lanes s0 = __builtin_convertvector((flags)((places)early << 16) >> 16, lanes);
    const lanes s1 = __builtin_convertvector(early >> 16, lanes);
    const lanes s2 = __builtin_convertvector((flags)((places)late << 16) >> 16, lanes);
    const lanes s3 = __builtin_convertvector(late >> 16, lanes);
    // The cubic through the two in the middle, with the slopes of their neighbours, at one of 256
    // places between them.
    const lanes x = __builtin_convertvector((flags)(part >> 24), lanes) * (1.0f / 256);
    const lanes fall = s1 - s2;
    const lanes c1 = 0.5f * (s2 - s0);
    const lanes c3 = 0.5f * (s3 - s0) + 1.5f * fall;
    const lanes c2 = fall + (c1 + c3);
    const lanes sound = (((c3 * x - c2) * x + c1) * x + s1) * amplitude;
    amplitude += rise;
    const lanes move = sound + a2 * d - k * h;
    sounds[frame] = (lanes)((places)(b * (4.0f * h + (move - d))) & (places)on);
    h += move;
    d = move;
    if (glide) {
      const lanes old = b;
      a2 += a2_rise;
      k += k_rise;
      b += b_rise;
      if (glide == 2) {
        const lanes scale =
            CHOOSE_REAL(is_jumping & (b > 0.001f), old / b, EACH(1.0f));
        h *= scale;
        d *= scale;
      }
    }
    part += part_step;
    index += step - (places)(part < part_step);
  }
  *(places *)group->part = CHOOSE(on, part, old_part);
  *(lanes *)group->h = CHOOSE_REAL(on, h, old_h);
  *(lanes *)group->d = CHOOSE_REAL(on, d, old_d);
  *(places *)group->index = CHOOSE(on, index, LOAD(index));
  if (!IS_ANY(index - low >= span)) return;
  for (int lane = 0; lane < CVOICES_LANES; lane++) {
    if (!(mask >> lane & 1)) continue;
    CVoice *voice = voices + group->voices[lane];
    wrap(voice, group->index + lane);
    bound_lane(voice, group, lane);
  }
}

/// Turns eight frames of eight lanes into eight lanes of eight frames.
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

/// What a lane adds to its bus, and to what reverb and chorus hear, in a quantum; a gain that moves
/// is `gain + rise * frame`.
typedef struct {
  float gains[CVOICES_TARGETS], rises[CVOICES_TARGETS];
  float *left, *right;
} Mix;

/// Adds a quantum of the lanes with a bit: those in `moving` with gains that move, those in `sends`
/// to all targets. Lanes of one bus that follow one another are added in registers.
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
        const int count = sends >> lane & 1 ? CVOICES_TARGETS : 2;
        for (int target = 0; target < count; target++)
          sums[target] += sound * (own->gains[target] + own->rises[target] * frames);
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

/// What the lanes do in a quantum.
typedef struct {
  /// Bits of lanes.
  uint32_t on, glides, jumps, moving, sends;
  /// Bits of frames before which a lane begins or ends.
  uint64_t cuts;
  uint8_t begins[CVOICES_LANES], ends[CVOICES_LANES];
  Mix mixes[CVOICES_LANES];
} Plan;

/// The frames until a voice without a loop is at its sample's end, at most a quantum.
static int frames_left(const CVoice *voice, const CVoiceGroup *group, int lane) {
  const uint64_t step = (uint64_t)group->step[lane] << 32 | group->part_step[lane];
  const uint64_t place = (uint64_t)group->index[lane] << 32 | group->part[lane];
  const uint64_t end = (uint64_t)(voice->end + 1) << 32;
  if (place >= end) return 0;
  if (end - place > step * (CVOICES_QUANTUM + 1)) return CVOICES_QUANTUM;
  const uint64_t count = (end - place + step - 1) / (step ? step : 1);
  return count < CVOICES_QUANTUM ? (int)count : CVOICES_QUANTUM;
}

static void plan_gains(CVoice *voice, int lane, int wait, int has_sends, Plan *plan) {
  Mix *const own = plan->mixes + lane;
  const int count = has_sends ? CVOICES_TARGETS : 2;
  for (int target = 0; target < count; target++) {
    const float gain = voice->gains[target], aim = voice->aims[target];
    own->gains[target] = gain;
    own->rises[target] = 0;
    if (target >= 2 && (gain != 0 || aim != 0)) plan->sends |= 1u << lane;
    if (gain == aim) continue;
    const float rise = (aim - gain) / CVOICES_QUANTUM;
    own->rises[target] = rise;
    own->gains[target] = gain - rise * (float)wait;
    voice->gains[target] = wait ? gain + rise * (float)(CVOICES_QUANTUM - wait) : aim;
    plan->moving |= 1u << lane;
  }
}

/// Moves all voices by a quantum.
static void make_plan(
    CVoiceGroup *group, CVoice *voices, const CVoiceTables *tables, int has_sends, Plan *plan) {
  plan->on = plan->glides = plan->jumps = plan->moving = plan->sends = 0;
  plan->cuts = 0;
  for (uint32_t left = group->taken & ~group->ended; left; left &= left - 1) {
    const int lane = __builtin_ctz(left);
    CVoice *voice = voices + group->voices[lane];
    const int result = move_voice(voice, group, lane, tables, &plan->glides, &plan->jumps);
    if (result == VOICE_ENDS) group->ended |= 1u << lane;
    if (result != VOICE_SOUNDS) continue;
    const int count = voice->loops ? CVOICES_QUANTUM : frames_left(voice, group, lane);
    if (count == 0) {
      group->ended |= 1u << lane;
      continue;
    }
    const int wait = voice->wait;
    const int end = wait + count < CVOICES_QUANTUM ? wait + count : CVOICES_QUANTUM;
    plan->on |= 1u << lane;
    plan->begins[lane] = (uint8_t)wait;
    plan->ends[lane] = (uint8_t)end;
    if (wait > 0) {
      plan->cuts |= (uint64_t)1 << wait;
      group->amplitude[lane] -= group->rise[lane] * (float)wait;
      voice->wait = 0;
    }
    if (end < CVOICES_QUANTUM) {
      plan->cuts |= (uint64_t)1 << end;
      group->ended |= 1u << lane;
    }
    plan_gains(voice, lane, wait, has_sends, plan);
  }
}

INLINE void render(
    CVoiceGroup *group, CVoice *voices, const int16_t *samples, const CVoiceTables *tables,
    long quantum_count, float *const *dry, float *reverb, float *chorus) {
  lanes sounds[CVOICES_QUANTUM];
  Plan plan;
  for (long frame = 0; frame < quantum_count * CVOICES_QUANTUM; frame += CVOICES_QUANTUM) {
    if (!(group->taken & ~group->ended)) break;
    make_plan(group, voices, tables, reverb != 0, &plan);
    if (!plan.on) continue;
    for (int from = 0; from < CVOICES_QUANTUM;) {
      const uint64_t later = plan.cuts >> from >> 1;
      const int to = later ? from + 1 + __builtin_ctzll(later) : CVOICES_QUANTUM;
      uint32_t mask = plan.on;
      for (int lane = 0; plan.cuts && lane < CVOICES_LANES; lane++) {
        if (plan.on >> lane & 1 && (from < plan.begins[lane] || from >= plan.ends[lane]))
          mask &= ~(1u << lane);
      }
      if (plan.jumps)
        run(group, voices, samples, sounds, from, to, mask, plan.jumps, 2);
      else if (plan.glides)
        run(group, voices, samples, sounds, from, to, mask, 0, 1);
      else
        run(group, voices, samples, sounds, from, to, mask, 0, 0);
      from = to;
    }
    for (uint32_t left = plan.on; left; left &= left - 1) {
      const int lane = __builtin_ctz(left);
      const int bus = voices[group->voices[lane]].bus;
      plan.mixes[lane].left = dry[2 * bus] + frame;
      plan.mixes[lane].right = dry[2 * bus + 1] + frame;
    }
    mix(sounds, plan.mixes, plan.on, plan.moving, plan.sends, reverb ? reverb + frame : 0,
        chorus ? chorus + frame : 0);
  }
}

typedef void Render(
    CVoiceGroup *, CVoice *, const int16_t *, const CVoiceTables *, long, float *const *, float *,
    float *);

static void render_plain(
    CVoiceGroup *group, CVoice *voices, const int16_t *samples, const CVoiceTables *tables,
    long quantum_count, float *const *dry, float *reverb, float *chorus) {
  render(group, voices, samples, tables, quantum_count, dry, reverb, chorus);
}

static Render *chosen = render_plain;

#if defined(__x86_64__)
__attribute__((target("avx2"))) static void render_wide(
    CVoiceGroup *group, CVoice *voices, const int16_t *samples, const CVoiceTables *tables,
    long quantum_count, float *const *dry, float *reverb, float *chorus) {
  render(group, voices, samples, tables, quantum_count, dry, reverb, chorus);
}

static int is_wide_here(void) {
  __builtin_cpu_init();
  return __builtin_cpu_supports("avx2") != 0;
}
#else
#define render_wide render_plain
static int is_wide_here(void) { return 0; }
#endif

int cvoices_choose(int kind) {
  if (kind && !is_wide_here()) return 0;
  chosen = kind ? render_wide : render_plain;
  return 1;
}

// Before any thread starts.
__attribute__((constructor)) static void choose(void) { cvoices_choose(1); }

void cvoices_render(
    CVoiceGroup *group, CVoice *voices, const int16_t *samples, const CVoiceTables *tables,
    long quantum_count, float *const *dry, float *reverb, float *chorus) {
  chosen(group, voices, samples, tables, quantum_count, dry, reverb, chorus);
}

void cvoices_seat(CVoiceGroup *group, int lane, int place, int32_t start) {
  const uint32_t bit = 1u << lane;
  // Where no voice was yet, a lane reads what this one does.
  for (int other = 0; other < CVOICES_LANES; other++) {
    if (group->park[other] == 0 || other == lane) group->park[other] = start + 1;
  }
  group->index[lane] = group->park[lane];
  group->part[lane] = group->step[lane] = group->part_step[lane] = 0;
  group->low[lane] = group->park[lane];
  group->span[lane] = UINT32_MAX;
  group->amplitude[lane] = group->rise[lane] = 0;
  group->a2[lane] = group->k[lane] = group->b[lane] = 0;
  group->a2_rise[lane] = group->k_rise[lane] = group->b_rise[lane] = 0;
  group->h[lane] = group->d[lane] = 0;
  group->voices[lane] = place;
  group->taken |= bit;
  group->ended &= ~bit;
}

void cvoices_unseat(CVoiceGroup *group, int lane) {
  group->taken &= ~(1u << lane);
  group->ended &= ~(1u << lane);
  group->h[lane] = group->d[lane] = 0;
}

void cvoices_move_lane(CVoiceGroup *from, int lane, CVoiceGroup *to, int target) {
#define MOVE(field) to->field[target] = from->field[lane]
  MOVE(index), MOVE(part), MOVE(step), MOVE(part_step), MOVE(low), MOVE(span), MOVE(park);
  MOVE(amplitude), MOVE(rise), MOVE(a2), MOVE(k), MOVE(b), MOVE(a2_rise), MOVE(k_rise);
  MOVE(b_rise), MOVE(h), MOVE(d), MOVE(voices);
#undef MOVE
  to->taken |= 1u << target;
  to->ended &= ~(1u << target);
  cvoices_unseat(from, lane);
}
