// SPDX-License-Identifier: Apache-2.0
// Receives notes on a port of its own and prints when the kernel had each, in nanoseconds of a
// queue on the high-resolution timer, with its key: a witness that shares no code with Downbeat.
//
//   downbeat-capture COUNT SECONDS
//   downbeat-capture COUNT SECONDS clocks|all
//   downbeat-capture COUNT SECONDS SIGNAL PROCESS
//
// It ends after COUNT notes, or when SECONDS have gone by without an event. Given a process, it
// sends it the signal after COUNT notes instead, prints `TIME kill`, and then every event as
// `TIME TYPE CHANNEL A B`, by the numbers of ALSA's event types. With `clocks` it prints every
// event like that from the first, and counts MIDI clocks; on standard error it prints `origin TIME`,
// the monotonic time at which its queue was at zero; with `all` it counts every event, reads before anything else
// runs and writes nothing before the end, so that it can keep up with many.
#include <alsa/asoundlib.h>
#include <poll.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static void check(const char *action, int code) {
  if (code >= 0) return;
  fprintf(stderr, "downbeat-capture: %s: %s\n", action, snd_strerror(code));
  exit(1);
}

static int start_queue(snd_seq_t *sequencer) {
  int queue = snd_seq_alloc_queue(sequencer);
  check("make a queue", queue);
  snd_seq_queue_timer_t *timer;
  snd_timer_id_t *id;
  snd_seq_queue_timer_alloca(&timer);
  snd_timer_id_alloca(&id);
  snd_timer_id_set_class(id, SND_TIMER_CLASS_GLOBAL);
  snd_timer_id_set_sclass(id, SND_TIMER_SCLASS_NONE);
  snd_timer_id_set_card(id, -1);
  snd_timer_id_set_device(id, SND_TIMER_GLOBAL_HRTIMER);
  snd_timer_id_set_subdevice(id, 0);
  snd_seq_queue_timer_set_type(timer, SND_SEQ_TIMER_ALSA);
  snd_seq_queue_timer_set_id(timer, id);
  snd_seq_queue_timer_set_resolution(timer, 6250);
  check("choose the timer", snd_seq_set_queue_timer(sequencer, queue, timer));
  check("start the queue", snd_seq_start_queue(sequencer, queue, NULL));
  check("start the queue", snd_seq_drain_output(sequencer));
  return queue;
}

static void make_port(snd_seq_t *sequencer, int queue) {
  snd_seq_port_info_t *port;
  snd_seq_port_info_alloca(&port);
  snd_seq_port_info_set_name(port, "capture");
  snd_seq_port_info_set_capability(port, SND_SEQ_PORT_CAP_WRITE | SND_SEQ_PORT_CAP_SUBS_WRITE);
  snd_seq_port_info_set_type(port, SND_SEQ_PORT_TYPE_MIDI_GENERIC);
  snd_seq_port_info_set_timestamping(port, 1);
  snd_seq_port_info_set_timestamp_real(port, 1);
  snd_seq_port_info_set_timestamp_queue(port, queue);
  check("make a port", snd_seq_create_port(sequencer, port));
}

static void print_any(const snd_seq_event_t *event) {
  int is_note = event->type <= SND_SEQ_EVENT_KEYPRESS;
  printf("%u%09u %d %d %d %d\n", event->time.time.tv_sec, event->time.time.tv_nsec, event->type,
         is_note ? event->data.note.channel : event->data.control.channel,
         is_note ? event->data.note.note : (int)event->data.control.param,
         is_note ? event->data.note.velocity : event->data.control.value);
}

// The queue's zero on the clock that sound cards are stamped by.
static void print_origin(snd_seq_t *sequencer, int queue) {
  snd_seq_queue_status_t *status;
  snd_seq_queue_status_alloca(&status);
  check("read the queue", snd_seq_get_queue_status(sequencer, queue, status));
  struct timespec host;
  clock_gettime(CLOCK_MONOTONIC, &host);
  const snd_seq_real_time_t *now = snd_seq_queue_status_get_real_time(status);
  fprintf(stderr, "origin %lld\n", (host.tv_sec - (long long)now->tv_sec) * 1000000000LL +
                                       host.tv_nsec - (long long)now->tv_nsec);
}

static void end_process(snd_seq_t *sequencer, int queue, const char *signal, const char *process) {
  snd_seq_queue_status_t *status;
  snd_seq_queue_status_alloca(&status);
  check("read the queue", snd_seq_get_queue_status(sequencer, queue, status));
  const snd_seq_real_time_t *now = snd_seq_queue_status_get_real_time(status);
  kill(atoi(process), atoi(signal));
  printf("%u%09u kill\n", now->tv_sec, now->tv_nsec);
}

int main(int count, char **arguments) {
  if (count < 3 || count > 5) return 64;
  int counts_all = count == 4 && strcmp(arguments[3], "all") == 0;
  int prints_all = counts_all || (count == 4 && strcmp(arguments[3], "clocks") == 0);
  long wanted = atol(arguments[1]), patience = atol(arguments[2]);
  int has_killed = 0;
  snd_seq_t *sequencer;
  check("open", snd_seq_open(&sequencer, "default", SND_SEQ_OPEN_DUPLEX, SND_SEQ_NONBLOCK));
  snd_seq_set_client_name(sequencer, "capture");
  check("raise the pool", snd_seq_set_client_pool_input(sequencer, 2000));
  int queue = start_queue(sequencer);
  if (counts_all) {
    struct sched_param first = {.sched_priority = 90};
    if (sched_setscheduler(0, SCHED_FIFO, &first) < 0) perror("downbeat-capture: priority");
    setvbuf(stdout, NULL, _IOFBF, 1 << 24);
  }
  make_port(sequencer, queue);
  if (prints_all) print_origin(sequencer, queue);
  struct pollfd entry;
  snd_seq_poll_descriptors(sequencer, &entry, 1, POLLIN);
  for (long seen = 0; seen < wanted || count == 5;) {
    if (seen == wanted && !has_killed) {
      end_process(sequencer, queue, arguments[3], arguments[4]);
      has_killed = 1;
    }
    snd_seq_event_t *event;
    int code = snd_seq_event_input(sequencer, &event);
    if (code == -EAGAIN) {
      if (poll(&entry, 1, (int)patience * 1000) == 0) break;
      continue;
    }
    check("receive", code);
    // What the kernel itself says, such as that somebody has connected.
    if (event->source.client == SND_SEQ_CLIENT_SYSTEM) continue;
    if (has_killed || prints_all) print_any(event);
    if (counts_all || (prints_all && event->type == SND_SEQ_EVENT_CLOCK)) seen++;
    if (has_killed || prints_all) continue;
    if (event->type != SND_SEQ_EVENT_NOTEON || event->data.note.velocity == 0) continue;
    printf("%u%09u %u\n", event->time.time.tv_sec, event->time.time.tv_nsec,
           event->data.note.note);
    seen++;
  }
  return 0;
}
