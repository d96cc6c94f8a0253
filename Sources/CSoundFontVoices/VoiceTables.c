// SPDX-License-Identifier: Apache-2.0
#include <math.h>

#include "VoiceControl.h"

void cvoices_fill_tables(CVoiceTables *tables, double rate) {
  const double half_turn = 3.14159265358979323846;
  for (int cent = 0; cent < 1200; cent++) {
    tables->hertz[cent] = 6.875L * exp2l(cent / 1200.0L);
    tables->powers[cent] = exp2l(cent / 1200.0L);
  }
  for (int place = 0; place < CVOICES_BOOST + 1441; place++)
    tables->factors[place] = powl(10, (place - CVOICES_BOOST) / -200.0L);
  tables->factors[CVOICES_BOOST + 1441] = tables->factors[CVOICES_BOOST + 1442] = 0;
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
  const unsigned below = (unsigned)cents, whole = below + 300;
  // Linear between two cents: 2^(1/1200) is 1 + 5.777e-4.
  const double part = 1 + (cents - below) * 5.7778950655485e-4;
  return (1u << (whole / 1200 & 31)) * tables->hertz[whole % 1200] * part;
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

/// The measured times of Roland and Yamaha modules for a portamento of 36 semitones.
static const struct {
  double time, seconds;
} glides[] = {{1, 0.006},  {2, 0.023}, {4, 0.05}, {8, 0.11},  {16, 0.25},  {32, 0.5}, {64, 2.06},
              {80, 4.2},   {96, 8.4},  {112, 19.5}, {116, 26.7}, {120, 40}, {124, 80}, {127, 480}};
enum { GLIDES = sizeof glides / sizeof glides[0] };

double cvoices_glide(double time) {
  if (!(time > 0)) return 0;
  if (time <= glides[0].time) return time * glides[0].seconds / 36;
  int next = 1;
  while (next < GLIDES && time > glides[next].time) next++;
  if (next == GLIDES) return glides[GLIDES - 1].seconds / 36;
  const double part =
      (time - glides[next - 1].time) / (glides[next].time - glides[next - 1].time);
  const double ratio = glides[next].seconds / glides[next - 1].seconds;
  return glides[next - 1].seconds * pow(ratio, part) / 36;
}
