// SPDX-License-Identifier: Apache-2.0
// The functions of FFmpeg's libavformat, libavcodec and libavutil in use.
//
// The libraries are opened on first use: they load eighty others, and only files that libsndfile
// cannot read or write require them. Debian builds them under the GPL.
#ifndef CFFMPEG_H
#define CFFMPEG_H

#include "CFFmpegAccess.h"

#define CFFMPEG_FUNCTIONS(f)                                                                      \
  f(unsigned, avformat_version, (void))                                                           \
  f(unsigned, avcodec_version, (void))                                                            \
  f(unsigned, avutil_version, (void))                                                             \
  f(const char *, av_version_info, (void))                                                        \
  f(void, av_log_set_level, (int level))                                                          \
  f(void, av_max_alloc, (size_t limit))                                                           \
  f(int, av_strerror, (int code, char *text, size_t size))                                        \
  f(void *, av_malloc, (size_t size))                                                             \
  f(void *, av_mallocz, (size_t size))                                                            \
  f(void, av_free, (void *))                                                                      \
  f(int, av_opt_set, (void *object, const char *name, const char *value, int flags))              \
  f(int, av_dict_set, (AVDictionary **, const char *key, const char *value, int flags))           \
  f(AVDictionaryEntry *, av_dict_get,                                                             \
    (const AVDictionary *, const char *key, const AVDictionaryEntry *previous, int flags))        \
  f(void, av_dict_free, (AVDictionary **))                                                        \
  f(AVIOContext *, avio_alloc_context,                                                            \
    (unsigned char *buffer, int size, int writes, void *context,                                  \
     int (*read)(void *, uint8_t *, int), int (*write)(void *, uint8_t *, int),                   \
     int64_t (*seek)(void *, int64_t, int)))                                                      \
  f(void, avio_context_free, (AVIOContext **))                                                    \
  f(AVFormatContext *, avformat_alloc_context, (void))                                            \
  f(void, avformat_free_context, (AVFormatContext *))                                             \
  f(const AVInputFormat *, av_find_input_format, (const char *name))                              \
  f(int, avformat_open_input,                                                                     \
    (AVFormatContext **, const char *name, const AVInputFormat *, AVDictionary **))               \
  f(void, avformat_close_input, (AVFormatContext **))                                             \
  f(int, avformat_find_stream_info, (AVFormatContext *, AVDictionary **))                         \
  f(int, av_find_best_stream,                                                                     \
    (AVFormatContext *, enum AVMediaType, int wanted, int related, const AVCodec **, int flags))  \
  f(int, av_read_frame, (AVFormatContext *, AVPacket *))                                          \
  f(int, avformat_alloc_output_context2,                                                          \
    (AVFormatContext **, const AVOutputFormat *, const char *format, const char *name))           \
  f(AVStream *, avformat_new_stream, (AVFormatContext *, const AVCodec *))                        \
  f(int, avformat_write_header, (AVFormatContext *, AVDictionary **))                             \
  f(int, av_interleaved_write_frame, (AVFormatContext *, AVPacket *))                             \
  f(int, av_write_trailer, (AVFormatContext *))                                                   \
  f(const AVCodec *, avcodec_find_decoder, (enum AVCodecID))                                      \
  f(const AVCodec *, avcodec_find_decoder_by_name, (const char *name))                            \
  f(const AVCodec *, avcodec_find_encoder_by_name, (const char *name))                            \
  f(const char *, avcodec_get_name, (enum AVCodecID))                                             \
  f(AVCodecContext *, avcodec_alloc_context3, (const AVCodec *))                                  \
  f(void, avcodec_free_context, (AVCodecContext **))                                              \
  f(int, avcodec_open2, (AVCodecContext *, const AVCodec *, AVDictionary **))                     \
  f(int, avcodec_send_packet, (AVCodecContext *, const AVPacket *))                               \
  f(int, avcodec_receive_frame, (AVCodecContext *, AVFrame *))                                    \
  f(int, avcodec_send_frame, (AVCodecContext *, const AVFrame *))                                 \
  f(int, avcodec_receive_packet, (AVCodecContext *, AVPacket *))                                  \
  f(AVCodecParameters *, avcodec_parameters_alloc, (void))                                        \
  f(void, avcodec_parameters_free, (AVCodecParameters **))                                        \
  f(int, avcodec_parameters_to_context, (AVCodecContext *, const AVCodecParameters *))            \
  f(int, avcodec_parameters_from_context, (AVCodecParameters *, const AVCodecContext *))          \
  f(AVPacket *, av_packet_alloc, (void))                                                          \
  f(void, av_packet_free, (AVPacket **))                                                          \
  f(void, av_packet_unref, (AVPacket *))                                                          \
  f(int, av_new_packet, (AVPacket *, int size))                                                   \
  f(void, av_packet_rescale_ts, (AVPacket *, AVRational from, AVRational to))                     \
  f(AVFrame *, av_frame_alloc, (void))                                                            \
  f(void, av_frame_free, (AVFrame **))                                                            \
  f(void, av_frame_unref, (AVFrame *))                                                            \
  f(int, av_frame_get_buffer, (AVFrame *, int alignment))

typedef struct {
#define CFFMPEG_FIELD(type, name, arguments) type(*name) arguments;
  CFFMPEG_FUNCTIONS(CFFMPEG_FIELD)
#undef CFFMPEG_FIELD
} CFFmpegTable;

/// Opens the libraries on the first call, on any thread, and returns their functions; null if they
/// are missing or if no installed release has known structures.
const CFFmpegTable *cffmpeg_table(void);

/// The version of FFmpeg that is installed but cannot be used, such as `4.3.8`, or null.
const char *cffmpeg_refused(void);

/// Returns the name of the first release with known structures, or of the last if `last` is not 0.
const char *cffmpeg_releases(int last);

/// The value that FFmpeg's functions return at the end of a stream.
static inline int cffmpeg_end(void) { return -('E' | 'O' << 8 | 'F' << 16 | (int)' ' << 24); }

#endif
