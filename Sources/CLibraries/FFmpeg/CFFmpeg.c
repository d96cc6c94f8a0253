// SPDX-License-Identifier: Apache-2.0
#include "CFFmpeg.h"

#include <CDynamicLibrary.h>
#include <dlfcn.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

#include "CFFmpegRelease.h"

static pthread_once_t once = PTHREAD_ONCE_INIT;
static CFFmpegTable table;
static bool complete;
static char refused[64];

/// Opens libavformat of a major version.
///
/// It loads the other two libraries of its release, and functions are searched for only in what
/// it loaded, so releases are never mixed.
static bool open_formats(CDynamicLibrary *library, int major) {
  char name[512];
  const char *folder = getenv("DOWNBEAT_FFMPEG");
  snprintf(name, sizeof name, "%s%slibavformat.so.%d", folder ? folder : "", folder ? "/" : "",
           major);
  *library = (CDynamicLibrary){0};
  cdynamiclibrary_open(library, name);
  return library->complete;
}

/// Keeps the version of the newest library that cannot be used, for the error message.
static void refuse(CDynamicLibrary *library, int major) {
  const char *(*version)(void) =
      (const char *(*)(void))cdynamiclibrary_find(library, "av_version_info");
  const char *text = version ? version() : 0;
  if (!*refused) {
    if (text) snprintf(refused, sizeof refused, "%s", text);
    else snprintf(refused, sizeof refused, "libavformat %d", major);
  }
  dlclose(library->handle);
}

/// Fills the table from the libraries of one release; false if the release is unknown.
static bool find_functions(CDynamicLibrary *library) {
#define CFFMPEG_FIND(type, name, arguments) \
  table.name = (__typeof__(table.name))cdynamiclibrary_find(library, #name);
  CFFMPEG_FUNCTIONS(CFFMPEG_FIND)
#undef CFFMPEG_FIND
  if (!library->complete) return false;
  cffmpeg_release = cffmpeg_release_of(table.avformat_version(), table.avcodec_version(),
                                       table.avutil_version());
  return cffmpeg_release >= 0;
}

static void load(void) {
  // Newest first. Versions outside the known releases are opened only to name them in the error
  // message.
  for (int major = 79; major >= 54 && !complete; major--) {
    CDynamicLibrary library;
    if (!open_formats(&library, major)) continue;
    complete = find_functions(&library);
    if (!complete) refuse(&library, major);
  }
  if (!complete) return;
  table.av_log_set_level(AV_LOG_QUIET);
  // A container may claim any number of packets, each with an index entry, so no block may exceed
  // 64 MiB: an index of 16 hours.
  table.av_max_alloc(64 << 20);
}

const CFFmpegTable *cffmpeg_table(void) {
  pthread_once(&once, load);
  return complete ? &table : 0;
}

const char *cffmpeg_refused(void) { return *refused ? refused : 0; }

const char *cffmpeg_releases(int last) {
  static const char *const names[] = {
#define CFFMPEG_NAME(name, ...) name,
      CFFMPEG_RELEASES(CFFMPEG_NAME)
#undef CFFMPEG_NAME
  };
  return names[last ? sizeof names / sizeof *names - 1 : 0];
}
