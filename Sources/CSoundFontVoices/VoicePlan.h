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
  /// The second bus, and how much of both sides goes there.
  float send, send_rise;
  float *send_left, *send_right;
} Mix;

/// What the lanes do in a quantum.
typedef struct {
  /// Bits of lanes.
  uint32_t on, glides, loud, moving, sends, seconds;
  /// Bits of frames before which a lane begins or ends.
  uint64_t cuts;
  uint8_t begins[CVOICES_LANES], ends[CVOICES_LANES];
  Mix mixes[CVOICES_LANES];
} Plan;

/// Moves all voices by a quantum.
void cvoices_plan(
    CVoiceGroup *group, CVoice *voices, const CVoiceTables *tables, int has_sends, Plan *plan);

/// Brings a place behind the end of a loop, where a quantum has ended, back by the loop's length;
/// `last` is the place that was read before.
///
/// As FluidSynth does, only where the last of the loop's frames were read; what steps over them from
/// before stays where it is, and a loop that ends with the next quantum is not gone through again.
void cvoices_return(CVoice *voice, CVoiceGroup *group, int lane, uint32_t last);

/// A sample and its three neighbours of each lane, of which some are at an edge; and their lower bytes,
/// where there are such.
void cvoices_read_edges(
    CVoiceGroup *group, CVoice *voices, const int16_t *samples, const uint8_t *low_bytes,
    uint32_t *index, const int32_t *is_edge, int64_t *fours, uint32_t *low_fours);

#endif
