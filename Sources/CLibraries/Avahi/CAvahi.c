// SPDX-License-Identifier: Apache-2.0
#include "CAvahi.h"

#include <CDynamicLibrary.h>
#include <pthread.h>

static pthread_once_t once = PTHREAD_ONCE_INIT;
static CAvahiTable table;
static CDynamicLibrary library;

static void load(void) {
  // Its other half, libavahi-common, comes with it.
  cdynamiclibrary_open(&library, "libavahi-client.so.3");
#define CAVAHI_FIND(type, name, arguments) \
  table.name = (__typeof__(table.name))cdynamiclibrary_find(&library, "avahi_" #name);
  CAVAHI_FUNCTIONS(CAVAHI_FIND)
#undef CAVAHI_FIND
}

const CAvahiTable *cavahi_table(void) {
  pthread_once(&once, load);
  return library.complete ? &table : 0;
}
