// SPDX-License-Identifier: Apache-2.0
// The same notes played by FluidSynth, for the suite `voices`.
//
//   fluid OUTPUT QUANTA FONT QUANTA-A-CALL PROGRAM:KEY…    prints nanoseconds for a voice and a quantum
#include <fluidsynth.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { QUANTUM = 64, LONGEST = 32 };

static double now(void) {
  struct timespec time;
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
  return time.tv_sec * 1e9 + time.tv_nsec;
}

int main(int count, char **arguments) {
  if (count < 6) return 64;
  const int length = atoi(arguments[2]), call = atoi(arguments[4]);
  if (call < 1 || call > LONGEST || length % call != 0) return 64;
  fluid_settings_t *settings = new_fluid_settings();
  fluid_settings_setint(settings, "synth.polyphony", 2048);
  fluid_settings_setint(settings, "synth.threadsafe-api", 0);
  fluid_settings_setint(settings, "synth.reverb.active", 0);
  fluid_settings_setint(settings, "synth.chorus.active", 0);
  fluid_settings_setnum(settings, "synth.sample-rate", 48000);
  fluid_settings_setnum(settings, "synth.gain", 0.2);
  fluid_synth_t *synth = new_fluid_synth(settings);
  const int font = fluid_synth_sfload(synth, arguments[3], 1);
  if (font < 0) return 66;
  int channel = -1, last = -1;
  for (int index = 5; index < count; index++) {
    int program, key;
    if (sscanf(arguments[index], "%d:%d", &program, &key) != 2) return 64;
    if (program != last) {
      channel += channel == 8 ? 2 : 1;
      last = program;
      fluid_synth_program_select(synth, channel, font, 0, program);
      fluid_synth_cc(synth, channel, 7, 127);
    }
    fluid_synth_noteon(synth, channel, key, 127);
  }
  float *left = calloc(length * QUANTUM, sizeof(float));
  float *right = calloc(length * QUANTUM, sizeof(float));
  double taken = 0;
  long voices = 0;
  for (int quantum = 0; quantum < length; quantum += call) {
    float *dry[] = {left + quantum * QUANTUM, right + quantum * QUANTUM};
    voices += (long)fluid_synth_get_active_voice_count(synth) * call;
    const double start = now();
    fluid_synth_process(synth, call * QUANTUM, 0, 0, 2, dry);
    taken += now() - start;
  }
  printf("%f\n", taken / voices);
  FILE *output = fopen(arguments[1], "wb");
  if (!output) return 73;
  fwrite(left, sizeof(float), length * QUANTUM, output);
  fwrite(right, sizeof(float), length * QUANTUM, output);
  return fclose(output);
}
