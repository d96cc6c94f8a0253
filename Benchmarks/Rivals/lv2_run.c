// SPDX-License-Identifier: Apache-2.0
// A hundred amplifiers of Debian's lv2-examples, one behind the other, called as they are: what
// plug-ins cost without a host. Arguments: timed runs.
#include <dlfcn.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

typedef struct descriptor {
  const char *uri;
  void *(*instantiate)(const struct descriptor *, double, const char *, const void *const *);
  void (*connect_port)(void *, uint32_t, void *);
  void (*activate)(void *);
  void (*run)(void *, uint32_t);
} descriptor;

enum { unit_count = 100, block_count = 2000, quantum = 64 };
static void *instances[2 * unit_count];
static float sounds[2][unit_count + 1][quantum], gain;

static double seconds(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return time.tv_sec + time.tv_nsec / 1e9;
}

static int ascending(const void *a, const void *b) {
  double left = *(const double *)a, right = *(const double *)b;
  return (left > right) - (left < right);
}

static void measure(const descriptor *amplifier, const char *name, int sides, int runs) {
  double *rates = calloc(runs, sizeof *rates);
  for (int run = -1; run < runs; run++) {
    double start = seconds();
    for (int block = 0; block < block_count; block++)
      for (int unit = 0; unit < unit_count; unit++)
        for (int side = 0; side < sides; side++)
          amplifier->run(instances[side * unit_count + unit], quantum);
    if (run >= 0) rates[run] = (double)unit_count * block_count / (seconds() - start);
  }
  qsort(rates, runs, sizeof *rates, ascending);
  printf("{\"name\":\"%s\",\"median\":%f,\"best\":%f}\n", name, rates[runs / 2], rates[runs - 1]);
  free(rates);
}

int main(int count, char **arguments) {
  void *library = dlopen("/usr/lib/lv2/eg-amp.lv2/amp.so", RTLD_NOW);
  if (!library) {
    fprintf(stderr, "%s\n", dlerror());
    return 1;
  }
  const descriptor *(*find)(uint32_t) = (const descriptor *(*)(uint32_t))dlsym(library, "lv2_descriptor");
  const descriptor *amplifier = find(0);
  const void *none[] = {0};
  for (int index = 0; index < 2 * unit_count; index++) {
    int side = index / unit_count, unit = index % unit_count;
    instances[index] = amplifier->instantiate(amplifier, 48000, "", none);
    amplifier->connect_port(instances[index], 0, &gain);
    amplifier->connect_port(instances[index], 1, sounds[side][unit]);
    amplifier->connect_port(instances[index], 2, sounds[side][unit + 1]);
    if (amplifier->activate) amplifier->activate(instances[index]);
  }
  for (int frame = 0; frame < quantum; frame++)
    sounds[0][0][frame] = sounds[1][0][frame] = frame / 64.0f;
  int runs = count > 1 ? atoi(arguments[1]) : 5;
  measure(amplifier, "run() alone, own buses", 1, runs);
  measure(amplifier, "run() alone, stereo buses", 2, runs);
}
