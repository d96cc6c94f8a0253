// SPDX-License-Identifier: Apache-2.0
// The plan of a group for a quantum, before its sound is rendered.
#ifndef VOICEPLAN_H
#define VOICEPLAN_H

#include "CSoundFontVoices.h"

/// The gains with which a lane is added to its bus and to the sends of reverb and chorus, in a
/// quantum.
///
/// A changing gain is `gain + rise * frame`.
typedef struct {
  float gains[CVOICES_TARGETS], rises[CVOICES_TARGETS];
  float *left, *right;
  /// The second bus, and the gain of both sides to it.
  float send, send_rise;
  float *send_left, *send_right;
} Mix;

/// The plan of all lanes for a quantum.
typedef struct {
  /// One bit for each lane.
  uint32_t on, glides, loud, moving, sends, seconds;
  /// One bit for each frame before which a lane begins or ends.
  uint64_t cuts;
  uint8_t begins[CVOICES_LANES], ends[CVOICES_LANES];
  Mix mixes[CVOICES_LANES];
} Plan;

/// Advances all voices by a quantum.
void cvoices_plan(
    CVoiceGroup *group, CVoice *voices, const CVoiceTables *tables, int has_sends, Plan *plan);

/// Moves a position after the end of a loop back by the loop's length at the end of a quantum;
/// `last` is the position that was read before.
///
/// As in FluidSynth, this is done only if the last frames of the loop were read. A position that
/// skipped them is unchanged, and a loop that ends with the next quantum is not repeated.
void cvoices_return(CVoice *voice, CVoiceGroup *group, int lane, uint32_t last);

/// Reads a sample and its three neighbours of each lane, some of which are at an edge, and their
/// lower bytes, if there are any.
void cvoices_read_edges(
    CVoiceGroup *group, CVoice *voices, const int16_t *samples, const uint8_t *low_bytes,
    uint32_t *index, const int32_t *is_edge, int64_t *fours, uint32_t *low_fours);

#endif
