// SPDX-License-Identifier: Apache-2.0
// Voices of a soundfont: their changes in each quantum of 64 frames, and the sound of eight voices
// at a time. The code is compiled for normal and for 32-byte registers, which are used if the
// processor has them. Both give the same samples, because products are not fused with sums.
//
// Functions do not allocate, lock or wait, except that cvoices_fill_tables and cvoices_fill_kernels
// take some time.
#ifndef CSOUNDFONTVOICES_H
#define CSOUNDFONTVOICES_H

#include <stdint.h>

#define CVOICES_REALTIME                                                                          \
  __attribute__((swift_attr("@_noLocks"), swift_attr("@_noAllocation")))

enum { CVOICES_LANES = 8, CVOICES_QUANTUM = 64 };

/// The maximum gain of a voice above its sample's level by a tremolo, in centibels.
enum { CVOICES_BOOST = 120 };

/// The maximum sample of a voice: 12 dB above the full scale of samples, 32,768.
#define CVOICES_MOST 131072.0

/// Lookup tables.
typedef struct {
  /// The frequency of each cent of an octave from 6.875 Hz.
  double hertz[1200];
  /// 2 to the power of the index / 1200.
  double powers[1200];
  /// The factor of each centibel of attenuation from −120; the last two are 0.
  double factors[CVOICES_BOOST + 1443];
  /// The curves of SoundFont 2.04, 9.5.3; a centibel is 1/960 of 96 dB.
  double concave[128], convex[128];
  double pan[1002];
  /// 1 − cos and sin of a cutoff's angle, by cents from 1500 to 13500.
  double versines[12001], sines[12001];
} CVoiceTables;

void cvoices_fill_tables(CVoiceTables *tables, double rate);

enum { CVOICES_TAPS = 32, CVOICES_PHASES = 256, CVOICES_KERNELS = 13 };

/// Windowed sincs.
///
/// For each step of a sample: the taps by position between two frames, and their difference to
/// those of the next position.
typedef struct {
  float taps[CVOICES_KERNELS][CVOICES_PHASES][2][CVOICES_TAPS];
  /// The largest step for each sinc, in 2^-32 frames; the last is also for larger steps.
  uint64_t most[CVOICES_KERNELS];
} CVoiceKernels;

void cvoices_fill_kernels(CVoiceKernels *kernels);

/// The sections of an envelope, in order.
enum {
  CVOICES_DELAY, CVOICES_ATTACK, CVOICES_HOLD, CVOICES_DECAY, CVOICES_SUSTAIN, CVOICES_RELEASE,
  CVOICES_FINISHED, CVOICES_SECTIONS
};

/// The change in each of the `count` quanta of a section, and the limits that end it.
typedef struct {
  double step, least, most;
  uint32_t count;
} CVoiceSection;

typedef struct {
  CVoiceSection sections[CVOICES_SECTIONS];
  double value;
  uint32_t count;
  int32_t section;
} CVoiceEnvelope;

/// A triangle wave between −1 and 1 that begins after a delay, in frames.
typedef struct {
  double value, step;
  uint32_t delay;
} CVoiceOscillator;

/// Left, right, reverb, chorus.
enum { CVOICES_TARGETS = 4 };

/// The state of one voice that changes in each quantum.
typedef struct {
  CVoiceEnvelope volume, modulation;
  CVoiceOscillator slow, vibrato;
  /// In centibels; the last is the lowest value that modulators can cause.
  double attenuation, former_attenuation, least_attenuation;
  /// The factor at the end of the last quantum.
  double amplitude;
  /// The part of the gains that is due to a part's level above 1, now and in the last quantum; 1…4.
  double level, former_level;
  /// The amplitude below which the voice is inaudible, and that for its loop.
  double floor, loop_floor;
  /// In cents: the pitch, the rest of a portamento, and its change.
  double pitch, slide, slide_step;
  double root_hertz;
  /// The cutoff in cents; the others are factors.
  double cutoff, damping, filter_gain;
  double slow_to_filter, slow_to_pitch, slow_to_volume, vibrato_to_pitch, modulation_to_pitch,
      modulation_to_filter;
  /// The filter's coefficients at the end of the last quantum, and the pitch for which the step was
  /// computed.
  double c, k, b, stepped_pitch;
  /// The gain of a tone at the resonance; 1 − cos of the cutoff; its index in the tables.
  double peak, versine;
  int32_t filtered_cents, is_filter_new;
  /// The frames since the note began, and the age at which it may be released; 0 without a release.
  uint32_t age, release_age;
  int32_t start, end, loop_start, loop_end;
  /// The first and the last position that the font allows.
  int32_t first, last;
  /// 0 is without a loop, 1 a loop, 3 a loop until the release.
  int32_t loop_mode;
  /// The frame of the first quantum at which the voice begins.
  int32_t wait;
  int32_t bus;
  uint8_t loops, has_looped, is_new, is_unchecked, has_no_gains;
  /// The gains at the end of the last quantum, and at the end of this one.
  float gains[CVOICES_TARGETS], aims[CVOICES_TARGETS];
  /// The gain of both sides to a second bus at the end of the last quantum, and at the end of this
  /// one; the second is 0 for a voice without a second bus.
  float send, send_aim;
  int32_t send_bus;
} CVoice;

