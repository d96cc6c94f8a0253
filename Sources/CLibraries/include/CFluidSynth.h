// SPDX-License-Identifier: Apache-2.0
// The functions of FluidSynth in use, and inline calls of them for the render thread.
//
// The library is opened on first use: linking it would load sixty shared libraries, 8 ms, at every
// start of a program that may never make a sound. The functions that set reverb and chorus as a
// whole are deprecated, but the functions for one value lock.
#ifndef CFLUIDSYNTH_H
#define CFLUIDSYNTH_H

#include <stddef.h>

#include "CFluidSynthTypes.h"

#define CFLUIDSYNTH_FUNCTIONS(f)                                                                  \
  f(fluid_settings_t *, new_fluid_settings, (void))                                               \
  f(void, delete_fluid_settings, (fluid_settings_t *))                                            \
  f(int, fluid_settings_setint, (fluid_settings_t *, const char *, int))                          \
  f(int, fluid_settings_setnum, (fluid_settings_t *, const char *, double))                       \
  f(int, fluid_settings_setstr, (fluid_settings_t *, const char *, const char *))                 \
  f(int, fluid_settings_getstr_default, (fluid_settings_t *, const char *, char **))              \
  f(fluid_synth_t *, new_fluid_synth, (fluid_settings_t *))                                       \
  f(void, delete_fluid_synth, (fluid_synth_t *))                                                  \
  f(int, fluid_synth_sfload, (fluid_synth_t *, const char *path, int resets))                     \
  f(int, fluid_synth_sfcount, (fluid_synth_t *))                                                  \
  f(fluid_sfont_t *, fluid_synth_get_sfont, (fluid_synth_t *, unsigned number))                   \
  f(int, fluid_synth_add_sfont, (fluid_synth_t *, fluid_sfont_t *))                               \
  f(int, fluid_synth_remove_sfont, (fluid_synth_t *, fluid_sfont_t *))                            \
  f(int, fluid_synth_set_bank_offset, (fluid_synth_t *, int font, int offset))                    \
  f(int, fluid_synth_get_bank_offset, (fluid_synth_t *, int font))                                \
  f(int, fluid_synth_program_reset, (fluid_synth_t *))                                            \
  f(int, fluid_synth_pin_preset, (fluid_synth_t *, int font, int bank, int program))              \
  f(fluid_preset_t *, fluid_synth_get_channel_preset, (fluid_synth_t *, int channel))             \
  f(fluid_sfont_t *, fluid_preset_get_sfont, (fluid_preset_t *))                                  \
  f(int, fluid_preset_get_banknum, (fluid_preset_t *))                                            \
  f(int, fluid_preset_get_num, (fluid_preset_t *))                                                \
  f(int, fluid_sfont_get_id, (fluid_sfont_t *))                                                   \
  f(fluid_preset_t *, fluid_sfont_get_preset, (fluid_sfont_t *, int bank, int program))           \
  f(fluid_log_function_t, fluid_set_log_function,                                                 \
    (int level, fluid_log_function_t, void *context))                                             \
  f(int, fluid_synth_noteon, (fluid_synth_t *, int channel, int key, int velocity))               \
  f(int, fluid_synth_noteoff, (fluid_synth_t *, int channel, int key))                            \
  f(int, fluid_synth_cc, (fluid_synth_t *, int channel, int controller, int value))               \
  f(int, fluid_synth_program_change, (fluid_synth_t *, int channel, int program))                 \
  f(int, fluid_synth_bank_select, (fluid_synth_t *, int channel, int bank))                       \
  f(int, fluid_synth_channel_pressure, (fluid_synth_t *, int channel, int value))                 \
  f(int, fluid_synth_key_pressure, (fluid_synth_t *, int channel, int key, int value))            \
  f(int, fluid_synth_pitch_bend, (fluid_synth_t *, int channel, int value))                       \
  f(int, fluid_synth_pitch_wheel_sens, (fluid_synth_t *, int channel, int semitones))             \
  f(int, fluid_synth_process,                                                                     \
    (fluid_synth_t *, int frames, int wet_count, float **wet, int dry_count, float **dry))        \
  f(int, fluid_synth_system_reset, (fluid_synth_t *))                                             \
  f(int, fluid_synth_all_sounds_off, (fluid_synth_t *, int channel))                              \
  f(int, fluid_synth_get_active_voice_count, (fluid_synth_t *))                                   \
  f(int, fluid_synth_set_channel_type, (fluid_synth_t *, int channel, int type))                  \
  f(void, fluid_synth_set_gain, (fluid_synth_t *, float gain))                                    \
  f(int, fluid_synth_set_gen, (fluid_synth_t *, int channel, int generator, float value))         \
  f(int, fluid_synth_set_reverb,                                                                  \
    (fluid_synth_t *, double room_size, double damping, double width, double level))              \
  f(int, fluid_synth_set_chorus,                                                                  \
    (fluid_synth_t *, int voices, double level, double hertz, double depth, int kind))            \
  f(void, fluid_synth_get_voicelist, (fluid_synth_t *, fluid_voice_t **, int capacity, int id))   \
  f(unsigned, fluid_voice_get_id, (const fluid_voice_t *))                                        \
  f(int, fluid_voice_get_channel, (const fluid_voice_t *))                                        \
  f(int, fluid_voice_get_key, (const fluid_voice_t *))                                            \
  f(int, fluid_voice_get_actual_velocity, (const fluid_voice_t *))                                \
  f(int, fluid_voice_is_on, (const fluid_voice_t *))                                              \
  f(int, fluid_voice_is_sustained, (const fluid_voice_t *))                                       \
  f(int, fluid_voice_is_sostenuto, (const fluid_voice_t *))                                       \
  f(float, fluid_voice_gen_get, (fluid_voice_t *, int generator))                                 \
  f(void, fluid_voice_gen_set, (fluid_voice_t *, int generator, float value))                     \
  f(void, fluid_voice_gen_incr, (fluid_voice_t *, int generator, float value))                    \
  f(void, fluid_voice_update_param, (fluid_voice_t *, int generator))                             \
  f(fluid_sample_t *, new_fluid_sample, (void))                                                   \
  f(void, delete_fluid_sample, (fluid_sample_t *))                                                \
  f(int, fluid_sample_set_sound_data,                                                             \
    (fluid_sample_t *, short *data, char *data24, unsigned count, unsigned rate, short copies))   \
  f(int, fluid_sample_set_loop, (fluid_sample_t *, unsigned start, unsigned end))                 \
  f(int, fluid_sample_set_pitch, (fluid_sample_t *, int key, int cents))                          \
  f(fluid_voice_t *, fluid_synth_alloc_voice,                                                     \
    (fluid_synth_t *, fluid_sample_t *, int channel, int key, int velocity))                      \
  f(void, fluid_synth_start_voice, (fluid_synth_t *, fluid_voice_t *))                            \
  f(int, fluid_synth_set_interp_method, (fluid_synth_t *, int channel, int method))               \
  f(int, fluid_synth_reverb_on, (fluid_synth_t *, int group, int on))                             \
  f(int, fluid_synth_chorus_on, (fluid_synth_t *, int group, int on))                             \
  f(fluid_mod_t *, new_fluid_mod, (void))                                                         \
  f(void, delete_fluid_mod, (fluid_mod_t *))                                                      \
  f(void, fluid_mod_set_source1, (fluid_mod_t *, int source, int flags))                          \
  f(void, fluid_mod_set_source2, (fluid_mod_t *, int source, int flags))                          \
  f(void, fluid_mod_set_dest, (fluid_mod_t *, int generator))                                     \
  f(void, fluid_mod_set_amount, (fluid_mod_t *, double amount))                                   \
  f(int, fluid_synth_add_default_mod, (fluid_synth_t *, const fluid_mod_t *, int mode))           \
  f(fluid_sfloader_t *, new_fluid_defsfloader, (fluid_settings_t *))                              \
  f(int, fluid_sfloader_set_callbacks,                                                            \
    (fluid_sfloader_t *, fluid_sfloader_callback_open_t, fluid_sfloader_callback_read_t,          \
     fluid_sfloader_callback_seek_t, fluid_sfloader_callback_tell_t,                              \
     fluid_sfloader_callback_close_t))                                                            \
  f(void, fluid_synth_add_sfloader, (fluid_synth_t *, fluid_sfloader_t *))                        \
  f(char *, fluid_version_str, (void))

