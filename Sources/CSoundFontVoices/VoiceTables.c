// SPDX-License-Identifier: Apache-2.0
#include <math.h>

#include "VoiceControl.h"

void cvoices_fill_tables(CVoiceTables *tables, double rate) {
  const double half_turn = 3.14159265358979323846;
  for (int cent = 0; cent < 1200; cent++) {
    tables->hertz[cent] = 6.875L * exp2l(cent / 1200.0L);
    tables->powers[cent] = exp2l(cent / 1200.0L);
  }
  for (int centibel = 0; centibel < 1441; centibel++)
    tables->factors[centibel] = powl(10, centibel / -200.0L);
  tables->concave[0] = tables->convex[0] = 0;
  tables->concave[127] = tables->convex[127] = 1;
  for (int place = 1; place < 127; place++) {
    const long double fall = -400.0L / 960 * log10l(place / 127.0L);
    tables->convex[place] = 1 - fall;
    tables->concave[127 - place] = fall;
  }
  for (int place = 0; place < 1002; place++)
    tables->pan[place] = sin(place * (half_turn / 2 / 1001));
  for (int cent = 0; cent <= 12000; cent++) {
    const double cutoff = fmin(cvoices_hertz(tables, cent + 1500), 0.45f * rate);
    const double angle = 2 * half_turn * cutoff / rate, half = sin(angle / 2);
    tables->versines[cent] = 2 * half * half;
    tables->sines[cent] = sin(angle);
  }
}

double cvoices_hertz(const CVoiceTables *tables, double cents) {
  if (cents < 0) return 8.1757989156437073336828122976032719176391831357 * exp2(cents / 1200);
  const unsigned whole = (unsigned)cents + 300;
  return (1u << (whole / 1200 & 31)) * tables->hertz[whole % 1200];
}

double cvoices_power(const CVoiceTables *tables, double cents) {
  const int whole = (int)cents;
  if (whole != cents || whole < -24000 || whole > 24000) return exp2(cents / 1200);
  const int octave = (whole + 24000) / 1200 - 20;
  return ldexp(tables->powers[whole - 1200 * octave], octave);
}

static double curve(const double *table, double place) {
  const int whole = (int)place;
  if (place < 0) return 0;
  if (whole >= 127) return table[127];
  return table[whole] + (table[whole + 1] - table[whole]) * (place - whole);
}

double cvoices_concave(const CVoiceTables *tables, double place) {
  return curve(tables->concave, place);
}

double cvoices_convex(const CVoiceTables *tables, double place) {
  return curve(tables->convex, place);
}
