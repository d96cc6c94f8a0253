#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Draw a contact sheet: a spectrogram of a phrase on every program of a soundfont.

  Benchmarks/Soundfont/sheet.py FONT OUT.png [--wav FOLDER]

Time runs to the right (2.4 s: a soft note, a loud one, a low one, a chord), frequency up from
40 Hz to 16 kHz in octaves; 70 dB from black to white. Eight programs a row, in the order of
General MIDI, then the drum kits. Needs: apt-get install python3-numpy libfluidsynth3.
"""
import argparse
import pathlib
import struct
import sys
import wave
import zlib

sys.dont_write_bytecode = True
import numpy as np

import fluid

WIDTH, HEIGHT, GAP = 120, 64, 4
LOW, HIGH = 40.0, 16000.0
PHRASE = [(0.0, 0.4, (60,), 60), (0.4, 0.8, (67,), 110), (0.8, 1.2, (48,), 90),
          (1.2, 2.0, (60, 64, 67), 90)]
STROKES = [(0.1 * step, 0.1 * step + 0.08, (key,), 100) for step, key in enumerate(
    [36, 42, 38, 42, 36, 46, 40, 44, 50, 48, 45, 41, 49, 51, 39, 37, 54, 56, 60, 62])]


def phrase(synth, bank, program, notes):
    synth.select(bank, program)
    events = sorted([(start, True, keys, velocity) for start, _, keys, velocity in notes]
                    + [(end, False, keys, 0) for _, end, keys, _ in notes])
    parts, now = [], 0.0
    for time, is_on, keys, velocity in events:
        if time > now:
            parts.append(synth.frames(time - now))
            now = time
        for key in keys:
            if is_on:
                synth.on(key, velocity)
            else:
                synth.off(key)
    parts.append(synth.frames(2.4 - now))
    synth.hush()
    return np.concatenate(parts, axis=1)


def picture(sound):
    """Brightness 0…255, the highest frequency in the first row."""
    mono = sound.sum(axis=0)
    size = 4096
    window = np.hanning(size)
    starts = np.linspace(0, max(0, len(mono) - size), WIDTH).astype(int)
    frames = np.stack([mono[start:start + size] * window for start in starts])
    power = np.abs(np.fft.rfft(frames, axis=1)) ** 2
    edges = LOW * (HIGH / LOW) ** (np.arange(HEIGHT + 1) / HEIGHT) * size / fluid.RATE
    rows = []
    for low, high in zip(edges, edges[1:]):
        first = int(low)
        rows.append(power[:, first:max(first + 1, int(high))].max(axis=1))
    level = 10 * np.log10(np.array(rows[::-1]) + 1e-12)
    level -= level.max()
    return np.clip(255 * (1 + level / 70), 0, 255).astype(np.uint8)


def png(path, image):
    def chunk(name, content):
        body = name + content
        return struct.pack(">I", len(content)) + body + struct.pack(">I", zlib.crc32(body))
    height, width = image.shape
    rows = b"".join(b"\0" + row.tobytes() for row in image)
    pathlib.Path(path).write_bytes(
        b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", struct.pack(">IIBBBBB", width, height, 8, 0, 0, 0, 0))
        + chunk(b"IDAT", zlib.compress(rows, 9)) + chunk(b"IEND", b""))


def save(path, sound):
    with wave.open(str(path), "wb") as file:
        file.setnchannels(2)
        file.setsampwidth(2)
        file.setframerate(fluid.RATE)
        file.writeframes(np.clip(32767 * sound.T, -32768, 32767).astype("<i2").tobytes())


def main():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("font")
    parser.add_argument("output")
    parser.add_argument("--wav", help="write the phrases to a folder, too")
    options = parser.parse_args()
    synth = fluid.Synth(options.font)
    kits = [program for program in range(128) if synth.select(128, program)]
    cells = [(0, program) for program in range(128)] + [(128, kit) for kit in kits]
    columns = 8
    rows = -(-len(cells) // columns)
    image = np.full((rows * (HEIGHT + GAP) + GAP, columns * (WIDTH + GAP) + GAP), 40, np.uint8)
    for index, (bank, program) in enumerate(cells):
        sound = phrase(synth, bank, program, STROKES if bank else PHRASE)
        top = GAP + index // columns * (HEIGHT + GAP)
        left = GAP + index % columns * (WIDTH + GAP)
        image[top:top + HEIGHT, left:left + WIDTH] = picture(sound)
        if options.wav:
            folder = pathlib.Path(options.wav)
            folder.mkdir(parents=True, exist_ok=True)
            save(folder / f"{bank:03}-{program:03}.wav", sound)
    png(options.output, image)


if __name__ == "__main__":
    main()