typedef struct {
#define CFLUIDSYNTH_FIELD(type, name, arguments) type(*name) arguments;
  CFLUIDSYNTH_FUNCTIONS(CFLUIDSYNTH_FIELD)
#undef CFLUIDSYNTH_FIELD
} CFluidSynthTable;

/// Opens the library on the first call, on any thread, and returns its functions; null if it is
/// missing.
const CFluidSynthTable *cfluidsynth_table(void);

/// The loader's message if the library could not be opened.
const char *cfluidsynth_missing(void);

/// Copies FluidSynth's messages since the last call, one per line, and discards them.
///
/// By default, FluidSynth prints to standard error from the thread it runs on. Here its messages go
/// to a fixed buffer without a lock: a message is dropped if another thread is writing at that
/// time.
void cfluidsynth_take_words(char *words, size_t size);

/// Bytes that FluidSynth reads in place of a font's file: the file's bytes up to an offset, with
/// another size at byte 4, then other tables.
typedef struct {
  size_t own_count;
  unsigned char size[4];
  const unsigned char *tables;
  size_t table_count;
} CFluidSynthExcerpt;

/// Makes a synth read fonts through this module, so that excerpts are possible.
void cfluidsynth_add_loader(
    const CFluidSynthTable *table, fluid_settings_t *settings, fluid_synth_t *synth);