/// Eight voices.
///
/// An empty lane reads a position of an earlier voice.
///
/// Its address must be a multiple of 32 bytes, as is its size.
typedef struct {
  uint32_t index[CVOICES_LANES], part[CVOICES_LANES], step[CVOICES_LANES];
  uint32_t part_step[CVOICES_LANES];
  /// The positions that have all neighbours are `span` positions from `low`.
  uint32_t low[CVOICES_LANES], span[CVOICES_LANES], park[CVOICES_LANES];
  float amplitude[CVOICES_LANES], rise[CVOICES_LANES];
  /// The filter's coefficients: c is a2 − k, k is 1 + a1 + a2, b is b0.
  float c[CVOICES_LANES], k[CVOICES_LANES], b[CVOICES_LANES];
  float c_rise[CVOICES_LANES], k_rise[CVOICES_LANES], b_rise[CVOICES_LANES];
  /// The factor of the filter's velocity in each frame while its cutoff moves, otherwise 1; and the
  /// maximum output.
  float pull[CVOICES_LANES], bound[CVOICES_LANES];
  /// The filter's state: the output before the last, the change to the last, the last input, and
  /// its sum with the input before it.
  float h[CVOICES_LANES], d[CVOICES_LANES], came[CVOICES_LANES], pair[CVOICES_LANES];
  int32_t voices[CVOICES_LANES];
  /// One bit for each lane in use, and for each of them whose voice has ended.
  uint32_t taken, ended, spare[6];
} CVoiceGroup;

/// Resets the state for a new voice.
CVOICES_REALTIME void cvoices_begin(CVoice *voice);

CVOICES_REALTIME void cvoices_set_section(
    CVoiceEnvelope *envelope, int section, uint32_t count, double step, double least, double most);

/// Releases a voice, when it has sounded for a minimum number of frames.
CVOICES_REALTIME void cvoices_release(
    CVoice *voice, const CVoiceTables *tables, uint32_t least_age);

/// Ends a voice in the next quantum.
CVOICES_REALTIME void cvoices_finish(CVoice *voice);

/// Restarts the attack from the current levels of the envelopes.
CVOICES_REALTIME void cvoices_attack_again(CVoice *voice, const CVoiceTables *tables);

/// Starts a portamento from a distance in cents, over a number of quanta.
CVOICES_REALTIME void cvoices_slide(CVoice *voice, double cents, uint32_t count);

/// The frequency of a pitch in cents above 8.176 Hz.
CVOICES_REALTIME double cvoices_hertz(const CVoiceTables *tables, double cents);

/// The time of a portamento for each semitone in seconds, for a value 0…128 (controller 5).
CVOICES_REALTIME double cvoices_glide(double time);

/// 2 to the power of cents / 1200.
CVOICES_REALTIME double cvoices_power(const CVoiceTables *tables, double cents);

CVOICES_REALTIME double cvoices_concave(const CVoiceTables *tables, double place);
CVOICES_REALTIME double cvoices_convex(const CVoiceTables *tables, double place);

/// Assigns a lane to a voice, and releases it.
CVOICES_REALTIME void cvoices_seat(CVoiceGroup *group, int lane, int place, int32_t start);
CVOICES_REALTIME void cvoices_unseat(CVoiceGroup *group, int lane);
CVOICES_REALTIME void cvoices_move_lane(CVoiceGroup *from, int lane, CVoiceGroup *to, int target);

/// The index of the voice in a lane.
static inline CVOICES_REALTIME int cvoices_place(const CVoiceGroup *group, int lane) {
  return group->voices[lane];
}

static inline CVOICES_REALTIME CVoiceEnvelope *cvoices_volume(CVoice *voice) {
  return &voice->volume;
}
static inline CVOICES_REALTIME CVoiceEnvelope *cvoices_modulation(CVoice *voice) {
  return &voice->modulation;
}

/// Sets the resonance of the filter in decibels; half of it is subtracted from the level.
CVOICES_REALTIME void cvoices_set_resonance(CVoice *voice, double decibels);

/// Sets the gain to a target at the end of the quantum.
static inline CVOICES_REALTIME void cvoices_aim(CVoice *voice, int target, float gain) {
  voice->aims[target] = gain;
}

/// Also sends both sides of the voice to a second bus, among those of `cvoices_render`; a level of
/// 0 ends this immediately.
static inline CVOICES_REALTIME void cvoices_set_send(CVoice *voice, int bus, float level) {
  voice->send_bus = bus;
  voice->send_aim = level;
  if (level == 0) voice->send = 0;
}

/// The factor for a pan from −500 (left) to 500.
static inline CVOICES_REALTIME double cvoices_pan(const CVoiceTables *tables, double place) {
  return place <= -500 ? 0 : place >= 500 ? 1 : tables->pan[(int)place + 500];
}

/// The factor of an attenuation in centibels, linear between whole numbers; at most 12 dB above 1.
static inline CVOICES_REALTIME double cvoices_factor(const CVoiceTables *tables, double centibels) {
  const double place = centibels + CVOICES_BOOST;
  if (!(place > 0)) return tables->factors[0];
  if (place >= CVOICES_BOOST + 1441) return 0;
  const int whole = (int)place;
  const double factor = tables->factors[whole];
  return factor + (tables->factors[whole + 1] - factor) * (place - whole);
}

/// Adds quanta of a group's voices to buffers: two for each bus, and the sends to reverb and
/// chorus, which may both be null.
///
/// `low_bytes` are the bits of 24-bit samples below the upper 16, at the same index; null if all
/// samples have 16 bits. With `kernels`, samples are read with a windowed sinc, otherwise with a
/// cubic through four frames, which is four times as fast.
CVOICES_REALTIME void cvoices_render(
    CVoiceGroup *group, CVoice *voices, const int16_t *samples, const uint8_t *low_bytes,
    const CVoiceTables *tables, const CVoiceKernels *kernels, long quantum_count,
    float *const *dry, float *reverb, float *chorus);

/// Selects one kind of loops for `cvoices_render`, for tests: 0 plain, 1 wide; false if it is not
/// available.
int cvoices_choose(int kind);

#endif
