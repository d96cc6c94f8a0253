// SPDX-License-Identifier: Apache-2.0
// The changes of a voice in each quantum.
#ifndef VOICECONTROL_H
#define VOICECONTROL_H

#include "CSoundFontVoices.h"

#pragma clang fp contract(off)

/// The result of a voice's step: it ends, is silent, or sounds.
enum { VOICE_ENDS, VOICE_RESTS, VOICE_SOUNDS };

/// Advances a voice by a quantum, and writes the parameters of its lane.
///
/// Sets the lane's bit in `glides` if its filter moves, and in `loud` if the filter moves far or
/// the voice may exceed the maximum.
int cvoices_move(
    CVoice *voice, CVoiceGroup *group, int lane, const CVoiceTables *tables, uint32_t *glides,
    uint32_t *loud);

/// Writes the range of positions in a lane that have neighbours on both sides.
void cvoices_bound(const CVoice *voice, CVoiceGroup *group, int lane);

#endif
