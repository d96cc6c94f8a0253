// SPDX-License-Identifier: Apache-2.0
// Declarations of the part of libsndfile's interface in use, so that building does not require its
// headers.
#ifndef CSNDFILE_TYPES_H
#define CSNDFILE_TYPES_H

#include <stdint.h>

typedef struct sf_private_tag SNDFILE;
typedef int64_t sf_count_t;

enum {
  SFM_READ = 0x10, SFM_WRITE = 0x20,
};

enum {
  SF_ERR_UNRECOGNISED_FORMAT = 1,
};

enum {
  SF_FORMAT_AIFF = 0x020000, SF_FORMAT_ALAC_16 = 0x0070, SF_FORMAT_ALAC_20 = 0x0071,
  SF_FORMAT_ALAC_24 = 0x0072, SF_FORMAT_ALAC_32 = 0x0073, SF_FORMAT_ALAW = 0x0011,
  SF_FORMAT_AU = 0x030000, SF_FORMAT_CAF = 0x180000, SF_FORMAT_DOUBLE = 0x0007,
  SF_FORMAT_FLAC = 0x170000, SF_FORMAT_FLOAT = 0x0006, SF_FORMAT_GSM610 = 0x0020,
  SF_FORMAT_IMA_ADPCM = 0x0012,
  SF_FORMAT_MPEG = 0x230000, SF_FORMAT_MPEG_LAYER_I = 0x0080, SF_FORMAT_MPEG_LAYER_II = 0x0081,
  SF_FORMAT_MPEG_LAYER_III = 0x0082, SF_FORMAT_OGG = 0x200000, SF_FORMAT_OPUS = 0x0064,
  SF_FORMAT_PCM_16 = 0x0002, SF_FORMAT_PCM_24 = 0x0003, SF_FORMAT_PCM_32 = 0x0004,
  SF_FORMAT_PCM_S8 = 0x0001, SF_FORMAT_PCM_U8 = 0x0005, SF_FORMAT_RAW = 0x040000,
  SF_FORMAT_RF64 = 0x220000, SF_FORMAT_SUBMASK = 0x0000FFFF, SF_FORMAT_TYPEMASK = 0x0FFF0000,
  SF_FORMAT_ULAW = 0x0010, SF_FORMAT_VORBIS = 0x0060, SF_FORMAT_W64 = 0x0B0000,
  SF_FORMAT_WAV = 0x010000, SF_FORMAT_WAVEX = 0x130000,
};

enum {
  SF_ENDIAN_LITTLE = 0x10000000, SF_ENDIAN_BIG = 0x20000000,
};

enum {
  SFC_GET_BROADCAST_INFO = 0x10F0, SFC_GET_CHANNEL_MAP_INFO = 0x1100, SFC_GET_CUE = 0x10CE,
  SFC_GET_CUE_COUNT = 0x10CD, SFC_GET_FORMAT_INFO = 0x1028, SFC_GET_FORMAT_MAJOR = 0x1031,
  SFC_GET_FORMAT_MAJOR_COUNT = 0x1030, SFC_GET_FORMAT_SUBTYPE = 0x1033,
  SFC_GET_FORMAT_SUBTYPE_COUNT = 0x1032, SFC_GET_INSTRUMENT = 0x10D0, SFC_GET_LOOP_INFO = 0x10E0,
  SFC_SET_ADD_PEAK_CHUNK = 0x1050, SFC_SET_BROADCAST_INFO = 0x10F1,
  SFC_SET_CHANNEL_MAP_INFO = 0x1101, SFC_SET_CLIPPING = 0x10C0, SFC_SET_CUE = 0x10CF,
  SFC_SET_INSTRUMENT = 0x10D1, SFC_SET_VBR_ENCODING_QUALITY = 0x1300,
  SFC_SET_COMPRESSION_LEVEL = 0x1301,
};

enum {
  SF_STR_ALBUM = 0x07, SF_STR_ARTIST = 0x04, SF_STR_COMMENT = 0x05, SF_STR_COPYRIGHT = 0x02,
  SF_STR_DATE = 0x06, SF_STR_GENRE = 0x10, SF_STR_LICENSE = 0x08, SF_STR_SOFTWARE = 0x03,
  SF_STR_TITLE = 0x01, SF_STR_TRACKNUMBER = 0x09,
};

enum {
  SF_LOOP_FORWARD = 801, SF_LOOP_BACKWARD = 802, SF_LOOP_ALTERNATING = 803,
};

typedef struct SF_INFO {
  sf_count_t frames;
  int samplerate, channels, format, sections, seekable;
} SF_INFO;

typedef struct {
  int format;
  const char *name, *extension;
} SF_FORMAT_INFO;

typedef struct SF_VIRTUAL_IO {
  sf_count_t (*get_filelen)(void *context);
  sf_count_t (*seek)(sf_count_t offset, int whence, void *context);
  sf_count_t (*read)(void *bytes, sf_count_t count, void *context);
  sf_count_t (*write)(const void *bytes, sf_count_t count, void *context);
  sf_count_t (*tell)(void *context);
} SF_VIRTUAL_IO;

typedef struct {
  int32_t indx;
  uint32_t position;
  int32_t fcc_chunk, chunk_start, block_start;
  uint32_t sample_offset;
  char name[256];
} SF_CUE_POINT;

typedef struct {
  int gain;
  char basenote, detune, velocity_lo, velocity_hi, key_lo, key_hi;
  int loop_count;
  struct {
    int mode;
    uint32_t start, end, count;
  } loops[16];
} SF_INSTRUMENT;

typedef struct {
  short time_sig_num, time_sig_den;
  int loop_mode, num_beats;
  float bpm;
  int root_key, future[6];
} SF_LOOP_INFO;

/// EBU Tech 3285, with room for 256 bytes of coding history.
typedef struct {
  char description[256], originator[32], originator_reference[32];
  char origination_date[10], origination_time[8];
  uint32_t time_reference_low, time_reference_high;
  short version;
  char umid[64];
  int16_t loudness_value, loudness_range, max_true_peak_level;
  int16_t max_momentary_loudness, max_shortterm_loudness;
  char reserved[180];
  uint32_t coding_history_size;
  char coding_history[256];
} SF_BROADCAST_INFO;

#endif
