// SPDX-License-Identifier: Apache-2.0
#include "CCairo.h"

#include <CDynamicLibrary.h>
#include <pthread.h>

static pthread_once_t once = PTHREAD_ONCE_INIT;
static CCairoTable table;
static CDynamicLibrary library;

static void load(void) {
  cdynamiclibrary_open(&library, "libcairo.so.2");
#define CCAIRO_FIND(type, name, arguments) \
  table.name = (__typeof__(table.name))cdynamiclibrary_find(&library, "cairo_" #name);
  CCAIRO_FUNCTIONS(CCAIRO_FIND)
#undef CCAIRO_FIND
}

const CCairoTable *ccairo_table(void) {
  pthread_once(&once, load);
  return library.complete ? &table : 0;
}
