// SPDX-License-Identifier: Apache-2.0
#include "CFluidSynth.h"

#include <dlfcn.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

static pthread_once_t once = PTHREAD_ONCE_INIT;
static CFluidSynthTable table;
static char missing[256];
static bool complete;

static char words[1024];
static size_t words_length;
static atomic_flag words_taken = ATOMIC_FLAG_INIT;

static void keep(int level, const char *message, void *context) {
  (void)level;
  (void)context;
  if (atomic_flag_test_and_set_explicit(&words_taken, memory_order_acquire)) return;
  size_t length = strlen(message);
  if (words_length + length + 1 <= sizeof words) {
    memcpy(words + words_length, message, length);
    words[words_length + length] = '\n';
    words_length += length + 1;
  }
  atomic_flag_clear_explicit(&words_taken, memory_order_release);
}

static void ignore(int level, const char *message, void *context) {
  (void)level;
  (void)message;
  (void)context;
}

void cfluidsynth_take_words(char *into, size_t size) {
  if (size == 0) return;
  into[0] = 0;
  if (atomic_flag_test_and_set_explicit(&words_taken, memory_order_acquire)) return;
  size_t length = words_length < size - 1 ? words_length : size - 1;
  memcpy(into, words, length);
  into[length] = 0;
  words_length = 0;
  atomic_flag_clear_explicit(&words_taken, memory_order_release);
}

static void *find(void *library, const char *name) {
  void *function = dlsym(library, name);
  if (!function) {
    complete = false;
    snprintf(missing, sizeof missing, "%s", dlerror());
  }
  return function;
}

static void load(void) {
  void *library = dlopen("libfluidsynth.so.3", RTLD_NOW | RTLD_LOCAL);
  if (!library) {
    snprintf(missing, sizeof missing, "%s", dlerror());
    return;
  }
  complete = true;
#define CFLUIDSYNTH_FIND(name) table.name = (__typeof__(table.name))find(library, #name);
  CFLUIDSYNTH_FUNCTIONS(CFLUIDSYNTH_FIND)
#undef CFLUIDSYNTH_FIND
  if (!complete) return;
  table.fluid_set_log_function(FLUID_PANIC, keep, 0);
  table.fluid_set_log_function(FLUID_ERR, keep, 0);
  table.fluid_set_log_function(FLUID_WARN, keep, 0);
  table.fluid_set_log_function(FLUID_INFO, ignore, 0);
  table.fluid_set_log_function(FLUID_DBG, ignore, 0);
}

const CFluidSynthTable *cfluidsynth_table(void) {
  pthread_once(&once, load);
  return complete ? &table : 0;
}

const char *cfluidsynth_missing(void) { return missing; }
