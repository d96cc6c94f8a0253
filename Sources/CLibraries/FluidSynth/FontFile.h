// SPDX-License-Identifier: Apache-2.0
#ifndef CFLUIDSYNTH_FONT_FILE_H
#define CFLUIDSYNTH_FONT_FILE_H

#include "CFluidSynth.h"

/// From now on this thread opens a font as an excerpt; as it is where that is null.
void cfluidsynth_begin_excerpt(const CFluidSynthExcerpt *excerpt);

#endif
