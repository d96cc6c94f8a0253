// SPDX-License-Identifier: Apache-2.0
// The offsets of the members in use of FFmpeg's structures, release by release.
//
// The offsets differ between major versions, so one program can support them all only with a table.
// They are bytes from the structure's start on 64-bit systems, as in the headers of the releases:
// `Tests/ffmpeg-layouts FOLDER` compares them with the headers in a folder. Within a major version,
// FFmpeg adds members only at the end, so a row is also valid for later minor versions.
#ifndef CFFMPEG_MEMBERS_H
#define CFFMPEG_MEMBERS_H

#include "CFFmpegTypes.h"

/// The planes of a frame's samples.
typedef uint8_t **CFFmpegPlanes;

/// The releases: name, and the first versions of libavformat, libavcodec and libavutil.
#define CFFMPEG_RELEASES(r)                                                                      \
  r("4.4", 58, 76, 58, 134, 56, 70)                                                              \
  r("5.0", 59, 16, 59, 18, 57, 17)                                                               \
  r("5.1", 59, 27, 59, 37, 57, 28)                                                               \
  r("6.0", 60, 3, 60, 3, 58, 2)                                                                  \
  r("7.0", 61, 1, 61, 3, 59, 8)                                                                  \
  r("8.0", 62, 3, 62, 11, 60, 8)                                                                 \
  r("9.0", 63, 1, 63, 1, 61, 1)

/// The members in every release: structure, type, name, and the offset in each release.
#define CFFMPEG_MEMBERS(m)                                                                       \
  /*                                                        4.4   5.0  5.1  6.0  7.0  8.0  9.0 */\
  m(AVIOContext, unsigned char *, buffer,                      8,    8,   8,   8,   8,   8,   8) \
  m(AVPacket, uint8_t *, data,                                24,   24,  24,  24,  24,  24,  24) \
  m(AVPacket, int, size,                                      32,   32,  32,  32,  32,  32,  32) \
  m(AVPacket, int, stream_index,                              36,   36,  36,  36,  36,  36,  36) \
  m(AVPacket, int64_t, duration,                              64,   64,  64,  64,  64,  64,  64) \
  m(AVFrame, CFFmpegPlanes, extended_data,                    96,   96,  96,  96,  96,  96,  96) \
  m(AVFrame, int, nb_samples,                                112,  112, 112, 112, 112, 112, 112) \
  m(AVFrame, int, format,                                    116,  116, 116, 116, 116, 116, 116) \
  m(AVFrame, int64_t, pts,                                   136,  136, 136, 136, 136, 136, 136) \
  m(AVFrame, int, sample_rate,                               272,  208, 208, 208, 192, 180, 180) \
  m(AVCodecParameters, enum AVMediaType, codec_type,           0,    0,   0,   0,   0,   0,   0) \
  m(AVCodecParameters, enum AVCodecID, codec_id,               4,    4,   4,   4,   4,   4,   4) \
  m(AVCodecParameters, uint8_t *, extradata,                  16,   16,  16,  16,  16,  16,  16) \
  m(AVCodecParameters, int, extradata_size,                   24,   24,  24,  24,  24,  24,  24) \
  m(AVCodecParameters, int, format,                           28,   28,  28,  28,  44,  44,  44) \
  m(AVCodecParameters, int64_t, bit_rate,                     32,   32,  32,  32,  48,  48,  48) \
  m(AVCodecParameters, int, bits_per_raw_sample,              44,   44,  44,  44,  60,  60,  60) \
  m(AVCodecParameters, int, sample_rate,                     116,  116, 116, 116, 152, 152, 152) \
  m(AVCodecParameters, int, frame_size,                      124,  124, 124, 124, 160, 160, 160) \
  m(AVCodecParameters, int, initial_padding,                 128,  128, 128, 128, 164, 164, 164) \
  m(AVStream, AVRational, time_base,                          24,   16,  16,  32,  32,  32,  32) \
  m(AVStream, int64_t, duration,                              40,   32,  32,  48,  48,  48,  48) \
  m(AVStream, enum AVDiscard, discard,                        60,   52,  52,  68,  68,  68,  68) \
  m(AVStream, AVDictionary *, metadata,                       72,   64,  64,  80,  80,  80,  80) \
  m(AVStream, AVCodecParameters *, codecpar,                 208,  208, 208,  16,  16,  16,  16) \
  m(AVChapter, AVRational, time_base,                          4,    8,   8,   8,   8,   8,   8) \
  m(AVChapter, int64_t, start,                                16,   16,  16,  16,  16,  16,  16) \
  m(AVChapter, AVDictionary *, metadata,                      32,   32,  32,  32,  32,  32,  32) \
  m(AVFormatContext, AVIOContext *, pb,                       32,   32,  32,  32,  32,  32,  32) \
  m(AVFormatContext, unsigned, nb_streams,                    44,   44,  44,  44,  44,  44,  44) \
  m(AVFormatContext, AVStream **, streams,                    48,   48,  48,  48,  48,  48,  48) \
  m(AVFormatContext, int64_t, duration,                     1096,   72,  72,  72, 104, 104, 104) \
  m(AVFormatContext, int, flags,                            1120,   96,  96,  96, 128, 128, 128) \
  m(AVFormatContext, unsigned, nb_chapters,                 1188,  164, 164, 164,  72,  72,  72) \
  m(AVFormatContext, AVChapter **, chapters,                1192,  168, 168, 168,  80,  80,  80) \
  m(AVFormatContext, AVDictionary *, metadata,              1200,  176, 176, 176, 192, 192, 192)

/// The members for the channels up to 5.0; -1 in releases without them.
#define CFFMPEG_MASK_MEMBERS(m)                                                                  \
  m(AVFrame, int, channels,                                  444,  380,  -1,  -1,  -1,  -1,  -1) \
  m(AVFrame, uint64_t, channel_layout,                       280,  216,  -1,  -1,  -1,  -1,  -1) \
  m(AVCodecParameters, int, channels,                        112,  112,  -1,  -1,  -1,  -1,  -1) \
  m(AVCodecParameters, uint64_t, channel_layout,             104,  104,  -1,  -1,  -1,  -1,  -1)

/// The members for the channels from 5.1; -1 in releases without them.
#define CFFMPEG_LAYOUT_MEMBERS(m)                                                                \
  m(AVFrame, AVChannelLayout, ch_layout,                      -1,   -1, 448, 448, 408, 384, 384) \
  m(AVCodecParameters, AVChannelLayout, ch_layout,            -1,   -1, 144, 144, 128, 128, 128)

#endif
