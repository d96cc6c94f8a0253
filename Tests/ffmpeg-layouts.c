// SPDX-License-Identifier: Apache-2.0
// Run by Tests/ffmpeg-layouts: the headers of a release of FFmpeg, held against CFFmpegMembers.h.
#include <libavcodec/avcodec.h>
#include <libavformat/avformat.h>
#include <libavutil/channel_layout.h>
#include <libavutil/opt.h>
#include <stdio.h>

// Our own declarations of the types would be declared twice.
#define CFFMPEG_TYPES_H
#include "CFFmpeg.h"
#include "CFFmpegRelease.h"

#define CHECK_FUNCTION(type, name, arguments) \
  _Static_assert(__builtin_types_compatible_p(__typeof__(name), type arguments), #name);
CFFMPEG_FUNCTIONS(CHECK_FUNCTION)

#include "constants.h"

#define HAS_LAYOUTS (LIBAVUTIL_VERSION_INT >= AV_VERSION_INT(57, 28, 0))

// These are declared alike for all releases.
_Static_assert(sizeof(AVRational) == 8 && offsetof(AVRational, den) == 4, "AVRational");
_Static_assert(offsetof(AVDictionaryEntry, key) == 0 && offsetof(AVDictionaryEntry, value) == 8,
               "AVDictionaryEntry");
#if HAS_LAYOUTS
_Static_assert(sizeof(AVChannelLayout) == 24 && offsetof(AVChannelLayout, nb_channels) == 4 &&
                   offsetof(AVChannelLayout, u.mask) == 8,
               "AVChannelLayout");
#endif

int cffmpeg_release;
static int compared, different;

static void compare(const char *name, const short *places, size_t place, size_t size,
                    size_t type_size) {
  compared++;
  if (places[cffmpeg_release] == (long)place && size == type_size) return;
  different++;
  printf("%s: at %zu with %zu bytes, not at %d with %zu\n", name, place, size,
         places[cffmpeg_release], type_size);
}

#define COMPARE(structure, type, member, ...)                                      \
  {                                                                                \
    static const short places[] = {__VA_ARGS__};                                   \
    compare(#structure "." #member, places, offsetof(structure, member),           \
            sizeof(((structure *)0)->member), sizeof(type));                       \
  }

/// Our row says of members that are not used that they are not there.
#define COMPARE_ABSENT(structure, type, member, ...)                               \
  {                                                                                \
    static const short places[] = {__VA_ARGS__};                                   \
    compared++;                                                                    \
    if (places[cffmpeg_release] != -1) {                                           \
      different++;                                                                 \
      printf("%s: not there\n", #structure "." #member);                           \
    }                                                                              \
  }

static int row_of(int formats, int formats_minor, int codecs, int codecs_minor, int util,
                  int util_minor) {
  return cffmpeg_release_of(AV_VERSION_INT(formats, formats_minor, 100),
                            AV_VERSION_INT(codecs, codecs_minor, 100),
                            AV_VERSION_INT(util, util_minor, 100));
}

/// Only libraries of one release have a row; a later minor version has that of the release before.
static int rows_are_right(void) {
  return row_of(58, 76, 58, 134, 56, 70) == 0 && row_of(58, 45, 58, 91, 56, 51) == -1 &&
         row_of(59, 16, 59, 18, 57, 17) == 1 && row_of(59, 24, 59, 30, 57, 27) == 1 &&
         row_of(59, 27, 59, 37, 57, 28) == 2 && row_of(59, 27, 59, 37, 57, 27) == 1 &&
         row_of(60, 16, 60, 31, 58, 29) == 3 && row_of(60, 2, 60, 2, 58, 1) == -1 &&
         row_of(61, 7, 61, 19, 59, 39) == 4 && row_of(61, 7, 60, 31, 59, 39) == -1 &&
         row_of(61, 7, 61, 19, 60, 8) == -1 && row_of(99, 1, 99, 1, 99, 1) == -1;
}

int main(int count, char **arguments) {
  if (!rows_are_right()) {
    puts("the wrong row is chosen for some versions");
    return 1;
  }
  cffmpeg_release = cffmpeg_release_of(LIBAVFORMAT_VERSION_INT, LIBAVCODEC_VERSION_INT,
                                       LIBAVUTIL_VERSION_INT);
  static const char *const names[] = {
#define NAME(name, ...) name,
      CFFMPEG_RELEASES(NAME)};
  printf("%s: libavformat %s, libavcodec %s, libavutil %s: ", count > 1 ? arguments[1] : "headers",
         AV_STRINGIFY(LIBAVFORMAT_VERSION), AV_STRINGIFY(LIBAVCODEC_VERSION),
         AV_STRINGIFY(LIBAVUTIL_VERSION));
  if (cffmpeg_release < 0) {
    puts("of no release that is known");
    return 1;
  }
  CFFMPEG_MEMBERS(COMPARE)
#if HAS_LAYOUTS
  CFFMPEG_LAYOUT_MEMBERS(COMPARE)
  CFFMPEG_MASK_MEMBERS(COMPARE_ABSENT)
#else
  CFFMPEG_MASK_MEMBERS(COMPARE)
  CFFMPEG_LAYOUT_MEMBERS(COMPARE_ABSENT)
#endif
  printf("row %s, %d members compared, %d different\n", names[cffmpeg_release], compared,
         different);
  return different > 0;
}
