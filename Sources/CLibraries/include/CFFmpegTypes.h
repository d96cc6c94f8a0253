// SPDX-License-Identifier: Apache-2.0
// Declarations of the part of FFmpeg's interface in use, so that building does not require its
// headers.
//
// These are the same in every release. For structures whose members differ, see CFFmpegMembers.h.
#ifndef CFFMPEG_TYPES_H
#define CFFMPEG_TYPES_H

#include <stddef.h>
#include <stdint.h>

typedef struct AVInputFormat AVInputFormat;
typedef struct AVOutputFormat AVOutputFormat;
typedef struct AVCodec AVCodec;
typedef struct AVCodecContext AVCodecContext;
typedef struct AVDictionary AVDictionary;
typedef struct AVPacket AVPacket;
typedef struct AVFrame AVFrame;
typedef struct AVCodecParameters AVCodecParameters;
typedef struct AVStream AVStream;
typedef struct AVChapter AVChapter;
typedef struct AVIOContext AVIOContext;
typedef struct AVFormatContext AVFormatContext;

enum AVMediaType {
  AVMEDIA_TYPE_AUDIO = 1,
};

enum AVCodecID {
  AV_CODEC_ID_ADPCM_IMA_QT = 0x11000, AV_CODEC_ID_AMR_NB = 0x12000, AV_CODEC_ID_AMR_WB = 0x12001,
  AV_CODEC_ID_MP3 = 0x15001, AV_CODEC_ID_AAC = 0x15002, AV_CODEC_ID_AC3 = 0x15003,
  AV_CODEC_ID_VORBIS = 0x15005, AV_CODEC_ID_FLAC = 0x1500c,
  AV_CODEC_ID_ALAC = 0x15010, AV_CODEC_ID_EAC3 = 0x15028, AV_CODEC_ID_ILBC = 0x1503b,
  AV_CODEC_ID_OPUS = 0x1503c,
};

enum AVDiscard {
  AVDISCARD_ALL = 48,
};

enum {
  AV_SAMPLE_FMT_U8 = 0, AV_SAMPLE_FMT_S16 = 1, AV_SAMPLE_FMT_S32 = 2, AV_SAMPLE_FMT_FLT = 3,
  AV_SAMPLE_FMT_DBL = 4, AV_SAMPLE_FMT_U8P = 5, AV_SAMPLE_FMT_S16P = 6, AV_SAMPLE_FMT_S32P = 7,
  AV_SAMPLE_FMT_FLTP = 8, AV_SAMPLE_FMT_DBLP = 9, AV_SAMPLE_FMT_S64 = 10, AV_SAMPLE_FMT_S64P = 11,
};

enum {
  AVFMT_FLAG_CUSTOM_IO = 0x0080, AVSEEK_SIZE = 0x10000, AV_DICT_IGNORE_SUFFIX = 2,
  AV_LOG_QUIET = -8, AV_OPT_SEARCH_CHILDREN = 1,
};

typedef struct AVRational {
  int num, den;
} AVRational;

/// From 5.1: order 1 is the order of the mask's bits; order 0 does not define the loudspeakers.
typedef struct AVChannelLayout {
  int order;
  int nb_channels;
  union {
    uint64_t mask;
    void *map;
  } u;
  void *opaque;
} AVChannelLayout;

typedef struct AVDictionaryEntry {
  char *key, *value;
} AVDictionaryEntry;

#endif
