// SPDX-License-Identifier: Apache-2.0
// libsmf reading the notes of the suite `smf`; prints one JSON line.
#include <smf.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

static double now(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return (double)time.tv_sec + (double)time.tv_nsec * 1e-9;
}

static int ascending(const void *left, const void *right) {
  double difference = *(const double *)left - *(const double *)right;
  return (difference > 0) - (difference < 0);
}

int main(int argc, char **argv) {
  int runs = argc > 1 ? atoi(argv[1]) : 5;
  if (argc < 3 || runs < 1 || runs > 100) return 64;
  static double rates[100];
  for (int run = 0; run < runs; run++) {
    double start = now();
    smf_t *smf = smf_load(argv[2]);
    double seconds = now() - start;
    if (smf == NULL) return 65;
    int events = 0;
    for (int track = 1; track <= smf->number_of_tracks; track++)
      events += smf_get_track_by_number(smf, track)->number_of_events;
    rates[run] = events / seconds;
    // Not freed: smf_delete takes longer than everything else together.
  }
  qsort(rates, (size_t)runs, sizeof *rates, ascending);
  printf("{\"name\":\"libsmf read\",\"median\":%f,\"best\":%f}\n", rates[runs / 2],
    rates[runs - 1]);
  return 0;
}
