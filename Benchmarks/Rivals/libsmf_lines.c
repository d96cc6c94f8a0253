// SPDX-License-Identifier: Apache-2.0
// libsmf, a tick of standard input to the nanoseconds of standard output: `libsmf_lines SONG`.
#include <smf.h>
#include <stdio.h>

int main(int argc, char **argv) {
  smf_t *smf = argc > 1 ? smf_load(argv[1]) : NULL;
  if (smf == NULL) return 66;
  int pulses;
  while (scanf("%d", &pulses) == 1) {
    smf_tempo_t *tempo = smf_get_tempo_by_pulses(smf, pulses);
    double seconds = tempo->time_seconds + (double)(pulses - tempo->time_pulses)
      * (tempo->microseconds_per_quarter_note / ((double)smf->ppqn * 1000000.0));
    printf("%lld\n", (long long)(seconds * 1e9 + 0.5));
  }
  return 0;
}
