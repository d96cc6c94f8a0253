// SPDX-License-Identifier: Apache-2.0
#include "CMySofa.h"

#include <CDynamicLibrary.h>
#include <pthread.h>

static pthread_once_t once = PTHREAD_ONCE_INIT;
static CMySofaTable table;
static CDynamicLibrary library;

static void load(void) {
  cdynamiclibrary_open(&library, "libmysofa.so.1");
#define CMYSOFA_FIND(type, name, arguments) \
  table.name = (__typeof__(table.name))cdynamiclibrary_find(&library, "mysofa_" #name);
  CMYSOFA_FUNCTIONS(CMYSOFA_FIND)
#undef CMYSOFA_FIND
}

const CMySofaTable *cmysofa_table(void) {
  pthread_once(&once, load);
  return library.complete ? &table : 0;
}

const char *cmysofa_missing(void) { return library.missing; }
