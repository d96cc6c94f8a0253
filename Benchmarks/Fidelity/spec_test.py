# SPDX-License-Identifier: Apache-2.0
"""The SoundFont Spec Test 3.1 of S. Christian Collins: what each of its tests is to give."""
import math

import numpy

from sound import cents, render


def rows(command, folder):
    """Test, wanted, ours, whether it is right."""
    sound = render(command, folder / "spec-test/sf_spec_test.mid",
                   folder / "spec-test/sf_spec_test.sf2")
    for part in (envelopes, oscillators, filters, levels, rest):
        yield from part(sound)


def near(name, wanted, ours, most, unit):
    return name, f"{wanted:.2f} {unit}", f"{ours:.2f}", abs(ours - wanted) <= most


def envelopes(sound):
    # The note begins at 1.5 s; each stage lasts a second.
    hold = sound.level(4.0, 4.2)
    yield near("1 sustain", -12, sound.level(5.0, 5.2) - hold, 0.1, "dB")
    decay = sound.level(4.6, 4.61) - sound.level(4.55, 4.56)
    yield near("1 decay, 96 dB a second", -4.8, decay, 0.1, "dB in 50 ms")
    release = sound.level(6.9, 6.91) - sound.level(6.6, 6.61)
    yield near("1 release, 96 dB a second", -28.8, release, 0.58, "dB in 300 ms")
    yield near("1 attack, half way", -6.02, sound.level(2.995, 3.005) - hold, 0.2, "dB")
    base = sound.frequency(9.6, 9.8)
    yield near("2 modulation envelope, hold", 1200, cents(sound.frequency(11.7, 12.3), base), 1,
               "cents")
    yield near("2 modulation envelope, sustain", 600, cents(sound.frequency(13.2, 14.2), base), 1,
               "cents")
    for name, starts in (("3 key number to decay", [17.5, 18.5, 19.5, 21.0, 24.0]),
                         ("4 key number to hold", [31.5, 32.5, 33.5, 34.5, 36.5])):
        times = []
        for start in starts:
            levels = sound.peaks(start, start + 4, 0.002)
            top = levels[:20].max()
            below = numpy.flatnonzero(levels < top - 40)
            times.append(0.002 * float(below[0]) if len(below) else 4.0)
        if name[0] == "3":
            steps = [after / before for before, after in zip(times, times[1:])]
        else:
            gaps = numpy.diff(times)
            steps = [after / before for before, after in zip(gaps, gaps[1:])]
        worst = max(steps, key=lambda step: abs(step - 2))
        yield near(f"{name}: each twice as long", 2, worst, 0.04, "times")


def oscillators(sound):
    for name, start in (("5A tremolo of 6 dB, velocity 127", 42), ("5B velocity 90", 46.5)):
        levels = sound.peaks(start + 0.3, start + 2.8, 0.0028)
        yield near(name, 12, levels.max() - levels.min(), 0.3, "dB in all")
    hertz = sound.periods(56.7, 59.4)
    swing = 1200 * math.log2(hertz.max() / hertz.min())
    yield near("7 wheel: vibrato of 50 cents", 99.2, swing, 4, "cents in all")
    moves = hertz - hertz.mean()
    turns = numpy.count_nonzero((moves[:-1] < 0) & (moves[1:] >= 0)) / 2.7
    yield near("7 wheel: its rate", 4, turns, 0.4, "Hz")
    for index in range(3):
        ours = sound.frequency(61.1 + index, 61.4 + index)
        yield (f"8 scale tuning, tone {index + 1}", "370.05 Hz", f"{ours:.2f}",
               abs(cents(ours, 370.05)) <= 1)


