// SPDX-License-Identifier: Apache-2.0
#include "CEBUR128.h"

#include <dlfcn.h>
#include <pthread.h>
#include <stdio.h>

static pthread_once_t once = PTHREAD_ONCE_INIT;
static CEBUR128Table table;
static char missing[256];
static bool complete;

static void *find(void *library, const char *name) {
  void *function = dlsym(library, name);
  if (!function) {
    complete = false;
    snprintf(missing, sizeof missing, "%s", dlerror());
  }
  return function;
}

static void load(void) {
  void *library = dlopen("libebur128.so.1", RTLD_NOW | RTLD_LOCAL);
  if (!library) {
    snprintf(missing, sizeof missing, "%s", dlerror());
    return;
  }
  complete = true;
#define CEBUR128_FIND(name) table.name = (__typeof__(table.name))find(library, "ebur128_" #name);
  CEBUR128_FUNCTIONS(CEBUR128_FIND)
#undef CEBUR128_FIND
}

const CEBUR128Table *cebur128_table(void) {
  pthread_once(&once, load);
  return complete ? &table : 0;
}

const char *cebur128_missing(void) { return missing; }
