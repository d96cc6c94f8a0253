// SPDX-License-Identifier: Apache-2.0
// The low-pass of eight voices. Only VoiceGroup.c includes this file, and compiles it for each
// register size.
#ifndef VOICEFILTER_H
#define VOICEFILTER_H

/// The coefficients of filters, their changes, the filters' state, and the amplitudes of the
/// output.
typedef struct {
  lanes c, k, b, c_rise, k_rise, b_rise, pull, bound, h, d, came, pair, amplitude, rise;
} Filtering;

/// Filters frames of all lanes, then applies their amplitudes, so that a resonance decays with its
/// note.
///
/// The state of a filter is its output, like the position and velocity of a pendulum. While the
/// cutoff moves, the velocity is scaled so that the oscillation has the same width as before, never
/// a larger one. With `has_loud`, some lanes move far, or are limited to their maximum.
INLINE void filter(
    lanes *sounds, int start, int stop, Filtering *filtering, const flags *is_loud,
    const int glides, const int has_loud) {
  lanes c = filtering->c, k = filtering->k, b = filtering->b, h = filtering->h, d = filtering->d;
  lanes came = filtering->came, pair = filtering->pair, amplitude = filtering->amplitude;
  const lanes rise = filtering->rise;
  for (int frame = start; frame < stop; frame++) {
    // Equivalent to a1 and a2. However, h, the output before the last, and d, the change since
    // then, are exact for low cutoffs; c is a2 − k.
    const lanes new_pair = sounds[frame] + came;
    const lanes rest = b * (new_pair + pair) - k * h;
    came = sounds[frame];
    pair = new_pair;
    h += d;
    d = rest + c * d;
    lanes out = h + d;
    if (has_loud) {
      // Within the filter, so that the peaks of a ringing tone are slightly reduced and it remains
      // a tone.
      const flags is_over = *is_loud & (SIZE(out) > filtering->bound);
      const places sign = (places)out & 0x80000000;
      out = CHOOSE_REAL(is_over, (places)filtering->bound | sign, out);
      d = CHOOSE_REAL(is_over, out - h, d);
    }
    sounds[frame] = out * amplitude;
    amplitude += rise;
    if (!glides) continue;
    lanes pull = filtering->pull;
    c += filtering->c_rise;
    b += filtering->b_rise;
    const lanes new_k = k + filtering->k_rise;
    if (has_loud) {
      // If k falls far, rounding may reduce it to 0 or below.
      const flags is_exact = *is_loud & (k > 0) & (new_k > 0);
      pull = CHOOSE_REAL(is_exact, __builtin_elementwise_sqrt(new_k / k), pull);
      // This keeps the position halfway between the last two.
      h += d * CHOOSE_REAL(*is_loud, 0.5f - 0.5f * pull, EACH(0.0f));
    }
    k = new_k;
    d *= pull;
  }
  filtering->h = h;
  filtering->d = d;
  filtering->came = came;
  filtering->pair = pair;
  filtering->amplitude = amplitude;
  if (!glides) return;
  filtering->c = c;
  filtering->k = k;
  filtering->b = b;
}

#endif
