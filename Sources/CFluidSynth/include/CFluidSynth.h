// SPDX-License-Identifier: Apache-2.0
// FluidSynth's own declarations, a table of the functions that are used, and thin calls through
// it for the render thread.
//
// The library is opened on first use: linking it would load sixty shared libraries, 8 ms, at
// every start of a program that may never make a sound.
#ifndef CFLUIDSYNTH_H
#define CFLUIDSYNTH_H

#include <fluidsynth.h>
#include <stddef.h>

#define CFLUIDSYNTH_FUNCTIONS(f)                                                                  \
  f(new_fluid_settings) f(delete_fluid_settings) f(fluid_settings_setint)                         \
  f(fluid_settings_setnum) f(fluid_settings_setstr) f(new_fluid_synth) f(delete_fluid_synth)      \
  f(fluid_synth_sfload) f(fluid_synth_get_sfont) f(fluid_synth_add_sfont)                         \
  f(fluid_synth_remove_sfont) f(fluid_synth_program_reset) f(fluid_synth_pin_preset)              \
  f(fluid_synth_get_channel_preset) f(fluid_preset_get_sfont) f(fluid_preset_get_banknum)         \
  f(fluid_preset_get_num) f(fluid_sfont_get_id) f(fluid_set_log_function)                         \
  f(fluid_synth_noteon) f(fluid_synth_noteoff) f(fluid_synth_cc) f(fluid_synth_program_change)    \
  f(fluid_synth_channel_pressure) f(fluid_synth_key_pressure) f(fluid_synth_pitch_bend)           \
  f(fluid_synth_sysex) f(fluid_synth_process) f(fluid_synth_system_reset)                         \
  f(fluid_synth_all_sounds_off) f(fluid_synth_get_active_voice_count)                             \
  f(fluid_synth_set_channel_type) f(fluid_synth_pitch_wheel_sens) f(fluid_synth_set_gain)         \
  f(fluid_synth_get_voicelist) f(fluid_voice_get_id) f(fluid_voice_get_channel)                   \
  f(fluid_voice_get_key) f(fluid_voice_gen_incr) f(fluid_voice_update_param)                      \
  f(new_fluid_mod) f(delete_fluid_mod) f(fluid_mod_set_source1) f(fluid_mod_set_source2)          \
  f(fluid_mod_set_dest) f(fluid_mod_set_amount) f(fluid_synth_add_default_mod)          \
  f(fluid_synth_sfcount) f(fluid_synth_get_program) f(fluid_synth_set_bank_offset)                \
  f(fluid_synth_get_bank_offset) f(fluid_synth_set_gen) f(fluid_settings_getstr_default)          \
  f(fluid_synth_bank_select) f(fluid_sfont_get_preset) f(fluid_synth_set_reverb)                  \
  f(fluid_synth_set_chorus) f(new_fluid_defsfloader) f(fluid_sfloader_set_callbacks)            \
  f(fluid_synth_add_sfloader) f(fluid_version_str)

// Setting reverb and chorus as a whole is deprecated, but their single setters lock.
#pragma clang diagnostic push
#pragma clang diagnostic ignored "-Wdeprecated-declarations"
typedef struct {
#define CFLUIDSYNTH_FIELD(name) __typeof__(&name) name;
  CFLUIDSYNTH_FUNCTIONS(CFLUIDSYNTH_FIELD)
#undef CFLUIDSYNTH_FIELD
} CFluidSynthTable;
#pragma clang diagnostic pop

/// Opens the library once; any thread may ask. Returns null where it is missing.
const CFluidSynthTable *cfluidsynth_table(void);

/// Why the library could not be opened: the loader's own words.
const char *cfluidsynth_missing(void);

/// Copies what FluidSynth has said since the last call, one line a message, and forgets it.
///
/// FluidSynth prints to the standard error stream from whichever thread it runs on; here its
/// words go to a fixed buffer instead, without a lock: what comes while another thread writes
/// is dropped.
void cfluidsynth_take_words(char *words, size_t size);

