// SPDX-License-Identifier: Apache-2.0
#ifndef CFLUIDSYNTH_FONT_FILE_H
#define CFLUIDSYNTH_FONT_FILE_H

#include "CFluidSynth.h"

/// Makes this thread open fonts as an excerpt from now on; null opens them as files.
void cfluidsynth_begin_excerpt(const CFluidSynthExcerpt *excerpt);

#endif