/// Loads a font or an excerpt of it (`fluid_synth_sfload`).
///
/// GLib's messages are kept with FluidSynth's. The excerpt is used only during the call.
int cfluidsynth_load_font(
    const CFluidSynthTable *table, fluid_synth_t *synth, const char *path,
    const CFluidSynthExcerpt *excerpt);

// Calls for the render thread. With synth.threadsafe-api off, none of them locks; none allocates
// except `process` with effects on, inside the OpenMP runtime (one team of one thread for each
// call).
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

/// Fills `voices` with the active voices; returns their number.
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

/// Returns 1 if the key of a voice is down, otherwise 0.
CFLUIDSYNTH_REALTIME int cfluidsynth_voice_is_held(
    const CFluidSynthTable *table, const fluid_voice_t *voice) {
  return table->fluid_voice_is_on(voice);
}

CFLUIDSYNTH_REALTIME int cfluidsynth_voice_is_pedalled(
    const CFluidSynthTable *table, const fluid_voice_t *voice) {
  return table->fluid_voice_is_sustained(voice) || table->fluid_voice_is_sostenuto(voice);
}

CFLUIDSYNTH_REALTIME int cfluidsynth_voice_velocity(
    const CFluidSynthTable *table, const fluid_voice_t *voice) {
  return table->fluid_voice_get_actual_velocity(voice);
}

/// Attenuation in centibels beyond that of any font; marks a voice that is fading out.
#define CFLUIDSYNTH_SILENT 20000.0f

CFLUIDSYNTH_REALTIME int cfluidsynth_voice_is_fading(
    const CFluidSynthTable *table, fluid_voice_t *voice) {
  return table->fluid_voice_gen_get(voice, GEN_ATTENUATION) == CFLUIDSYNTH_SILENT;
}

/// Fades a voice to silence within a quantum; attenuation alone does not end the voice.
CFLUIDSYNTH_REALTIME void cfluidsynth_voice_fade(
    const CFluidSynthTable *table, fluid_voice_t *voice) {
  table->fluid_voice_gen_set(voice, GEN_ATTENUATION, CFLUIDSYNTH_SILENT);
  table->fluid_voice_update_param(voice, GEN_ATTENUATION);
}