/// What FluidSynth is to read in place of a font's file: its own bytes up to a place, with another
/// size at byte 4, then other tables.
typedef struct {
  size_t own_count;
  unsigned char size[4];
  const unsigned char *tables;
  size_t table_count;
} CFluidSynthExcerpt;

/// Lets a synth read fonts through this module, so that it can be given excerpts.
void cfluidsynth_add_loader(
    const CFluidSynthTable *table, fluid_settings_t *settings, fluid_synth_t *synth);

/// Loads a font, or an excerpt of it: `fluid_synth_sfload`. What GLib would print is kept with
/// FluidSynth's words. The excerpt is read before this returns, and no longer.
int cfluidsynth_load_font(
    const CFluidSynthTable *table, fluid_synth_t *synth, const char *path,
    const CFluidSynthExcerpt *excerpt);

// Calls on the render thread. With synth.threadsafe-api off none of them locks; none allocates
// but `process` with effects on, inside the OpenMP runtime (one team of one a call).
#define CFLUIDSYNTH_REALTIME                                                                      \
  static inline __attribute__((swift_attr("@_noLocks"), swift_attr("@_noAllocation")))

CFLUIDSYNTH_REALTIME int cfluidsynth_noteon(
    const CFluidSynthTable *table, fluid_synth_t *synth, int channel, int key, int velocity) {
  return table->fluid_synth_noteon(synth, channel, key, velocity);
}

CFLUIDSYNTH_REALTIME int cfluidsynth_noteoff(
    const CFluidSynthTable *table, fluid_synth_t *synth, int channel, int key) {
  return table->fluid_synth_noteoff(synth, channel, key);
}

CFLUIDSYNTH_REALTIME int cfluidsynth_cc(
    const CFluidSynthTable *table, fluid_synth_t *synth, int channel, int controller, int value) {
  return table->fluid_synth_cc(synth, channel, controller, value);
}

CFLUIDSYNTH_REALTIME int cfluidsynth_program_change(
    const CFluidSynthTable *table, fluid_synth_t *synth, int channel, int program) {
  return table->fluid_synth_program_change(synth, channel, program);
}

CFLUIDSYNTH_REALTIME int cfluidsynth_channel_pressure(
    const CFluidSynthTable *table, fluid_synth_t *synth, int channel, int value) {
  return table->fluid_synth_channel_pressure(synth, channel, value);
}

CFLUIDSYNTH_REALTIME int cfluidsynth_key_pressure(
    const CFluidSynthTable *table, fluid_synth_t *synth, int channel, int key, int value) {
  return table->fluid_synth_key_pressure(synth, channel, key, value);
}

CFLUIDSYNTH_REALTIME int cfluidsynth_pitch_bend(
    const CFluidSynthTable *table, fluid_synth_t *synth, int channel, int value) {
  return table->fluid_synth_pitch_bend(synth, channel, value);
}

CFLUIDSYNTH_REALTIME int cfluidsynth_sysex(
    const CFluidSynthTable *table, fluid_synth_t *synth, const unsigned char *bytes, int count) {
  return table->fluid_synth_sysex(synth, (const char *)bytes, count, 0, 0, 0, 0);
}

CFLUIDSYNTH_REALTIME int cfluidsynth_process(
    const CFluidSynthTable *table, fluid_synth_t *synth, int frames, int wet_count, float **wet,
    int dry_count, float **dry) {
  return table->fluid_synth_process(synth, frames, wet_count, wet, dry_count, dry);
}

CFLUIDSYNTH_REALTIME int cfluidsynth_active_voice_count(
    const CFluidSynthTable *table, fluid_synth_t *synth) {
  return table->fluid_synth_get_active_voice_count(synth);
}

CFLUIDSYNTH_REALTIME void cfluidsynth_system_reset(
    const CFluidSynthTable *table, fluid_synth_t *synth) {
  table->fluid_synth_system_reset(synth);
}

