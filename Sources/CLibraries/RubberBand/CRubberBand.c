// SPDX-License-Identifier: Apache-2.0
#include "CRubberBand.h"

#include <CDynamicLibrary.h>
#include <pthread.h>

static pthread_once_t once = PTHREAD_ONCE_INIT;
static CRubberBandTable table;
static CDynamicLibrary library;

static void load(void) {
  cdynamiclibrary_open(&library, "librubberband.so.2");
#define CRUBBERBAND_FIND(type, name, arguments) \
  table.name = (__typeof__(table.name))cdynamiclibrary_find(&library, "rubberband_" #name);
  CRUBBERBAND_FUNCTIONS(CRUBBERBAND_FIND)
#undef CRUBBERBAND_FIND
}

const CRubberBandTable *crubberband_table(void) {
  pthread_once(&once, load);
  return library.complete ? &table : 0;
}

const char *crubberband_missing(void) { return library.missing; }
