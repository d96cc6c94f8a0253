#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Measure our effects and known good plug-ins, and draw the curves of Documentation/Effects.md.

  Benchmarks/Effects/measure.py PROGRAM [--into Documentation] [--font FONT]

PROGRAM is EffectBenchmark (swift build -c release in Benchmarks). With --font the reverb is compared
with FluidSynth's, using the piano, strings and brass of a soundfont. Needs: apt-get install
python3-numpy liblilv-0-0 libfluidsynth3 dragonfly-reverb-lv2 calf-plugins x42-plugins
"""
import argparse
import pathlib
import sys
import tempfile

sys.dont_write_bytecode = True
import numpy as np

import clickfont
import figures
import sounds
from drawing import Panel, picture
from sounds import RATE

HERTZ = (20, 20000, [20, 100, 1000, 10000], True)
OURS = "reverb mix=1 decay=2s pre-delay=0"
HALL = ("lv2:dragonfly-reverb dry_level=0 early_level=20 late_level=100 decay=2 delay=4 size=24"
        " modulation=20")


def fluid_click(reverb):
    """FluidSynth's reverb of a click, as it begins."""
    with tempfile.TemporaryDirectory() as folder:
        font = pathlib.Path(folder) / "click.sf2"
        clickfont.write(font, RATE)
        synth = sounds.FluidSynth(font, reverb)
        _, wet = synth.play(0, [60], 0.2, 6)
    return wet[clickfont.AT:]


def loud(samples):
    """Brought to an energy of one."""
    return samples / np.sqrt(np.sum(samples**2))


def reverbs(through):
    click = sounds.click(6)
    return {
        "ours": loud(through(OURS, click)),
        "Dragonfly Hall": loud(through(HALL, click)),
        "FluidSynth": loud(fluid_click(True)),
    }


def reverb_panels(found):
    decays = Panel("Decay by octave", "Hz", "s", (100, 10000, figures.BANDS, True),
                   (0, 3, [0, 1, 2, 3], False))
    times = np.concatenate([np.arange(0.005, 0.1, 0.005), np.arange(0.1, 0.6, 0.02)])
    dense = Panel("Echo density after a click", "s", "noise = 1",
                  (0, 0.5, [0, 0.1, 0.2, 0.3, 0.4, 0.5], False),
                  (0, 1.2, [0, 0.25, 0.5, 0.75, 1], False))
    for name, heard in found.items():
        decays.add(name, figures.BANDS, figures.decays(heard), dots=True)
        dense.add(name, times, figures.density(heard[:, 0], times))
    return [decays, dense]


def tail_table(found):
    print("\n| reverb | decay at 125 Hz, 1 kHz, 8 kHz | density after 20, 50, 100 ms |"
          " strongest resonance: mean, worst | correlation of left and right | change of level in mono |\n"
          "|---|---|---|---|---|---|")
    for name, heard in found.items():
        decays = figures.decays(heard)
        density = figures.density(heard[:, 0], [0.02, 0.05, 0.1])
        ring, worst = figures.rings(heard)
        alike, lost = figures.side_by_side(heard)
        print(f"| {name} | {decays[0]:.2f}, {decays[3]:.2f}, {decays[6]:.2f} s | "
              f"{density[0]:.2f}, {density[1]:.2f}, {density[2]:.2f} | {ring:.1f}, {worst:.1f} dB | "
              f"{alike:.2f} | {lost:.1f} dB |")


def tone(hertz, levels, seconds):
    """A sine whose level goes in steps, in dB of full scale's peak."""
    count = int(seconds * RATE)
    gains = np.repeat(10**(np.array(levels) / 20), count)
    return sounds.mono(gains * np.sin(2 * np.pi * hertz * np.arange(len(gains)) / RATE))


def envelope(samples, hertz=1000):
    """The level of a tone's periods, in dB of full scale's peak, and when."""
    period = RATE // hertz
    count = len(samples) // period
    parts = samples[:count * period, 0].reshape(count, period)
    return np.arange(count) * period / RATE, figures.decibels(
        np.sqrt(2 * np.mean(parts**2, axis=1)))


def compressor_panels(through):
    ours = "compressor threshold=-24dB ratio=4 attack=10ms release=100ms knee=6dB"
    # Calf's knee is a factor to both sides, its detector follows the square.
    theirs = ("lv2:Compressor threshold=0.0630957 ratio=4 attack=10 release=100 makeup=1"
              " knee=1.9952623 detection=0")
    levels = list(range(-60, 1, 2))
    curve = Panel("Compressor: output level by input level", "dB in", "dB", (-60, 0, [-60, -40, -20, 0], False),
                  (-60, 0, [-60, -40, -20, 0], False))
    time = Panel("Gain during a tone that steps from −40 to −6 dB and back", "ms", "dB",
                 (0, 400, [0, 100, 200, 300, 400], False), (-16, 4, [-15, -10, -5, 0], False))
    step = tone(1000, [-40, -6, -40], 0.2)
    step = np.concatenate([tone(1000, [-40], 0.8), step])
    for name, effect in [("ours", ours), ("Calf Compressor", theirs)]:
        heard = through(effect, tone(1000, levels, 1.0))
        _, level = envelope(heard)
        curve.add(name, levels, level.reshape(len(levels), -1)[:, -50:].mean(axis=1))
        when, after = envelope(through(effect, step))
        _, before = envelope(step)
        time.add(name, (when - 1.0) * 1000 + 20, after - before)
    return [curve, time]


