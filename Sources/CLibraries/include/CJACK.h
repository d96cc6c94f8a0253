// SPDX-License-Identifier: Apache-2.0
// The functions of JACK's client library in use, and inline calls of them for the process thread.
//
// There are two such libraries: JACK's, and one by PipeWire with the same name, which connects to
// PipeWire and is in another folder unless it replaces JACK's. Each is opened on first use, because
// most programs never use a JACK server.
#ifndef CJACK_H
#define CJACK_H

#include <stdbool.h>
#include <stddef.h>

#include "CJACKTypes.h"

#define CJACK_FUNCTIONS(f)                                                                        \
  f(jack_client_t *, client_open,                                                                 \
    (const char *name, jack_options_t, jack_status_t *, ...))                                     \
  f(int, client_close, (jack_client_t *))                                                         \
  f(char *, get_client_name, (jack_client_t *))                                                   \
  f(int, activate, (jack_client_t *))                                                             \
  f(int, deactivate, (jack_client_t *))                                                           \
  f(jack_nframes_t, get_sample_rate, (jack_client_t *))                                           \
  f(jack_nframes_t, get_buffer_size, (jack_client_t *))                                           \
  f(int, set_process_callback, (jack_client_t *, JackProcessCallback, void *))                    \
  f(int, set_thread_init_callback, (jack_client_t *, JackThreadInitCallback, void *))             \
  f(int, set_buffer_size_callback, (jack_client_t *, JackBufferSizeCallback, void *))             \
  f(int, set_sample_rate_callback, (jack_client_t *, JackSampleRateCallback, void *))             \
  f(int, set_xrun_callback, (jack_client_t *, JackXRunCallback, void *))                          \
  f(int, set_freewheel_callback, (jack_client_t *, JackFreewheelCallback, void *))                \
  f(int, set_latency_callback, (jack_client_t *, JackLatencyCallback, void *))                    \
  f(int, set_port_registration_callback,                                                          \
    (jack_client_t *, JackPortRegistrationCallback, void *))                                      \
  f(int, set_port_rename_callback, (jack_client_t *, JackPortRenameCallback, void *))             \
  f(int, set_port_connect_callback, (jack_client_t *, JackPortConnectCallback, void *))           \
  f(void, on_shutdown, (jack_client_t *, JackShutdownCallback, void *))                           \
  f(jack_port_t *, port_register,                                                                 \
    (jack_client_t *, const char *name, const char *type, unsigned long flags,                    \
     unsigned long buffer_size))                                                                  \
  f(int, port_unregister, (jack_client_t *, jack_port_t *))                                       \
  f(void *, port_get_buffer, (jack_port_t *, jack_nframes_t))                                     \
  f(const char *, port_name, (const jack_port_t *))                                               \
  f(jack_port_t *, port_by_name, (jack_client_t *, const char *))                                 \
  f(const char **, port_get_all_connections, (const jack_client_t *, const jack_port_t *))        \
  f(void, port_get_latency_range,                                                                 \
    (jack_port_t *, jack_latency_callback_mode_t, jack_latency_range_t *))                        \
  f(void, port_set_latency_range,                                                                 \
    (jack_port_t *, jack_latency_callback_mode_t, jack_latency_range_t *))                        \
  f(int, recompute_total_latencies, (jack_client_t *))                                            \
  f(const char **, get_ports,                                                                     \
    (jack_client_t *, const char *name, const char *type, unsigned long flags))                   \
  f(int, connect, (jack_client_t *, const char *source, const char *destination))                 \
  f(int, disconnect, (jack_client_t *, const char *source, const char *destination))              \
  f(void, free, (void *))                                                                         \
  f(jack_time_t, get_time, (void))                                                                \
  f(int, get_cycle_times,                                                                         \
    (const jack_client_t *, jack_nframes_t *frame, jack_time_t *now, jack_time_t *next,           \
     float *period))                                                                              \
  f(jack_transport_state_t, transport_query, (const jack_client_t *, jack_position_t *))          \
  f(void, transport_start, (jack_client_t *))                                                     \
  f(void, transport_stop, (jack_client_t *))                                                      \
  f(int, transport_locate, (jack_client_t *, jack_nframes_t))                                     \
  f(int, set_sync_callback, (jack_client_t *, JackSyncCallback, void *))                          \
  f(int, set_timebase_callback,                                                                   \
    (jack_client_t *, int is_conditional, JackTimebaseCallback, void *))                          \
  f(int, release_timebase, (jack_client_t *))                                                     \
  f(uint32_t, midi_get_event_count, (void *buffer))                                               \
  f(int, midi_event_get, (jack_midi_event_t *, void *buffer, uint32_t index))                     \
  f(void, midi_clear_buffer, (void *buffer))                                                      \
  f(jack_midi_data_t *, midi_event_reserve, (void *buffer, jack_nframes_t frame, size_t))         \
  f(void, set_error_function, (void (*)(const char *)))                                           \
  f(void, set_info_function, (void (*)(const char *)))

