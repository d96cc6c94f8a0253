// SPDX-License-Identifier: Apache-2.0
// What of FFmpeg's interface is used, in declarations of our own: building needs no header of it.
//
// The structures are those of FFmpeg 5.1 (libavformat 59, libavcodec 59, libavutil 57), some only up
// to the last member that is used: the library allocates them, and only pointers to them are held.
#ifndef CFFMPEG_TYPES_H
#define CFFMPEG_TYPES_H

#include <stddef.h>
#include <stdint.h>

typedef struct AVInputFormat AVInputFormat;
typedef struct AVOutputFormat AVOutputFormat;
typedef struct AVCodec AVCodec;
typedef struct AVCodecContext AVCodecContext;
typedef struct AVDictionary AVDictionary;

enum AVMediaType {
  AVMEDIA_TYPE_AUDIO = 1,
};

enum AVCodecID {
  AV_CODEC_ID_MP3 = 0x15001, AV_CODEC_ID_AAC = 0x15002, AV_CODEC_ID_ALAC = 0x15010,
};

enum AVPacketSideDataType {
  AV_PKT_DATA_SKIP_SAMPLES = 11,
};

enum {
  AV_SAMPLE_FMT_U8 = 0, AV_SAMPLE_FMT_S16 = 1, AV_SAMPLE_FMT_S32 = 2, AV_SAMPLE_FMT_FLT = 3,
  AV_SAMPLE_FMT_DBL = 4, AV_SAMPLE_FMT_U8P = 5, AV_SAMPLE_FMT_S16P = 6, AV_SAMPLE_FMT_S32P = 7,
  AV_SAMPLE_FMT_FLTP = 8, AV_SAMPLE_FMT_DBLP = 9, AV_SAMPLE_FMT_S64 = 10, AV_SAMPLE_FMT_S64P = 11,
};

enum {
  AV_CHANNEL_ORDER_NATIVE = 1,
};

enum {
  AVFMT_FLAG_CUSTOM_IO = 0x0080, AVSEEK_SIZE = 0x10000, AV_DICT_IGNORE_SUFFIX = 2,
  AVDISCARD_ALL = 48, AV_LOG_QUIET = -8, AV_OPT_SEARCH_CHILDREN = 1,
};

typedef struct AVRational {
  int num, den;
} AVRational;

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

typedef struct AVPacket {
  void *buf;
  int64_t pts, dts;
  uint8_t *data;
  int size, stream_index, flags;
  void *side_data;
  int side_data_elems;
  int64_t duration, pos;
  void *opaque, *opaque_ref;
  AVRational time_base;
} AVPacket;

typedef struct AVFrame {
  uint8_t *data[8];
  int linesize[8];
  uint8_t **extended_data;
  int width, height, nb_samples, format, key_frame, pict_type;
  AVRational sample_aspect_ratio;
  int64_t pts, pkt_dts;
  AVRational time_base;
  int coded_picture_number, display_picture_number, quality;
  void *opaque;
  int repeat_pict, interlaced_frame, top_field_first, palette_has_changed;
  int64_t reordered_opaque;
  int sample_rate;
  uint64_t channel_layout;
  void *buf[8];
  void **extended_buf;
  int nb_extended_buf;
  void **side_data;
  int nb_side_data, flags, color_range, color_primaries, color_trc, colorspace, chroma_location;
  int64_t best_effort_timestamp, pkt_pos, pkt_duration;
  AVDictionary *metadata;
  int decode_error_flags, channels, pkt_size;
  void *hw_frames_ctx, *opaque_ref;
  size_t crop_top, crop_bottom, crop_left, crop_right;
  void *private_ref;
  AVChannelLayout ch_layout;
} AVFrame;

typedef struct AVCodecParameters {
  enum AVMediaType codec_type;
  enum AVCodecID codec_id;
  uint32_t codec_tag;
  uint8_t *extradata;
  int extradata_size, format;
  int64_t bit_rate;
  int bits_per_coded_sample, bits_per_raw_sample, profile, level, width, height;
  AVRational sample_aspect_ratio;
  int field_order, color_range, color_primaries, color_trc, color_space, chroma_location;
  int video_delay;
  uint64_t channel_layout;
  int channels, sample_rate, block_align, frame_size, initial_padding, trailing_padding;
  int seek_preroll;
  AVChannelLayout ch_layout;
} AVCodecParameters;

typedef struct AVStream {
  int index, id;
  void *priv_data;
  AVRational time_base;
  int64_t start_time, duration, nb_frames;
  int disposition, discard;
  AVRational sample_aspect_ratio;
  AVDictionary *metadata;
  AVRational avg_frame_rate;
  AVPacket attached_pic;
  void *side_data;
  int nb_side_data, event_flags;
  AVRational r_frame_rate;
  AVCodecParameters *codecpar;
} AVStream;

typedef struct AVChapter {
  int64_t id;
  AVRational time_base;
  int64_t start, end;
  AVDictionary *metadata;
} AVChapter;

typedef struct AVIOContext {
  const void *av_class;
  unsigned char *buffer;
} AVIOContext;

typedef struct AVFormatContext {
  const void *av_class;
  const void *iformat, *oformat;
  void *priv_data;
  AVIOContext *pb;
  int ctx_flags;
  unsigned nb_streams;
  AVStream **streams;
  char *url;
  int64_t start_time, duration, bit_rate;
  unsigned packet_size;
  int max_delay, flags;
  int64_t probesize, max_analyze_duration;
  const uint8_t *key;
  int keylen;
  unsigned nb_programs;
  void **programs;
  int video_codec_id, audio_codec_id, subtitle_codec_id;
  unsigned max_index_size, max_picture_buffer, nb_chapters;
  AVChapter **chapters;
  AVDictionary *metadata;
} AVFormatContext;

#endif
