// SPDX-License-Identifier: Apache-2.0
// What moves a voice once a quantum.
#ifndef VOICECONTROL_H
#define VOICECONTROL_H

#include "CSoundFontVoices.h"

#pragma clang fp contract(off)

/// What a quantum makes of a voice.
enum { VOICE_ENDS, VOICE_RESTS, VOICE_SOUNDS };

/// Moves a voice by a quantum, and writes what its lane is to do.
///
/// `glides` gets the lane's bit where its filter moves, `loud` where it moves far or may sound louder
/// than a voice may.
int cvoices_move(
    CVoice *voice, CVoiceGroup *group, int lane, const CVoiceTables *tables, uint32_t *glides,
    uint32_t *loud);

/// Writes which places of a lane have neighbours on both sides.
void cvoices_bound(const CVoice *voice, CVoiceGroup *group, int lane);

#endif
