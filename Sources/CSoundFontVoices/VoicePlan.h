// SPDX-License-Identifier: Apache-2.0
// What a group does in a quantum, before its sound is made.
#ifndef VOICEPLAN_H
#define VOICEPLAN_H

#include "CSoundFontVoices.h"

/// What a lane adds to its bus, and to what reverb and chorus hear, in a quantum; a gain that moves
/// is `gain + rise * frame`.
typedef struct {
  float gains[CVOICES_TARGETS], rises[CVOICES_TARGETS];
  float *left, *right;
} Mix;

/// What the lanes do in a quantum.
typedef struct {
  /// Bits of lanes.
  uint32_t on, glides, jumps, moving, sends;
  /// Bits of frames before which a lane begins or ends.
  uint64_t cuts;
  uint8_t begins[CVOICES_LANES], ends[CVOICES_LANES];
  Mix mixes[CVOICES_LANES];
} Plan;

/// Moves all voices by a quantum.
void cvoices_plan(
    CVoiceGroup *group, CVoice *voices, const CVoiceTables *tables, int has_sends, Plan *plan);

/// Brings a place behind the end of a loop back into it.
void cvoices_wrap(CVoice *voice, uint32_t *index);

/// A sample and its three neighbours of each lane, of which some are at an edge.
void cvoices_read_edges(
    CVoiceGroup *group, CVoice *voices, const int16_t *samples, uint32_t *index,
    const int32_t *is_edge, int64_t *fours);

#endif
