// SPDX-License-Identifier: Apache-2.0
#include "CSystemdBus.h"

#include <CDynamicLibrary.h>
#include <pthread.h>
#include <stdbool.h>

static pthread_once_t once = PTHREAD_ONCE_INIT;
static CSystemdBusTable table;
static bool complete;

static bool load_from(const char *name) {
  CDynamicLibrary library = {0};
  cdynamiclibrary_open(&library, name);
#define CSYSTEMDBUS_FIND(type, name, arguments) \
  table.name = (__typeof__(table.name))cdynamiclibrary_find(&library, "sd_bus_" #name);
  CSYSTEMDBUS_FUNCTIONS(CSYSTEMDBUS_FIND)
#undef CSYSTEMDBUS_FIND
  return library.complete;
}

static void load(void) {
  complete = load_from("libsystemd.so.0") || load_from("libelogind.so.0") ||
             load_from("libbasu.so.0");
}

const CSystemdBusTable *csystemdbus_table(void) {
  pthread_once(&once, load);
  return complete ? &table : 0;
}
