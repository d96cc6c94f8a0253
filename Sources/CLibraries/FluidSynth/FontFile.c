// SPDX-License-Identifier: Apache-2.0
// Lets FluidSynth read a font from its file or from an excerpt.
//
// FluidSynth passes only a name to its callbacks. It opens the same name again to read samples
// later, and their positions are the same in the excerpt and in the file. So the excerpt is set for
// the thread during loading only.
#include "FontFile.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct {
  FILE *file;
  const CFluidSynthExcerpt *excerpt;
  size_t place;
} FontFile;

static _Thread_local const CFluidSynthExcerpt *current;

void cfluidsynth_begin_excerpt(const CFluidSynthExcerpt *excerpt) { current = excerpt; }

static int close_font(void *handle) {
  FontFile *font = handle;
  int code = fclose(font->file) == 0 ? FLUID_OK : FLUID_FAILED;
  free(font);
  return code;
}

static void *open_font(const char *path) {
  FontFile *font = calloc(1, sizeof *font);
  if (!font) return 0;
  font->file = fopen(path, "rbe");
  if (!font->file) {
    free(font);
    return 0;
  }
  font->excerpt = current;
  return font;
}

static int read_file(FontFile *font, void *into, size_t count) {
  return fread(into, 1, count, font->file) == count ? FLUID_OK : FLUID_FAILED;
}

/// Replaces the file's size field with that of the excerpt in the bytes just read.
static void patch_size(const FontFile *font, unsigned char *into, size_t count) {
  for (size_t i = 0; i < sizeof font->excerpt->size; i++)
    if (4 + i >= font->place && 4 + i < font->place + count)
      into[4 + i - font->place] = font->excerpt->size[i];
}

static int read_font(void *into, fluid_long_long_t length, void *handle) {
  FontFile *font = handle;
  if (length < 0) return FLUID_FAILED;
  size_t count = (size_t)length;
  const CFluidSynthExcerpt *excerpt = font->excerpt;
  if (!excerpt) return read_file(font, into, count);
  if (count > excerpt->own_count + excerpt->table_count - font->place) return FLUID_FAILED;
  size_t own = font->place < excerpt->own_count ? excerpt->own_count - font->place : 0;
  if (own > count) own = count;
  if (own > 0 && read_file(font, into, own) != FLUID_OK) return FLUID_FAILED;
  patch_size(font, into, own);
  font->place += count;
  if (count > own) {
    size_t end = font->place - excerpt->own_count;
    memcpy((unsigned char *)into + own, excerpt->tables + (end - (count - own)), count - own);
  }
  return FLUID_OK;
}

static int seek_font(void *handle, fluid_long_long_t offset, int origin) {
  FontFile *font = handle;
  const CFluidSynthExcerpt *excerpt = font->excerpt;
  if (!excerpt) return fseeko(font->file, offset, origin) == 0 ? FLUID_OK : FLUID_FAILED;
  size_t end = excerpt->own_count + excerpt->table_count;
  size_t base = origin == SEEK_SET ? 0 : origin == SEEK_CUR ? font->place : end;
  fluid_long_long_t place = (fluid_long_long_t)base + offset;
  if (place < 0 || (size_t)place > end) return FLUID_FAILED;
  font->place = (size_t)place;
  if (font->place >= excerpt->own_count) return FLUID_OK;
  return fseeko(font->file, place, SEEK_SET) == 0 ? FLUID_OK : FLUID_FAILED;
}

static fluid_long_long_t tell_font(void *handle) {
  FontFile *font = handle;
  return font->excerpt ? (fluid_long_long_t)font->place : (fluid_long_long_t)ftello(font->file);
}

void cfluidsynth_add_loader(
    const CFluidSynthTable *table, fluid_settings_t *settings, fluid_synth_t *synth) {
  fluid_sfloader_t *loader = table->new_fluid_defsfloader(settings);
  if (!loader) return;
  table->fluid_sfloader_set_callbacks(
      loader, open_font, read_font, seek_font, tell_font, close_font);
  table->fluid_synth_add_sfloader(synth, loader);
}
