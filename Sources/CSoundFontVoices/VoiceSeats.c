// SPDX-License-Identifier: Apache-2.0
#include "CSoundFontVoices.h"

void cvoices_seat(CVoiceGroup *group, int lane, int place, int32_t start) {
  const uint32_t bit = 1u << lane;
  // A lane without a voice reads the samples of this voice.
  for (int other = 0; other < CVOICES_LANES; other++) {
    if (group->park[other] == 0 || other == lane) group->park[other] = start + 1;
  }
  group->index[lane] = group->park[lane];
  group->part[lane] = group->step[lane] = group->part_step[lane] = 0;
  group->low[lane] = group->park[lane];
  group->span[lane] = UINT32_MAX;
  group->amplitude[lane] = group->rise[lane] = 0;
  group->c[lane] = group->k[lane] = group->b[lane] = 0;
  group->c_rise[lane] = group->k_rise[lane] = group->b_rise[lane] = 0;
  group->pull[lane] = 1;
  group->bound[lane] = (float)CVOICES_MOST;
  group->h[lane] = group->d[lane] = group->came[lane] = group->pair[lane] = 0;
  group->voices[lane] = place;
  group->taken |= bit;
  group->ended &= ~bit;
}

void cvoices_unseat(CVoiceGroup *group, int lane) {
  group->taken &= ~(1u << lane);
  group->ended &= ~(1u << lane);
  group->h[lane] = group->d[lane] = group->came[lane] = group->pair[lane] = 0;
}

void cvoices_move_lane(CVoiceGroup *from, int lane, CVoiceGroup *to, int target) {
#define MOVE(field) to->field[target] = from->field[lane]
  MOVE(index), MOVE(part), MOVE(step), MOVE(part_step), MOVE(low), MOVE(span), MOVE(park);
  MOVE(amplitude), MOVE(rise), MOVE(c), MOVE(k), MOVE(b), MOVE(c_rise), MOVE(k_rise);
  MOVE(b_rise), MOVE(pull), MOVE(bound), MOVE(h), MOVE(d), MOVE(came), MOVE(pair), MOVE(voices);
#undef MOVE
  to->taken |= 1u << target;
  to->ended &= ~(1u << target);
  cvoices_unseat(from, lane);
}
