// SPDX-License-Identifier: Apache-2.0
// Declarations of the part of FluidSynth's interface in use, versions 2 and 3, so that building
// does not require its headers.
#ifndef CFLUIDSYNTH_TYPES_H
#define CFLUIDSYNTH_TYPES_H

typedef struct _fluid_hashtable_t fluid_settings_t;
typedef struct _fluid_synth_t fluid_synth_t;
typedef struct _fluid_voice_t fluid_voice_t;
typedef struct _fluid_sfloader_t fluid_sfloader_t;
typedef struct _fluid_sfont_t fluid_sfont_t;
typedef struct _fluid_preset_t fluid_preset_t;
typedef struct _fluid_mod_t fluid_mod_t;
typedef struct _fluid_sample_t fluid_sample_t;
typedef long long fluid_long_long_t;

typedef void (*fluid_log_function_t)(int level, const char *message, void *context);
typedef void *(*fluid_sfloader_callback_open_t)(const char *path);
typedef int (*fluid_sfloader_callback_read_t)(void *bytes, fluid_long_long_t count, void *handle);
typedef int (*fluid_sfloader_callback_seek_t)(void *handle, fluid_long_long_t offset, int origin);
typedef int (*fluid_sfloader_callback_close_t)(void *handle);
typedef fluid_long_long_t (*fluid_sfloader_callback_tell_t)(void *handle);

#define FLUID_OK 0
#define FLUID_FAILED (-1)

enum fluid_log_level { FLUID_PANIC, FLUID_ERR, FLUID_WARN, FLUID_INFO, FLUID_DBG };
enum fluid_chorus_mod { FLUID_CHORUS_MOD_SINE = 0 };
enum fluid_interp { FLUID_INTERP_NONE = 0 };
enum fluid_synth_add_mod { FLUID_SYNTH_OVERWRITE = 0, FLUID_SYNTH_ADD = 1 };
enum fluid_mod_src { FLUID_MOD_KEYPRESSURE = 10 };
enum fluid_mod_flags {
  FLUID_MOD_POSITIVE = 0,
  FLUID_MOD_UNIPOLAR = 0,
  FLUID_MOD_LINEAR = 0,
  FLUID_MOD_GC = 0,
};

/// Generators, with the numbers of SoundFont 2.04, section 8.1.2.
enum fluid_gen_type {
  GEN_STARTADDRCOARSEOFS = 4,
  GEN_VIBLFOTOPITCH = 6,
  GEN_FILTERFC = 8,
  GEN_ENDADDRCOARSEOFS = 12,
  GEN_CHORUSSEND = 15,
  GEN_REVERBSEND = 16,
  GEN_ATTENUATION = 48,
  GEN_FINETUNE = 52,
  GEN_SAMPLEMODE = 54,
};

#endif
