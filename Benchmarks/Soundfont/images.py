#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""How far interpolation images lie below each sample of a soundfont, at its zones' keys.

  Benchmarks/Soundfont/images.py FONT [--reach 6] [--limit -60]

The interpolator is FluidSynth's of four points, its response taken from its kernel; the output is
48 kHz, and what lies above 20 kHz does not count. Prints the samples above the limit, worst first.
"""
import argparse
import pathlib
import struct

import numpy as np

OUTPUT, AUDIBLE = 48000, 20000


def response():
    """The kernel's Fourier transform, sampled; a function of cycles a frame."""
    t = np.linspace(-2, 2, 4001)
    a = np.abs(t)
    kernel = np.where(a < 1, 1.5 * a**3 - 2.5 * a**2 + 1,
                      np.where(a < 2, -0.5 * a**3 + 2.5 * a**2 - 4 * a + 2, 0))
    grid = np.linspace(0, 6, 6001)
    gain = np.trapezoid(kernel * np.cos(2 * np.pi * grid[:, None] * t), t, axis=1)
    return lambda f: np.interp(np.abs(f), grid, gain)


def read(path):
    """The frames, the sample headers and the zones of every instrument."""
    data = pathlib.Path(path).read_bytes()
    chunks, place = {}, 12
    while place < len(data):
        size = int.from_bytes(data[place + 4:place + 8], "little")
        inner = place + 12
        while inner < place + 8 + size:
            length = int.from_bytes(data[inner + 4:inner + 8], "little")
            chunks[data[inner:inner + 4]] = data[inner + 8:inner + 8 + length]
            inner += 8 + length + length % 2
        place += 8 + size + size % 2
    frames = np.frombuffer(chunks[b"smpl"], dtype="<i2").astype(float)
    headers = list(struct.iter_unpack("<20s5IBbHH", chunks[b"shdr"]))[:-1]
    bags = [first for first, _ in struct.iter_unpack("<HH", chunks[b"ibag"])]
    generators = list(struct.iter_unpack("<HH", chunks[b"igen"]))
    starts = [first for _, first in struct.iter_unpack("<20sH", chunks[b"inst"])]
    zones = []
    for first, last in zip(starts, starts[1:]):
        common = {}
        for bag in range(first, last):
            zone = dict(generators[bags[bag]:bags[bag + 1]])
            if 53 in zone:
                zones.append({**common, **zone})
            else:
                common = zone
    return frames, headers, zones


def images(frequency, power, ratio, gain):
    """Decibels of the images to the sound, where `ratio` frames are played for one of output."""
    def heard(source):
        place = np.abs(source) * ratio
        return np.abs((place + 0.5) % 1 - 0.5) < AUDIBLE / OUTPUT
    direct = frequency * ratio < AUDIBLE / OUTPUT
    sound = np.sum((power * gain(frequency) ** 2)[direct])
    folded = heard(frequency) & (frequency * ratio > 0.5)
    total = np.sum((power * gain(frequency) ** 2)[folded])
    for order in range(1, 5):
        for source in (order - frequency, order + frequency):
            total += np.sum((power * gain(source) ** 2)[heard(source)])
    return 10 * np.log10(total / sound + 1e-20)


def main():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("font")
    parser.add_argument("--reach", type=int, default=6, help="semitones from a sample's root")
    parser.add_argument("--limit", type=float, default=-60, help="decibels")
    options = parser.parse_args()
    frames, headers, zones = read(options.font)
    gain, worst = response(), {}
    for zone in zones:
        name, start, end, loop_start, loop_end, rate, root, *_ = headers[zone[53]]
        root = zone.get(58, root)
        keys = zone.get(43, 127 << 8)
        # A rate above 50 kHz may be written as a half or quarter, with the root an octave lower.
        middle = root + (12 if root + 12 <= (keys >> 8) + options.reach and root + 12
                         >= (keys & 255) - options.reach and root < (keys & 255) - 3 else 0)
        low = max(keys & 255, middle - options.reach)
        high = min(keys >> 8, middle + options.reach)
        if low > high:
            continue
        wave = frames[loop_start:loop_end] if zone.get(54, 0) & 1 else frames[start:end]
        power = np.abs(np.fft.rfft(wave)) ** 2
        power[0] = 0
        frequency = np.fft.rfftfreq(len(wave))
        for key in range(low, high + 1):
            ratio = rate / OUTPUT * 2 ** ((key - root) / 12)
            if abs(ratio - 1) < 1e-4:  # frame for frame: nothing is interpolated
                continue
            level = images(frequency, power, ratio, gain)
            if level > worst.get(name, (-999, 0))[0]:
                worst[name] = (level, key, root, rate)
    above = sorted((values, name) for name, values in worst.items() if values[0] > options.limit)
    for (level, key, root, rate), name in reversed(above):
        text = name.split(b"\0")[0].decode("latin-1")
        print(f"{text:20} {level:7.1f} dB at key {key}, root {root}, {rate} Hz")
    print(f"{len(above)} of {len(worst)} samples above {options.limit:g} dB")


if __name__ == "__main__":
    main()
