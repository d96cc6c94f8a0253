// SPDX-License-Identifier: Apache-2.0
// Voices of a SoundFont: what moves once a quantum of 64 frames, and the sound of eight of them at
// once, compiled for registers of 32 bytes too, which are used where the processor has them. Both
// give the same samples: no product is fused with a sum.
//
// Nothing here allocates, locks or waits; cvoices_fill_tables and cvoices_fill_kernels take their time.
#ifndef CSOUNDFONTVOICES_H
#define CSOUNDFONTVOICES_H

#include <stdint.h>

#define CVOICES_REALTIME                                                                          \
  __attribute__((swift_attr("@_noLocks"), swift_attr("@_noAllocation")))

enum { CVOICES_LANES = 8, CVOICES_QUANTUM = 64 };

/// The most that a voice is raised above its sample's level, in centibels: by a tremolo.
enum { CVOICES_BOOST = 120 };

/// The most that a voice is: 12 dB above the full scale of samples, 32,768.
#define CVOICES_MOST 131072.0

/// Numbers that are looked up instead of worked out.
typedef struct {
  /// The frequency of each cent of an octave from 6.875 Hz on.
  double hertz[1200];
  /// 2 to the power of so many 1200ths.
  double powers[1200];
  /// The factor of each centibel of attenuation from −120 on; the last two are 0.
  double factors[CVOICES_BOOST + 1443];
  /// SoundFont 2.04, 9.5.3, with a 960th of the 96 dB for a centibel.
  double concave[128], convex[128];
  double pan[1002];
  /// 1 − cos and sin of a cutoff's angle, by cents from 1500 to 13500.
  double versines[12001], sines[12001];
} CVoiceTables;

void cvoices_fill_tables(CVoiceTables *tables, double rate);

enum { CVOICES_TAPS = 32, CVOICES_PHASES = 256, CVOICES_KERNELS = 13 };

/// Windowed sincs: for each step of a sample the taps by the place between two frames, and what is
/// added to them on the way to the next place.
typedef struct {
  float taps[CVOICES_KERNELS][CVOICES_PHASES][2][CVOICES_TAPS];
  /// The greatest step that each is for, in 2^-32 frames; the last is for all beyond, too.
  uint64_t most[CVOICES_KERNELS];
} CVoiceKernels;

void cvoices_fill_kernels(CVoiceKernels *kernels);

/// The parts of an envelope in their order.
enum {
  CVOICES_DELAY, CVOICES_ATTACK, CVOICES_HOLD, CVOICES_DECAY, CVOICES_SUSTAIN, CVOICES_RELEASE,
  CVOICES_FINISHED, CVOICES_SECTIONS
};

/// What a part does in each of `count` quanta, and the bounds that end it.
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

/// A triangle between −1 and 1 that begins after some frames.
typedef struct {
  double value, step;
  uint32_t delay;
} CVoiceOscillator;

/// Left, right, reverb, chorus.
enum { CVOICES_TARGETS = 4 };

/// What moves one voice once a quantum.
typedef struct {
  CVoiceEnvelope volume, modulation;
  CVoiceOscillator slow, vibrato;
  /// In centibels; the least is what modulators may come to.
  double attenuation, former_attenuation, least_attenuation;
  /// The factor at the end of the quantum before.
  double amplitude;
  /// What gains have of a part's level above 1, now and in the quantum before; 1…4.
  double level, former_level;
  /// Below it nothing is heard, and nothing of what the loop repeats.
  double floor, loop_floor;
  /// In cents; what is left of a portamento, and how it falls.
  double pitch, slide, slide_step;
  double root_hertz;
  /// In cents, and as factors.
  double cutoff, damping, filter_gain;
  double slow_to_filter, slow_to_pitch, slow_to_volume, vibrato_to_pitch, modulation_to_pitch,
      modulation_to_filter;
  /// The filter's coefficients at the end of the quantum before; the pitch and the cutoff they and
  /// the step are for.
  double c, k, b, stepped_pitch;
  /// The gain of a tone at the resonance, and the table's number for the cutoff.
  double peak, versine;
  int32_t filtered_cents, is_filter_new;
  /// Frames since it was struck, and when it may be let go; 0 where nobody asked.
  uint32_t age, release_age;
  int32_t start, end, loop_start, loop_end;
  /// The places that the font allows.
  int32_t first, last;
  /// 0 no loop, 1 a loop, 3 a loop until it is released.
  int32_t loop_mode;
  /// The frame of its first quantum at which it begins.
  int32_t wait;
  int32_t bus;
  uint8_t loops, has_looped, is_new, is_unchecked, has_no_gains;
  /// The gains at the end of the quantum before, and those to be reached.
  float gains[CVOICES_TARGETS], aims[CVOICES_TARGETS];
  /// The level at which both sides go to a second bus, at the end of the quantum before and to be
  /// reached; 0 to be reached for a voice that has no second bus.
  float send, send_aim;
  int32_t send_bus;
} CVoice;