/// Ends a voice at once, even if a key or pedal holds it: the sample's end moves to its start.
CFLUIDSYNTH_REALTIME void cfluidsynth_voice_end(
    const CFluidSynthTable *table, fluid_voice_t *voice) {
  static const int places[] = {GEN_STARTADDRCOARSEOFS, GEN_ENDADDRCOARSEOFS};
  for (int index = 0; index < 2; index++) {
    table->fluid_voice_gen_set(voice, places[index], -16384);
    table->fluid_voice_update_param(voice, places[index]);
  }
}

CFLUIDSYNTH_REALTIME void cfluidsynth_voice_tune(
    const CFluidSynthTable *table, fluid_voice_t *voice, float cents) {
  table->fluid_voice_gen_incr(voice, GEN_FINETUNE, cents);
  table->fluid_voice_update_param(voice, GEN_FINETUNE);
}

/// Attenuates a channel by the level, in centibels, of its preset's font; fonts are numbered from
/// 1.
CFLUIDSYNTH_REALTIME void cfluidsynth_level(
    const CFluidSynthTable *table, fluid_synth_t *synth, int channel, const float *levels,
    int count) {
  fluid_preset_t *preset = table->fluid_synth_get_channel_preset(synth, channel);
  if (!preset) return;
  int font = table->fluid_sfont_get_id(table->fluid_preset_get_sfont(preset));
  if (font >= 1 && font <= count)
    table->fluid_synth_set_gen(synth, channel, GEN_ATTENUATION, levels[font - 1]);
}

/// Starts an endless voice that only feeds one effect at full level and is not audible itself; key,
/// velocity and filter change it as little as possible.
CFLUIDSYNTH_REALTIME void cfluidsynth_start_feed(
    const CFluidSynthTable *table, fluid_synth_t *synth, fluid_sample_t *sample, int key,
    int effect) {
  fluid_voice_t *voice = table->fluid_synth_alloc_voice(synth, sample, 0, key, 127);
  if (!voice) return;
  table->fluid_voice_gen_set(voice, GEN_SAMPLEMODE, 1);
  table->fluid_voice_gen_set(voice, GEN_FILTERFC, 20000);
  // Negative, so that it stays at 0 after the attenuation by controllers and velocity.
  table->fluid_voice_gen_set(voice, GEN_ATTENUATION, -100);
  table->fluid_voice_gen_set(voice, effect, 1000);
  table->fluid_synth_start_voice(synth, voice);
}

/// Enables one of two groups of effects, 0 or 1, and disables the other.
CFLUIDSYNTH_REALTIME void cfluidsynth_choose_effects(
    const CFluidSynthTable *table, fluid_synth_t *synth, int group) {
  // On before off: without any effect that is on, voices do not send to the effects.
  table->fluid_synth_reverb_on(synth, group, 1);
  table->fluid_synth_chorus_on(synth, group, 1);
  table->fluid_synth_reverb_on(synth, 1 - group, 0);
  table->fluid_synth_chorus_on(synth, 1 - group, 0);
}

/// Returns 1 if a font has a preset at this bank, bank offset included; otherwise 0.
CFLUIDSYNTH_REALTIME int cfluidsynth_has_preset(
    const CFluidSynthTable *table, fluid_synth_t *synth, int bank, int program) {
  int count = table->fluid_synth_sfcount(synth);
  for (int place = 0; place < count; place++) {
    fluid_sfont_t *font = table->fluid_synth_get_sfont(synth, (unsigned)place);
    if (!font) continue;
    int own = bank - table->fluid_synth_get_bank_offset(synth, table->fluid_sfont_get_id(font));
    if (own >= 0 && table->fluid_sfont_get_preset(font, own, program)) return 1;
  }
  return 0;
}

CFLUIDSYNTH_REALTIME void cfluidsynth_silence(
    const CFluidSynthTable *table, fluid_synth_t *synth) {
  // In this order: a reset after the silence would restart the voices.
  table->fluid_synth_system_reset(synth);
  table->fluid_synth_all_sounds_off(synth, -1);
}

#endif
