// SPDX-License-Identifier: Apache-2.0
// Declarations of the part of JACK's interface in use, so that building does not require its
// headers.
#ifndef CJACK_TYPES_H
#define CJACK_TYPES_H

#include <stddef.h>
#include <stdint.h>

typedef struct _jack_client jack_client_t;
typedef struct _jack_port jack_port_t;
typedef uint32_t jack_nframes_t;
typedef uint64_t jack_time_t;
typedef uint32_t jack_port_id_t;
typedef uint64_t jack_unique_t;
typedef unsigned char jack_midi_data_t;

enum JackOptions { JackNullOption = 0x00, JackNoStartServer = 0x01 };
typedef enum JackOptions jack_options_t;

enum JackStatus { JackFailure = 0x01, JackServerFailed = 0x10, JackVersionError = 0x400 };
typedef enum JackStatus jack_status_t;

enum JackPortFlags {
  JackPortIsInput = 0x1,
  JackPortIsOutput = 0x2,
  JackPortIsPhysical = 0x4,
  JackPortIsTerminal = 0x10
};

enum JackLatencyCallbackMode { JackCaptureLatency = 0, JackPlaybackLatency = 1 };
typedef enum JackLatencyCallbackMode jack_latency_callback_mode_t;

typedef enum {
  JackTransportStopped = 0,
  JackTransportRolling = 1,
  JackTransportLooping = 2,
  JackTransportStarting = 3,
  JackTransportNetStarting = 4
} jack_transport_state_t;

typedef enum { JackPositionBBT = 0x10, JackTickDouble = 0x200 } jack_position_bits_t;

struct _jack_latency_range {
  jack_nframes_t min;
  jack_nframes_t max;
} __attribute__((__packed__));
typedef struct _jack_latency_range jack_latency_range_t;

struct _jack_position {
  jack_unique_t unique_1;
  jack_time_t usecs;
  jack_nframes_t frame_rate;
  jack_nframes_t frame;
  jack_position_bits_t valid;
  int32_t bar;
  int32_t beat;
  int32_t tick;
  double bar_start_tick;
  float beats_per_bar;
  float beat_type;
  double ticks_per_beat;
  double beats_per_minute;
  double frame_time;
  double next_time;
  jack_nframes_t bbt_offset;
  float audio_frames_per_video_frame;
  jack_nframes_t video_offset;
  double tick_double;
  int32_t padding[5];
  jack_unique_t unique_2;
} __attribute__((__packed__));
typedef struct _jack_position jack_position_t;

struct _jack_midi_event {
  jack_nframes_t time;
  size_t size;
  jack_midi_data_t *buffer;
};
typedef struct _jack_midi_event jack_midi_event_t;

typedef int (*JackProcessCallback)(jack_nframes_t frame_count, void *context);
typedef int (*JackBufferSizeCallback)(jack_nframes_t frame_count, void *context);
typedef int (*JackSampleRateCallback)(jack_nframes_t hertz, void *context);
typedef int (*JackXRunCallback)(void *context);
typedef int (*JackGraphOrderCallback)(void *context);
typedef void (*JackShutdownCallback)(void *context);
typedef void (*JackThreadInitCallback)(void *context);
typedef void (*JackPortRegistrationCallback)(jack_port_id_t, int is_registered, void *context);
typedef void (*JackPortConnectCallback)(
    jack_port_id_t, jack_port_id_t, int is_connected, void *context);
typedef void (*JackPortRenameCallback)(
    jack_port_id_t, const char *before, const char *after, void *context);
typedef void (*JackFreewheelCallback)(int is_starting, void *context);
typedef void (*JackLatencyCallback)(jack_latency_callback_mode_t mode, void *context);
typedef int (*JackSyncCallback)(
    jack_transport_state_t state, jack_position_t *position, void *context);
typedef void (*JackTimebaseCallback)(
    jack_transport_state_t state, jack_nframes_t frame_count, jack_position_t *position,
    int is_new, void *context);

#endif
