// SPDX-License-Identifier: Apache-2.0
#include "CFFmpeg.h"

#include <CDynamicLibrary.h>
#include <dlfcn.h>
#include <pthread.h>
#include <stdio.h>

static pthread_once_t once = PTHREAD_ONCE_INIT;
static CFFmpegTable table;
static CDynamicLibrary library;
static int refused;

/// FFmpeg 5.1, the first whose frames hold a channel layout of the new kind.
static bool is_tried(unsigned version, unsigned major, unsigned minor) {
  return version >> 16 == major && (version >> 8 & 255) >= minor;
}

static bool are_tried(void) {
  return is_tried(table.avformat_version(), 59, 27) && is_tried(table.avcodec_version(), 59, 37) &&
         is_tried(table.avutil_version(), 57, 28);
}

static void look_for_others(void) {
  for (int major = 57; major < 80 && !refused; major++) {
    char name[32];
    snprintf(name, sizeof name, "libavformat.so.%d", major);
    void *handle = dlopen(name, RTLD_LAZY | RTLD_LOCAL);
    if (!handle) continue;
    refused = major;
    dlclose(handle);
  }
}

static void load(void) {
  // It brings the other two, and a function is looked for in all that a library has brought.
  cdynamiclibrary_open(&library, "libavformat.so.59");
#define CFFMPEG_FIND(type, name, arguments) \
  table.name = (__typeof__(table.name))cdynamiclibrary_find(&library, #name);
  CFFMPEG_FUNCTIONS(CFFMPEG_FIND)
#undef CFFMPEG_FIND
  if (library.complete) library.complete = are_tried();
  if (library.complete) {
    table.av_log_set_level(AV_LOG_QUIET);
    // A container may claim any number of packets, and an entry of an index is made for each. No
    // block is larger than 64 MiB: an index of 16 hours.
    table.av_max_alloc(64 << 20);
  } else {
    look_for_others();
  }
}

const CFFmpegTable *cffmpeg_table(void) {
  pthread_once(&once, load);
  return library.complete ? &table : 0;
}

const char *cffmpeg_missing(void) { return library.missing; }

int cffmpeg_refused(void) { return refused; }