def filter_panels(through):
    panels = []
    # A second of silence first: fil4 comes to what is set by and by.
    click = np.concatenate([np.zeros((RATE, 2)), sounds.click(1.4, 0.25)])
    for title, up, pairs in [
        ("High-pass 200 Hz and low-pass 5 kHz", (-60, 6, [-60, -40, -20, 0], False), [
            ("ours, 12 dB an octave", "high-pass frequency=200Hz|low-pass frequency=5kHz"),
            ("x42 fil4", "lv2:fil4#stereo highpass=1 hpfreq=200 hpq=0.7 lowpass=1 lpfreq=5000"
             " lpq=0.7"),
            ("ours, 48 dB an octave",
             "high-pass slope=48 frequency=200Hz|low-pass slope=48 frequency=5kHz")]),
        ("Equaliser: +6 dB at 500 Hz, −6 dB at 2.5 kHz, shelves", (-9, 9, [-9, -6, -3, 0, 3, 6, 9], False), [
            ("ours", "equaliser low=-3dB band-2-gain=6dB band-2-quality=1 band-3-gain=-6dB"
             " band-3-quality=1 high=3dB"),
            ("x42 fil4", "lv2:fil4#stereo lsfreq=120 lsgain=-3 freq2=500 gain2=6 q2=1 freq3=2500"
             " gain3=-6 q3=1 hsfreq=8000 hsgain=3")]),
    ]:
        panel = Panel(title, "Hz", "dB", HERTZ, up)
        for name, chain in pairs:
            heard = click
            for effect in chain.split("|"):
                heard = through(effect, heard)
            hertz, level = figures.response(heard[RATE:] / 0.25)
            panel.add(name, hertz, level)
        panels.append(panel)
    return panels


def limiter_panels(through):
    levels = list(range(-12, 13, 2))
    pairs = [("ours, ceiling −1.1 dB", "limiter release=100ms"),
             ("x42 dpl, true peak −1 dB", "lv2:dpl#stereo threshold=-1 release=0.1 truepeak=1")]
    peaks = Panel("True peak of the output, 12 kHz with peaks between samples", "dB in", "dB",
                  (-12, 12, [-12, -6, 0, 6, 12], False), (-6, 1, [-6, -4, -2, -1, 0, 1], False))
    time = Panel("Gain after 50 ms of a tone 9 dB too loud", "ms", "dB",
                 (0, 600, [0, 200, 400, 600], False), (-12, 2, [-12, -9, -6, -3, 0], False))
    between = np.sin(2 * np.pi * 0.25 * np.arange(RATE // 2) + np.pi / 4)
    burst = np.concatenate([tone(1000, [-20], 0.1), tone(1000, [8], 0.05), tone(1000, [-20], 0.6)])
    for name, effect in pairs:
        found = []
        for level in levels:
            heard = through(effect, sounds.mono(between * 10**(level / 20)))
            found.append(figures.true_peak(heard[RATE // 4:RATE // 4 + 8192] * np.hanning(8192)[:, None]))
        peaks.add(name, levels, found)
        when, after = envelope(through(effect, burst))
        _, before = envelope(burst)
        time.add(name, (when - 0.1) * 1000, after - before)
    return [peaks, time]


CHORDS = [("piano", 0, [48, 60, 64, 67]), ("strings", 48, [48, 55, 60, 64]),
          ("brass", 61, [53, 60, 65])]


def judge(through, font):
    """Our reverb and FluidSynth's, fed with the same sends of a soundfont's instruments."""
    print("\n| instrument | reverb | decay time of the tail | deviation of the tail's level from a straight line |"
          " correlation of left and right | change of level in mono |\n|---|---|---|---|---|---|")
    for name, program, keys in CHORDS:
        _, send = sounds.FluidSynth(font, False).play(program, keys, 0.6, 5)
        _, theirs = sounds.FluidSynth(font, True).play(program, keys, 0.6, 5)
        for who, heard in [("ours", through(PLAYED, sounds.mono(send[:, 0]))),
                           ("FluidSynth", theirs)]:
            # From where the instrument itself is silent.
            still = np.abs(send[:, 0]) > 1e-3 * np.abs(send).max()
            tail = heard[len(still) - np.argmax(still[::-1]):]
            alike, lost = figures.side_by_side(heard)
            print(f"| {name} | {who} | {figures.decay(tail):.2f} s | "
                  f"{figures.unevenness(tail):.1f} dB | {alike:.2f} | {lost:.1f} dB |")


# As long as FluidSynth's as it begins.
PLAYED = "reverb mix=1 decay=1s"


def main():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("program")
    parser.add_argument("--into", type=pathlib.Path, help="the folder of the pictures")
    parser.add_argument("--font", type=pathlib.Path)
    options = parser.parse_args()
    through = sounds.Through(options.program)
    found = reverbs(through)
    wide = {"ours, 24 m": loud(through(f"{OURS} size=24", sounds.click(6)))}
    tail_table(found | wide)
    if options.font:
        judge(through, options.font)
    if options.into:
        options.into.mkdir(parents=True, exist_ok=True)
        for name, panels in [("reverb", reverb_panels(found)),
                             ("compressor", compressor_panels(through)),
                             ("filters", filter_panels(through)),
                             ("limiter", limiter_panels(through))]:
            picture(options.into / f"Effects-{name}.svg", panels)


main()
