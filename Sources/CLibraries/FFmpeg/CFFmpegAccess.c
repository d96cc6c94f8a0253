// SPDX-License-Identifier: Apache-2.0
#include "CFFmpegAccess.h"

#include <stdbool.h>

#include "CFFmpegRelease.h"

int cffmpeg_release;

// The library wrote the member with the same type, so it may be read through a pointer to that
// type.
#define PLACES(structure, type, member, ...) \
  static const short structure##_##member[] = {__VA_ARGS__};
#define MEMBER(structure, type, member, object) \
  (*(type *)((char *)(object) + structure##_##member[cffmpeg_release]))

#define DEFINE(structure, type, member, ...)                                 \
  PLACES(structure, type, member, __VA_ARGS__)                               \
  type cffmpeg_##structure##_##member(const structure *object) {             \
    return MEMBER(structure, type, member, object);                          \
  }                                                                          \
  void cffmpeg_set_##structure##_##member(structure *object, type value) {   \
    MEMBER(structure, type, member, object) = value;                         \
  }

CFFMPEG_MEMBERS(DEFINE)
CFFMPEG_MASK_MEMBERS(PLACES)
CFFMPEG_LAYOUT_MEMBERS(PLACES)

enum { UNSPECIFIED = 0, NATIVE = 1 };

static bool has_layouts(void) { return AVFrame_ch_layout[cffmpeg_release] >= 0; }

static AVChannelLayout layout_of(CFFmpegChannels channels) {
  return (AVChannelLayout){.order = channels.mask ? NATIVE : UNSPECIFIED,
                           .nb_channels = channels.count,
                           .u = {.mask = channels.mask}};
}

CFFmpegChannels cffmpeg_AVFrame_channels(const AVFrame *frame) {
  if (has_layouts()) {
    AVChannelLayout layout = MEMBER(AVFrame, AVChannelLayout, ch_layout, frame);
    return (CFFmpegChannels){layout.nb_channels, layout.order == NATIVE ? layout.u.mask : 0};
  }
  CFFmpegChannels channels = {MEMBER(AVFrame, int, channels, frame),
                              MEMBER(AVFrame, uint64_t, channel_layout, frame)};
  // A mask for another number of channels is not valid.
  if (__builtin_popcountll(channels.mask) != channels.count) channels.mask = 0;
  return channels;
}

void cffmpeg_set_AVFrame_channels(AVFrame *frame, CFFmpegChannels channels) {
  if (has_layouts()) {
    MEMBER(AVFrame, AVChannelLayout, ch_layout, frame) = layout_of(channels);
  } else {
    MEMBER(AVFrame, int, channels, frame) = channels.count;
    MEMBER(AVFrame, uint64_t, channel_layout, frame) = channels.mask;
  }
}

void cffmpeg_set_AVCodecParameters_channels(AVCodecParameters *parameters,
                                            CFFmpegChannels channels) {
  if (has_layouts()) {
    MEMBER(AVCodecParameters, AVChannelLayout, ch_layout, parameters) = layout_of(channels);
  } else {
    MEMBER(AVCodecParameters, int, channels, parameters) = channels.count;
    MEMBER(AVCodecParameters, uint64_t, channel_layout, parameters) = channels.mask;
  }
}
