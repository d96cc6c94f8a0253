// SPDX-License-Identifier: Apache-2.0
// libsmf on the 24 h map of the suite `time`; prints one JSON line a measurement.
#include <smf.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

enum { ppqn = 960, changes = 10000, step = 13824, count = 20000 };

static double now(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return (double)time.tv_sec + (double)time.tv_nsec * 1e-9;
}

static int ascending(const void *left, const void *right) {
  double difference = *(const double *)left - *(const double *)right;
  return (difference > 0) - (difference < 0);
}

// What libsmf itself does with an event: look up the tempo, then one multiplication.
static double seconds_of(smf_t *smf, int pulses) {
  smf_tempo_t *tempo = smf_get_tempo_by_pulses(smf, pulses);
  return tempo->time_seconds + (double)(pulses - tempo->time_pulses)
    * (tempo->microseconds_per_quarter_note / ((double)ppqn * 1000000.0));
}

static double pulses_of(smf_t *smf, double seconds) {
  smf_tempo_t *tempo = smf_get_tempo_by_seconds(smf, seconds);
  return tempo->time_pulses + (seconds - tempo->time_seconds)
    * ((double)ppqn * 1000000.0 / tempo->microseconds_per_quarter_note);
}

static void report(const char *name, double *rates, int runs) {
  qsort(rates, (size_t)runs, sizeof *rates, ascending);
  printf("{\"name\":\"%s\",\"median\":%f,\"best\":%f}\n", name, rates[runs / 2], rates[runs - 1]);
}

int main(int argc, char **argv) {
  int runs = argc > 1 ? atoi(argv[1]) : 5;
  if (runs < 1 || runs > 100) return 64;
  smf_t *smf = smf_new();
  smf_track_t *track = smf_track_new();
  smf_add_track(smf, track);
  smf_set_ppqn(smf, ppqn);
  for (int index = 0; index < changes; index++) {
    int64_t tempo = 200000 + (int64_t)index * 7919 % 800001;
    unsigned char bytes[] = {0xFF, 0x51, 3, (unsigned char)(tempo >> 16),
      (unsigned char)(tempo >> 8), (unsigned char)tempo};
    smf_track_add_event_pulses(track, smf_event_new_from_pointer(bytes, sizeof bytes),
      index * step);
  }
  static int ticks[count];
  static double times[count];
  uint64_t state = 42;
  for (int index = 0; index < count; index++) {
    state = state * 6364136223846793005u + 1442695040888963407u;
    ticks[index] = (int)((state >> 33) % ((uint64_t)changes * step));
    times[index] = seconds_of(smf, ticks[index]);
  }
  double forward[100], inverse[100], sum = 0;
  for (int run = -1; run < runs; run++) {
    double start = now();
    for (int index = 0; index < count; index++) sum += seconds_of(smf, ticks[index]);
    double middle = now();
    for (int index = 0; index < count; index++) sum += pulses_of(smf, times[index]);
    if (run < 0) continue;
    forward[run] = count / (middle - start);
    inverse[run] = count / (now() - middle);
  }
  report("libsmf forward", forward, runs);
  report("libsmf inverse", inverse, runs);
  return sum == 0;
}