/// Eight voices; a lane that is empty reads a place where a voice was.
///
/// It is to lie at a multiple of 32 bytes, as its size is one.
typedef struct {
  uint32_t index[CVOICES_LANES], part[CVOICES_LANES], step[CVOICES_LANES];
  uint32_t part_step[CVOICES_LANES];
  /// A place with all its neighbours is one of `span` from `low` on.
  uint32_t low[CVOICES_LANES], span[CVOICES_LANES], park[CVOICES_LANES];
  float amplitude[CVOICES_LANES], rise[CVOICES_LANES];
  /// The filter's coefficients: c is a2 − k, k 1 + a1 + a2, b b0.
  float c[CVOICES_LANES], k[CVOICES_LANES], b[CVOICES_LANES];
  float c_rise[CVOICES_LANES], k_rise[CVOICES_LANES], b_rise[CVOICES_LANES];
  /// What the filter's speed is multiplied by in each frame while its cutoff moves, else 1; and the
  /// most that it may come to.
  float pull[CVOICES_LANES], bound[CVOICES_LANES];
  /// The filter's memory: what came out before the last, by how much the last moved from it, the frame
  /// that came in last, and its sum with the one before it.
  float h[CVOICES_LANES], d[CVOICES_LANES], came[CVOICES_LANES], pair[CVOICES_LANES];
  int32_t voices[CVOICES_LANES];
  /// Bits: lanes that are taken, and those of them whose voice has ended.
  uint32_t taken, ended, spare[6];
} CVoiceGroup;

/// Forgets what a voice before it left.
CVOICES_REALTIME void cvoices_begin(CVoice *voice);

CVOICES_REALTIME void cvoices_set_section(
    CVoiceEnvelope *envelope, int section, uint32_t count, double step, double least, double most);

/// Lets a voice go, once it has sounded for so many frames.
CVOICES_REALTIME void cvoices_release(
    CVoice *voice, const CVoiceTables *tables, uint32_t least_age);

/// Ends a voice in the quantum that comes next.
CVOICES_REALTIME void cvoices_finish(CVoice *voice);

/// Begins the attack anew, from where the envelopes are.
CVOICES_REALTIME void cvoices_attack_again(CVoice *voice, const CVoiceTables *tables);

/// Begins a portamento from some cents away, over so many quanta.
CVOICES_REALTIME void cvoices_slide(CVoice *voice, double cents, uint32_t count);

/// The frequency of a pitch in cents above 8.176 Hz.
CVOICES_REALTIME double cvoices_hertz(const CVoiceTables *tables, double cents);

/// The seconds that a portamento takes for each semitone, by its time 0…128 (controller 5).
CVOICES_REALTIME double cvoices_glide(double time);

/// 2 to the power of so many 1200ths.
CVOICES_REALTIME double cvoices_power(const CVoiceTables *tables, double cents);

CVOICES_REALTIME double cvoices_concave(const CVoiceTables *tables, double place);
CVOICES_REALTIME double cvoices_convex(const CVoiceTables *tables, double place);

/// Gives a lane to a voice, and takes it back.
CVOICES_REALTIME void cvoices_seat(CVoiceGroup *group, int lane, int place, int32_t start);
CVOICES_REALTIME void cvoices_unseat(CVoiceGroup *group, int lane);
CVOICES_REALTIME void cvoices_move_lane(CVoiceGroup *from, int lane, CVoiceGroup *to, int target);

/// The place of the voice in a lane.
static inline CVOICES_REALTIME int cvoices_place(const CVoiceGroup *group, int lane) {
  return group->voices[lane];
}

static inline CVOICES_REALTIME CVoiceEnvelope *cvoices_volume(CVoice *voice) {
  return &voice->volume;
}
static inline CVOICES_REALTIME CVoiceEnvelope *cvoices_modulation(CVoice *voice) {
  return &voice->modulation;
}

/// The height of a filter's resonance, of which half is taken from the whole sound.
CVOICES_REALTIME void cvoices_set_resonance(CVoice *voice, double decibels);

/// The gain that a target is to have at the end of the quantum.
static inline CVOICES_REALTIME void cvoices_aim(CVoice *voice, int target, float gain) {
  voice->aims[target] = gain;
}

/// Sends both sides of the voice to a second bus, too, of those that `cvoices_render` is given; a level
/// of 0 ends that at once.
static inline CVOICES_REALTIME void cvoices_set_send(CVoice *voice, int bus, float level) {
  voice->send_bus = bus;
  voice->send_aim = level;
  if (level == 0) voice->send = 0;
}

/// The factor of a place from −500, left, to 500.
static inline CVOICES_REALTIME double cvoices_pan(const CVoiceTables *tables, double place) {
  return place <= -500 ? 0 : place >= 500 ? 1 : tables->pan[(int)place + 500];
}

/// The factor of an attenuation in centibels, a line between whole ones; at most 12 dB above 1.
static inline CVOICES_REALTIME double cvoices_factor(const CVoiceTables *tables, double centibels) {
  const double place = centibels + CVOICES_BOOST;
  if (!(place > 0)) return tables->factors[0];
  if (place >= CVOICES_BOOST + 1441) return 0;
  const int whole = (int)place;
  const double factor = tables->factors[whole];
  return factor + (tables->factors[whole + 1] - factor) * (place - whole);
}

/// Adds quanta of a group's voices to buffers: two for each bus, and what reverb and chorus hear,
/// which may both be null.
///
/// `low_bytes` are what samples of 24 bits have below their upper 16, each at its sample's place; null
/// where all have 16. With `kernels` samples are read by a windowed sinc, else by a cubic through four
/// frames, at a quarter of the cost.
CVOICES_REALTIME void cvoices_render(
    CVoiceGroup *group, CVoice *voices, const int16_t *samples, const uint8_t *low_bytes,
    const CVoiceTables *tables, const CVoiceKernels *kernels, long quantum_count,
    float *const *dry, float *reverb, float *chorus);

/// The same by one of both kinds of loops, for tests: 0 plain, 1 wide; false where there is none.
int cvoices_choose(int kind);

#endif
