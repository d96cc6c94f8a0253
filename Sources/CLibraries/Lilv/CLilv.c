// SPDX-License-Identifier: Apache-2.0
#include "CLilv.h"

#define DYNAMICTABLE_PREFIX "lilv_"
#include "../DynamicLibrary/DynamicTable.h"

#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

DYNAMICTABLE(CLilvTable, CLILV_FUNCTIONS, clilv_table, "liblilv-0.so.0")

const char *clilv_missing(void) { return library.missing; }

// URIs by their numbers, from 1, and hash chains of numbers.
enum { chain_count = 256, most_uris = 1 << 16 };
static pthread_mutex_t uri_lock = PTHREAD_MUTEX_INITIALIZER;
static struct {
  char *text;
  LV2_URID next;
} uris[most_uris];
static LV2_URID chains[chain_count];
static LV2_URID last_uri;

static unsigned chain(const char *uri) {
  unsigned sum = 0;
  for (; *uri; uri++) sum = sum * 31 + (unsigned char)*uri;
  return sum % chain_count;
}

LV2_URID clilv_map(LV2_URID_Map_Handle handle, const char *uri) {
  CLILV_COUNT(numbers);
  unsigned place = chain(uri);
  pthread_mutex_lock(&uri_lock);
  LV2_URID found = chains[place];
  while (found && strcmp(uris[found].text, uri)) found = uris[found].next;
  if (!found && last_uri + 1 < most_uris && (uris[last_uri + 1].text = strdup(uri))) {
    found = ++last_uri;
    uris[found].next = chains[place];
    chains[place] = found;
  }
  pthread_mutex_unlock(&uri_lock);
  return found;
}

const char *clilv_unmap(LV2_URID_Unmap_Handle handle, LV2_URID urid) {
  CLILV_COUNT(numbers);
  pthread_mutex_lock(&uri_lock);
  const char *text = urid && urid <= last_uri ? uris[urid].text : 0;
  pthread_mutex_unlock(&uri_lock);
  return text;
}

int clilv_vprint(LV2_Log_Handle handle, LV2_URID type, const char *format, va_list arguments) {
  CLilvLog *log = handle;
  __atomic_add_fetch(&log->count, 1, __ATOMIC_RELAXED);
  if (__atomic_exchange_n(&log->isBusy, true, __ATOMIC_ACQUIRE)) return 0;
  int length = vsnprintf(log->last, sizeof log->last, format, arguments);
  __atomic_store_n(&log->isBusy, false, __ATOMIC_RELEASE);
  return length;
}

int clilv_print(LV2_Log_Handle handle, LV2_URID type, const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  int length = clilv_vprint(handle, type, format, arguments);
  va_end(arguments);
  return length;
}

bool clilv_last_words(CLilvLog *log, char *words, size_t room) {
  if (__atomic_exchange_n(&log->isBusy, true, __ATOMIC_ACQUIRE)) return false;
  snprintf(words, room, "%s", log->last);
  __atomic_store_n(&log->isBusy, false, __ATOMIC_RELEASE);
  return true;
}

void *clilv_open(const char *path, char *reason, size_t room) {
  void *opened = dlopen(path, RTLD_NOW | RTLD_LOCAL);
  if (!opened) snprintf(reason, room, "%s", dlerror());
  return opened;
}

void clilv_close(void *library) { dlclose(library); }