typedef struct {
#define CJACK_FIELD(type, name, arguments) type(*name) arguments;
  CJACK_FUNCTIONS(CJACK_FIELD)
#undef CJACK_FIELD
} CJACKTable;

/// The project that a library belongs to.
typedef enum { CJACK_OF_JACK = 0, CJACK_OF_PIPEWIRE = 1 } CJACKLibrary;

/// Opens a library on the first call, on any thread, and returns its functions; null if it is
/// missing.
///
/// The library's messages are discarded. PipeWire's library is searched for in its folder, then
/// under the common name.
const CJACKTable *cjack_table(CJACKLibrary library);

/// Opens a client of the running server and never starts one; Swift cannot call the variadic
/// function.
jack_client_t *cjack_open(const CJACKTable *table, const char *name, jack_status_t *status);

/// The transport's position and state, with aligned members.
typedef struct {
  jack_transport_state_t state;
  jack_nframes_t frame;
  jack_nframes_t frame_rate;
  /// True if the members below are valid.
  bool has_bars;
  int32_t bar;
  int32_t beat;
  double tick;
  double bar_start_tick;
  float beats_per_bar;
  float beat_type;
  double ticks_per_beat;
  double beats_per_minute;
} CJACKPlace;

/// Converts a position.
CJACKPlace cjack_place(jack_transport_state_t state, const jack_position_t *position);

/// Writes bar, beat and tempo into a position.
void cjack_set_bars(jack_position_t *position, const CJACKPlace *place);

// Calls for the process thread: none of them locks or allocates, as JACK guarantees.
#define CJACK_REALTIME                                                                            \
  static inline __attribute__((swift_attr("@_noLocks"), swift_attr("@_noAllocation")))

CJACK_REALTIME void *cjack_port_buffer(
    const CJACKTable *table, jack_port_t *port, jack_nframes_t frame_count) {
  return table->port_get_buffer(port, frame_count);
}

CJACK_REALTIME uint32_t cjack_midi_count(const CJACKTable *table, void *buffer) {
  return table->midi_get_event_count(buffer);
}

CJACK_REALTIME int cjack_midi_event(
    const CJACKTable *table, jack_midi_event_t *event, void *buffer, uint32_t index) {
  return table->midi_event_get(event, buffer, index);
}

CJACK_REALTIME void cjack_midi_clear(const CJACKTable *table, void *buffer) {
  table->midi_clear_buffer(buffer);
}

CJACK_REALTIME jack_midi_data_t *cjack_midi_reserve(
    const CJACKTable *table, void *buffer, jack_nframes_t frame, size_t size) {
  return table->midi_event_reserve(buffer, frame, size);
}

/// Returns the transport's position in this cycle.
CJACK_REALTIME CJACKPlace cjack_query(const CJACKTable *table, jack_client_t *client) {
  jack_position_t position;
  jack_transport_state_t state = table->transport_query(client, &position);
  return cjack_place(state, &position);
}

#endif
