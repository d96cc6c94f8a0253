// SPDX-License-Identifier: Apache-2.0
#include "CSndFile.h"

#include <CDynamicLibrary.h>
#include <pthread.h>

static pthread_once_t once = PTHREAD_ONCE_INIT;
static CSndFileTable table;
static CDynamicLibrary library;

static void load(void) {
  cdynamiclibrary_open(&library, "libsndfile.so.1");
#define CSNDFILE_FIND(type, name, arguments) \
  table.name = (__typeof__(table.name))cdynamiclibrary_find(&library, "sf_" #name);
  CSNDFILE_FUNCTIONS(CSNDFILE_FIND)
#undef CSNDFILE_FIND
}

const CSndFileTable *csndfile_table(void) {
  pthread_once(&once, load);
  return library.complete ? &table : 0;
}

const char *csndfile_missing(void) { return library.missing; }
