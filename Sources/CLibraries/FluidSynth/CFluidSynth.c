// SPDX-License-Identifier: Apache-2.0
#include "CFluidSynth.h"
#include "FontFile.h"

#include <CDynamicLibrary.h>
#include <dlfcn.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <string.h>

static pthread_once_t once = PTHREAD_ONCE_INIT;
static CFluidSynthTable table;
static CDynamicLibrary library;

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

// FluidSynth's last loader also tries a damaged font and reports through GLib. GLib's handlers
// belong to the whole process, so they are set only while a font is read.
typedef void glib_handler(const char *, int, const char *, void *);
static unsigned (*set_handler)(const char *, int, glib_handler *, void *);
static void (*remove_handler)(const char *, unsigned);
static const char *const domains[] = {0, "GLib", "GLib-GObject", "libInstPatch"};
enum { DOMAIN_COUNT = sizeof domains / sizeof domains[0], EVERY_LEVEL = -1 & ~3 };

static void keep_from_glib(const char *domain, int level, const char *message, void *context) {
  (void)domain;
  keep(level, message, context);
}

int cfluidsynth_load_font(
    const CFluidSynthTable *functions, fluid_synth_t *synth, const char *path,
    const CFluidSynthExcerpt *excerpt) {
  unsigned handlers[DOMAIN_COUNT];
  bool found = set_handler && remove_handler;
  for (int i = 0; found && i < DOMAIN_COUNT; i++)
    handlers[i] = set_handler(domains[i], EVERY_LEVEL, keep_from_glib, 0);
  cfluidsynth_begin_excerpt(excerpt);
  int font = functions->fluid_synth_sfload(synth, path, 0);
  cfluidsynth_begin_excerpt(0);
  // Not with the `resets` argument of `sfload`, which may open other fonts for their samples; these
  // are not part of the excerpt.
  if (font >= 0) functions->fluid_synth_program_reset(synth);
  for (int i = 0; found && i < DOMAIN_COUNT; i++) remove_handler(domains[i], handlers[i]);
  return font;
}

static void load(void) {
  cdynamiclibrary_open(&library, "libfluidsynth.so.3");
#define CFLUIDSYNTH_FIND(type, name, arguments) \
  table.name = (__typeof__(table.name))cdynamiclibrary_find(&library, #name);
  CFLUIDSYNTH_FUNCTIONS(CFLUIDSYNTH_FIND)
#undef CFLUIDSYNTH_FIND
  if (!library.complete) return;
  *(void **)&set_handler = dlsym(library.handle, "g_log_set_handler");
  *(void **)&remove_handler = dlsym(library.handle, "g_log_remove_handler");
  table.fluid_set_log_function(FLUID_PANIC, keep, 0);
  table.fluid_set_log_function(FLUID_ERR, keep, 0);
  table.fluid_set_log_function(FLUID_WARN, keep, 0);
  // No function at all: with an empty one, FluidSynth would still format the message, twice for
  // each voice stolen from a note.
  table.fluid_set_log_function(FLUID_INFO, 0, 0);
  table.fluid_set_log_function(FLUID_DBG, 0, 0);
}

const CFluidSynthTable *cfluidsynth_table(void) {
  pthread_once(&once, load);
  return library.complete ? &table : 0;
}

const char *cfluidsynth_missing(void) { return library.missing; }