def filters(sound):
    _, open_power = sound.spectrum(75.1, 75.4)
    wanted = [100, 200, 500, 1000, 1500, 2000, 3000, 4000, 5000, 6000, 7000, 8000, 9000, 10000,
              12000, 15000]
    worst = (0, 0, 0)
    for index, cutoff in enumerate(wanted):
        start = 66.5 + 0.5 * index
        hertz, power = sound.spectrum(start + 0.1, start + 0.4)
        smooth = [numpy.convolve(each, numpy.ones(31) / 31, "same") for each in (power, open_power)]
        gain = 10 * numpy.log10(smooth[0] / smooth[1] + 1e-30)
        base = gain[(hertz > 20) & (hertz < max(60, cutoff * 0.2))].mean()
        below = numpy.flatnonzero((hertz > 15) & (gain < base - 3))
        found = float(hertz[below[0]]) if len(below) else 0.0
        off = abs(math.log2(max(found, 1) / cutoff))
        worst = max(worst, (off, cutoff, found))
    yield ("9 cutoff at -3 dB, the worst", f"{worst[1]} Hz", f"{worst[2]:.0f}", worst[0] < 0.15)
    rises = []
    for index, resonance in enumerate([5, 10, 15, 20, 25, 30]):
        start = 78.0 + 0.5 * index
        hertz, power = sound.spectrum(start + 0.1, start + 0.4)
        smooth = [numpy.convolve(each, numpy.ones(15) / 15, "same") for each in (power, open_power)]
        gain = 10 * numpy.log10(smooth[0] / smooth[1] + 1e-30)
        base = gain[(hertz > 50) & (hertz < 400)].mean()
        rises.append(gain[(hertz > 2000) & (hertz < 8000)].max() - base - resonance)
    # A resonance of Q dB stands at Q - 3.01 dB (SoundFont 2.04, 8.1.2, 9).
    yield near("10 resonance over its base, the worst", -3.01,
               float(max(rises, key=lambda rise: abs(rise + 3.01))), 1, "dB from Q")


def levels(sound):
    def level(start):
        return sound.level(start + 0.1, start + 0.35)

    for name, start, step in (("11 attenuation", 85.5, -2), ("12 negative attenuation", 91, 0)):
        ours = [level(start + 0.5 * index) - level(start) for index in range(7)]
        worst = max(range(7), key=lambda index: abs(ours[index] - step * index))
        yield near(f"{name}, the worst of 7", step * worst, ours[worst], 0.1, "dB")
    velocities = [127, 111, 95, 79, 63, 47, 31, 15]
    for name, start, depth in (("13A velocity, 96 dB concave", 97.5, 40),
                               ("13B velocity, 144 dB concave", 103.5, 60),
                               ("13C velocity, 48 dB concave", 109.5, 20), ("13E none", 121.5, 0)):
        ours = [level(start + 0.5 * index) - level(start) for index in range(8)]
        wanted = [depth * math.log10(velocity / 127) for velocity in velocities]
        worst = max(range(8), key=lambda index: abs(ours[index] - wanted[index]))
        yield near(f"{name}, the worst of 8", wanted[worst], ours[worst], 0.1, "dB")
    ours = [level(115.5 + 0.5 * index) - level(115.5) for index in range(8)]
    worst = max(range(8), key=lambda index: abs(ours[index] + 12 * index))
    yield near("13D velocity, 96 dB linear, the worst of 8", -12.0 * worst, ours[worst], 0.1, "dB")


def rest(sound):
    peaks = [sound.peak(135 + 0.5 * index + 0.1, 135 + 0.5 * index + 0.4, 80)
             for index in range(7)]
    yield ("14B velocity to cutoff", "falls in even steps",
           " ".join(f"{peak:.0f}" for peak in peaks),
           all(0.4 < after / before < 0.8 for before, after in zip(peaks, peaks[1:])))
    before, after = sound.level(262.05, 262.12), sound.level(262.375, 262.425)
    yield ("21 exclusive class: 250 ms after the cut", "<= -80 dB", f"{after - before:.1f}",
           after - before <= -80)
    for name, internal, moved in (("22 pan, mono", 266, 272), ("22 pan, stereo", 278, 284),
                                  ("22 pan, -100 % to 100 %", 290, 296)):
        worst = max(
            abs(sound.level(internal + 0.5 * tone + 0.05, internal + 0.5 * tone + 0.2, side)
                - sound.level(moved + 0.5 * tone + 0.05, moved + 0.5 * tone + 0.2, side))
            for tone in range(1, 8) for side in (0, 1))
        yield near(f"{name}: by the font and by controller 10", 0, worst, 0.1, "dB apart")
