// SPDX-License-Identifier: Apache-2.0
// Identifies the FFmpeg release of three libraries.
#ifndef CFFMPEG_RELEASE_H
#define CFFMPEG_RELEASE_H

#include "CFFmpegMembers.h"

/// The open release: a column of CFFmpegMembers.h.
extern int cffmpeg_release;

/// Returns the column for three libraries, from their `…_version()` results; -1 if unknown.
static inline int cffmpeg_release_of(unsigned formats, unsigned codecs, unsigned util) {
  static const struct {
    unsigned formats, codecs, util;
  } first[] = {
#define CFFMPEG_FIRST(name, major, minor, codecs_major, codecs_minor, util_major, util_minor) \
  {major << 16 | minor << 8, codecs_major << 16 | codecs_minor << 8, util_major << 16 | util_minor << 8},
      CFFMPEG_RELEASES(CFFMPEG_FIRST)
#undef CFFMPEG_FIRST
  };
  // The offsets are those of 64-bit systems.
  if (sizeof(void *) != 8) return -1;
  for (int row = (int)(sizeof first / sizeof *first) - 1; row >= 0; row--) {
    if (formats >= first[row].formats && formats >> 16 == first[row].formats >> 16 &&
        codecs >= first[row].codecs && codecs >> 16 == first[row].codecs >> 16 &&
        util >= first[row].util && util >> 16 == first[row].util >> 16)
      return row;
  }
  return -1;
}

#endif
