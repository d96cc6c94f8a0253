// SPDX-License-Identifier: Apache-2.0
#include "CJACK.h"

#include <CDynamicLibrary.h>
#include <pthread.h>

static pthread_once_t once[2] = {PTHREAD_ONCE_INIT, PTHREAD_ONCE_INIT};
static CJACKTable tables[2];
static CDynamicLibrary libraries[2];

#if defined(__x86_64__)
#define MULTIARCH "x86_64-linux-gnu"
#elif defined(__aarch64__)
#define MULTIARCH "aarch64-linux-gnu"
#elif defined(__arm__)
#define MULTIARCH "arm-linux-gnueabihf"
#elif defined(__riscv)
#define MULTIARCH "riscv64-linux-gnu"
#else
#define MULTIARCH ""
#endif

// The folder in Debian; in Fedora and openSUSE; in Arch; then the plain name, which PipeWire's
// library may have replaced.
static const char *const pipewire_names[] = {
    "/usr/lib/" MULTIARCH "/pipewire-0.3/jack/libjack.so.0",
    "/usr/lib64/pipewire-0.3/jack/libjack.so.0",
    "/usr/lib/pipewire-0.3/jack/libjack.so.0",
    "libjack.so.0",
};

static void drop(const char *words) { (void)words; }

static void load(CJACKLibrary which, const char *const *names, size_t count) {
  CDynamicLibrary *library = &libraries[which];
  CJACKTable *table = &tables[which];
  for (size_t name = 0; name < count && !library->handle; name++)
    cdynamiclibrary_open(library, names[name]);
#define CJACK_FIND(type, name, arguments) \
  table->name = (__typeof__(table->name))cdynamiclibrary_find(library, "jack_" #name);
  CJACK_FUNCTIONS(CJACK_FIND)
#undef CJACK_FIND
  if (!library->complete) return;
  table->set_error_function(drop);
  table->set_info_function(drop);
}

static void load_jack(void) {
  static const char *const name = "libjack.so.0";
  load(CJACK_OF_JACK, &name, 1);
}

static void load_pipewire(void) {
  load(CJACK_OF_PIPEWIRE, pipewire_names, sizeof pipewire_names / sizeof pipewire_names[0]);
}

const CJACKTable *cjack_table(CJACKLibrary library) {
  pthread_once(&once[library], library == CJACK_OF_JACK ? load_jack : load_pipewire);
  return libraries[library].complete ? &tables[library] : 0;
}

jack_client_t *cjack_open(const CJACKTable *table, const char *name, jack_status_t *status) {
  return table->client_open(name, JackNoStartServer, status);
}

CJACKPlace cjack_place(jack_transport_state_t state, const jack_position_t *position) {
  double tick = position->valid & JackTickDouble ? position->tick_double : position->tick;
  CJACKPlace place = {
      .state = state,
      .frame = position->frame,
      .frame_rate = position->frame_rate,
      .has_bars = position->valid & JackPositionBBT,
      .bar = position->bar,
      .beat = position->beat,
      .tick = tick,
      .bar_start_tick = position->bar_start_tick,
      .beats_per_bar = position->beats_per_bar,
      .beat_type = position->beat_type,
      .ticks_per_beat = position->ticks_per_beat,
      .beats_per_minute = position->beats_per_minute,
  };
  return place;
}

void cjack_set_bars(jack_position_t *position, const CJACKPlace *place) {
  position->bar = place->bar;
  position->beat = place->beat;
  position->tick = (int32_t)place->tick;
  position->tick_double = place->tick;
  position->bar_start_tick = place->bar_start_tick;
  position->beats_per_bar = place->beats_per_bar;
  position->beat_type = place->beat_type;
  position->ticks_per_beat = place->ticks_per_beat;
  position->beats_per_minute = place->beats_per_minute;
  position->valid = JackPositionBBT | JackTickDouble;
}