CFLUIDSYNTH_REALTIME int cfluidsynth_set_channel_type(
    const CFluidSynthTable *table, fluid_synth_t *synth, int channel, int type) {
  return table->fluid_synth_set_channel_type(synth, channel, type);
}

CFLUIDSYNTH_REALTIME int cfluidsynth_pitch_wheel_sens(
    const CFluidSynthTable *table, fluid_synth_t *synth, int channel, int semitones) {
  return table->fluid_synth_pitch_wheel_sens(synth, channel, semitones);
}

CFLUIDSYNTH_REALTIME int cfluidsynth_bank_select(
    const CFluidSynthTable *table, fluid_synth_t *synth, int channel, int bank) {
  return table->fluid_synth_bank_select(synth, channel, bank);
}

CFLUIDSYNTH_REALTIME void cfluidsynth_set_reverb(
    const CFluidSynthTable *table, fluid_synth_t *synth, double room_size, double damping,
    double width, double level) {
  table->fluid_synth_set_reverb(synth, room_size, damping, width, level);
}

CFLUIDSYNTH_REALTIME void cfluidsynth_set_chorus(
    const CFluidSynthTable *table, fluid_synth_t *synth, int voices, double level, double hertz,
    double depth) {
  table->fluid_synth_set_chorus(synth, voices, level, hertz, depth, FLUID_CHORUS_MOD_SINE);
}

CFLUIDSYNTH_REALTIME void cfluidsynth_set_gain(
    const CFluidSynthTable *table, fluid_synth_t *synth, float gain) {
  table->fluid_synth_set_gain(synth, gain);
}

/// The voices that sound; returns how many of them are in `voices`.
CFLUIDSYNTH_REALTIME int cfluidsynth_voices(
    const CFluidSynthTable *table, fluid_synth_t *synth, fluid_voice_t **voices, int capacity) {
  table->fluid_synth_get_voicelist(synth, voices, capacity, -1);
  int count = 0;
  while (count < capacity && voices[count]) count++;
  return count;
}

CFLUIDSYNTH_REALTIME unsigned cfluidsynth_voice_id(
    const CFluidSynthTable *table, const fluid_voice_t *voice) {
  return table->fluid_voice_get_id(voice);
}

CFLUIDSYNTH_REALTIME int cfluidsynth_voice_channel(
    const CFluidSynthTable *table, const fluid_voice_t *voice) {
  return table->fluid_voice_get_channel(voice);
}

CFLUIDSYNTH_REALTIME int cfluidsynth_voice_key(
    const CFluidSynthTable *table, const fluid_voice_t *voice) {
  return table->fluid_voice_get_key(voice);
}

CFLUIDSYNTH_REALTIME void cfluidsynth_voice_tune(
    const CFluidSynthTable *table, fluid_voice_t *voice, float cents) {
  table->fluid_voice_gen_incr(voice, GEN_FINETUNE, cents);
  table->fluid_voice_update_param(voice, GEN_FINETUNE);
}

/// Takes as many centibels from a channel as its preset's font, numbered from 1, is given.
CFLUIDSYNTH_REALTIME void cfluidsynth_level(
    const CFluidSynthTable *table, fluid_synth_t *synth, int channel, const float *levels,
    int count) {
  fluid_preset_t *preset = table->fluid_synth_get_channel_preset(synth, channel);
  if (!preset) return;
  int font = table->fluid_sfont_get_id(table->fluid_preset_get_sfont(preset));
  if (font >= 1 && font <= count)
    table->fluid_synth_set_gen(synth, channel, GEN_ATTENUATION, levels[font - 1]);
}

CFLUIDSYNTH_REALTIME void cfluidsynth_silence(
    const CFluidSynthTable *table, fluid_synth_t *synth) {
  // In this order: a reset after the silence would wake the voices again.
  table->fluid_synth_system_reset(synth);
  table->fluid_synth_all_sounds_off(synth, -1);
}

#endif
