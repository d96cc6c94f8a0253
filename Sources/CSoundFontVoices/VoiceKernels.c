// SPDX-License-Identifier: Apache-2.0
#include <math.h>

#include "CSoundFontVoices.h"

#pragma clang fp contract(off)

/// The modified Bessel function of order 0.
static double bessel(double x) {
  double sum = 1, term = 1;
  for (int step = 1; step < 60; step++) {
    term *= (x / 2 / step) * (x / 2 / step);
    sum += term;
  }
  return sum;
}

/// Kaiser's window: 90 dB.
static double window(double place) {
  const double rest = 1 - place * place;
  return rest > 0 ? bessel(9 * sqrt(rest)) / bessel(9) : rest < 0 ? 0 : 1 / bessel(9);
}

/// Computes the taps for a position between two frames, 0…1.
///
/// Their sum is 1.
static void fill_taps(double *taps, double place, double cutoff) {
  const double turn = 3.14159265358979323846;
  double sum = 0;
  for (int tap = 0; tap < CVOICES_TAPS; tap++) {
    const double way = tap - (CVOICES_TAPS / 2 - 1) - place, angle = 2 * turn * cutoff * way;
    const double sinc = fabs(angle) < 1e-9 ? 1 : sin(angle) / angle;
    taps[tap] = sinc * window(way / (CVOICES_TAPS / 2));
    sum += taps[tap];
  }
  for (int tap = 0; tap < CVOICES_TAPS; tap++) taps[tap] /= sum;
}

void cvoices_fill_kernels(CVoiceKernels *kernels) {
  for (int number = 0; number < CVOICES_KERNELS; number++) {
    const double step = exp2(number / 4.0);
    // The half level is 7 % below half the sample rate of the slower side.
    const double cutoff = 0.465 / step;
    kernels->most[number] = (uint64_t)(step * 0x1p32);
    double taps[CVOICES_TAPS], next[CVOICES_TAPS];
    fill_taps(taps, 0, cutoff);
    for (int phase = 0; phase < CVOICES_PHASES; phase++) {
      fill_taps(next, (phase + 1.0) / CVOICES_PHASES, cutoff);
      for (int tap = 0; tap < CVOICES_TAPS; tap++) {
        kernels->taps[number][phase][0][tap] = (float)taps[tap];
        kernels->taps[number][phase][1][tap] = (float)(next[tap] - taps[tap]);
        taps[tap] = next[tap];
      }
    }
  }
}
