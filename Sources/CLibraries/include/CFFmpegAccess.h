// SPDX-License-Identifier: Apache-2.0
// Reads and writes members of FFmpeg's structures, whichever release is open.
//
// Each member has two functions, such as `cffmpeg_AVFrame_format(frame)` and
// `cffmpeg_set_AVFrame_format(frame, value)`. Create structures only with the functions of
// `cffmpeg_table`.
#ifndef CFFMPEG_ACCESS_H
#define CFFMPEG_ACCESS_H

#include "CFFmpegMembers.h"

#define CFFMPEG_DECLARE(structure, type, member, ...)              \
  type cffmpeg_##structure##_##member(const structure *);          \
  void cffmpeg_set_##structure##_##member(structure *, type value);
CFFMPEG_MEMBERS(CFFMPEG_DECLARE)
#undef CFFMPEG_DECLARE

/// The channels of a sound: their number, and a mask with one bit for each loudspeaker, or 0 if
/// unknown.
typedef struct {
  int count;
  uint64_t mask;
} CFFmpegChannels;

CFFmpegChannels cffmpeg_AVFrame_channels(const AVFrame *);
void cffmpeg_set_AVFrame_channels(AVFrame *, CFFmpegChannels);
void cffmpeg_set_AVCodecParameters_channels(AVCodecParameters *, CFFmpegChannels);

#endif
