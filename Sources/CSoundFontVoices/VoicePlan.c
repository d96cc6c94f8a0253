// SPDX-License-Identifier: Apache-2.0
#include "VoicePlan.h"

#include <string.h>

#include "VoiceControl.h"

void cvoices_return(CVoice *voice, CVoiceGroup *group, int lane, uint32_t last) {
  // Unsigned: within a stretch, a position may be up to 2^24 frames before the end.
  if (!voice->loops || group->index[lane] < (uint32_t)voice->loop_end) return;
  if (last - group->low[lane] + 1 <= group->span[lane]) return;
  group->index[lane] -= voice->loop_end - voice->loop_start;
  voice->has_looped = 1;
  cvoices_bound(voice, group, lane);
}

/// Moves a position after the end of a loop back into it.
static void wrap(CVoice *voice, uint32_t *index) {
  if (!voice->loops || *index < (uint32_t)voice->loop_end) return;
  const uint32_t length = voice->loop_end - voice->loop_start;
  *index = voice->loop_start + (*index - voice->loop_start) % length;
  voice->has_looped = 1;
}

/// Finds the positions of a sample and its three neighbours, some of which are beyond an end.
///
/// In a loop they continue at its other end; otherwise the outermost sample is repeated.
static void find_edge(CVoice *voice, uint32_t *index, int32_t *places) {
  wrap(voice, index);
  const int32_t at = *index;
  if (voice->has_looped)
    places[0] = at == voice->loop_start ? voice->loop_end - 1 : at - 1;
  else
    places[0] = at == voice->start ? at : at - 1;
  places[1] = at;
  for (int next = 1; next < 3; next++) {
    int32_t place = at + next;
    if (voice->loops && place >= voice->loop_end)
      place = voice->loop_start + (place - voice->loop_end);
    else if (!voice->loops && place > voice->end)
      place = voice->end;
    places[1 + next] = place;
  }
}

void cvoices_read_edges(
    CVoiceGroup *group, CVoice *voices, const int16_t *samples, const uint8_t *low_bytes,
    uint32_t *index, const int32_t *is_edge, int64_t *fours, uint32_t *low_fours) {
  for (int lane = 0; lane < CVOICES_LANES; lane++) {
    if (!is_edge[lane]) {
      memcpy(fours + lane, samples + index[lane] - 1, sizeof *fours);
      if (low_bytes) memcpy(low_fours + lane, low_bytes + index[lane] - 1, sizeof *low_fours);
      continue;
    }
    CVoice *voice = voices + group->voices[lane];
    int32_t places[4];
    find_edge(voice, index + lane, places);
    cvoices_bound(voice, group, lane);
    int16_t four[4];
    uint8_t low_four[4];
    for (int next = 0; next < 4; next++) {
      four[next] = samples[places[next]];
      low_four[next] = low_bytes ? low_bytes[places[next]] : 0;
    }
    memcpy(fours + lane, four, sizeof four);
    memcpy(low_fours + lane, low_four, sizeof low_four);
  }
}

/// The number of frames until a voice without a loop reaches the end of its sample, at most a
/// quantum.
static int frames_left(const CVoice *voice, const CVoiceGroup *group, int lane) {
  const uint64_t step = (uint64_t)group->step[lane] << 32 | group->part_step[lane];
  const uint64_t place = (uint64_t)group->index[lane] << 32 | group->part[lane];
  const uint64_t end = ((uint64_t)voice->end + 1) << 32;
  if (place >= end) return 0;
  if (end - place > step * (CVOICES_QUANTUM + 1)) return CVOICES_QUANTUM;
  const uint64_t count = (end - place + step - 1) / (step ? step : 1);
  return count < CVOICES_QUANTUM ? (int)count : CVOICES_QUANTUM;
}

static void plan_gains(CVoice *voice, int lane, int wait, int has_sends, Plan *plan) {
  Mix *const own = plan->mixes + lane;
  const int count = has_sends ? CVOICES_TARGETS : 2;
  if (voice->has_no_gains) {
    voice->has_no_gains = 0;
    memcpy(voice->gains, voice->aims, sizeof voice->gains);
    voice->send = voice->send_aim;
  }
  if (__builtin_expect(voice->send_aim != 0, 0)) {
    own->send = voice->send;
    own->send_rise = (voice->send_aim - voice->send) / CVOICES_QUANTUM;
    voice->send = voice->send_aim;
    plan->seconds |= 1u << lane;
  }
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

void cvoices_plan(
    CVoiceGroup *group, CVoice *voices, const CVoiceTables *tables, int has_sends, Plan *plan) {
  plan->on = plan->glides = plan->loud = plan->moving = plan->sends = plan->seconds = 0;
  plan->cuts = 0;
  for (uint32_t left = group->taken & ~group->ended; left; left &= left - 1) {
    const int lane = __builtin_ctz(left);
    CVoice *voice = voices + group->voices[lane];
    const int result = cvoices_move(voice, group, lane, tables, &plan->glides, &plan->loud);
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
