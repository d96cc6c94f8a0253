// SPDX-License-Identifier: Apache-2.0
#include "CSndFile.h"

#include <dlfcn.h>
#include <pthread.h>
#include <stdio.h>

static pthread_once_t once = PTHREAD_ONCE_INIT;
static CSndFileTable table;
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
  void *library = dlopen("libsndfile.so.1", RTLD_NOW | RTLD_LOCAL);
  if (!library) {
    snprintf(missing, sizeof missing, "%s", dlerror());
    return;
  }
  complete = true;
#define CSNDFILE_FIND(name) table.name = (__typeof__(table.name))find(library, "sf_" #name);
  CSNDFILE_FUNCTIONS(CSNDFILE_FIND)
#undef CSNDFILE_FIND
}

const CSndFileTable *csndfile_table(void) {
  pthread_once(&once, load);
  return complete ? &table : 0;
}

const char *csndfile_missing(void) { return missing; }
