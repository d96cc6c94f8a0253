# SPDX-License-Identifier: Apache-2.0
"""A rendered sound, and what is measured of it."""
import math
import pathlib
import struct
import subprocess
import tempfile

import numpy


class Sound:
    """Frames of two channels."""

    def __init__(self, path):
        data = pathlib.Path(path).read_bytes()
        place = 12
        while place < len(data) - 8:
            name, size = data[place:place + 4], struct.unpack_from("<I", data, place + 4)[0]
            if name == b"fmt ":
                self.rate = struct.unpack_from("<I", data, place + 12)[0]
            if name == b"data":
                frames = numpy.frombuffer(data[place + 8:place + 8 + size], "<f4")
                self.frames = frames.reshape(-1, 2).astype(float)
                return
            place += 8 + size + (size & 1)
        raise RuntimeError(f"{path}: no data")

    def part(self, start, end):
        return self.frames[int(start * self.rate):int(end * self.rate)]

    def level(self, start, end, side=None):
        """In decibels of full scale; -240 for silence."""
        part = self.part(start, end)
        part = part if side is None else part[:, side]
        return 20 * math.log10(max(math.sqrt(float(numpy.mean(part * part))), 1e-12))

    def peaks(self, start, end, length):
        """The greatest magnitude of each window of so many seconds, in decibels."""
        part = numpy.abs(self.part(start, end)).max(axis=1)
        count = int(length * self.rate)
        part = part[:len(part) // count * count].reshape(-1, count).max(axis=1)
        return 20 * numpy.log10(numpy.maximum(part, 1e-12))

    def frequency(self, start, end):
        part = self.part(start, end)[:, 0]
        part = part - part.mean()
        size = 1 << 17
        power = numpy.abs(numpy.fft.rfft(part * numpy.hanning(len(part)), size))
        top = int(power.argmax())
        before, at, after = numpy.log(power[top - 1:top + 2] + 1e-20)
        return (top + 0.5 * (before - after) / (before - 2 * at + after)) * self.rate / size

    def periods(self, start, end):
        """The frequency of each period, by its rising zeros."""
        part = self.part(start, end)[:, 0]
        rises = numpy.flatnonzero((part[:-1] < 0) & (part[1:] >= 0))
        zeros = rises + part[rises] / (part[rises] - part[rises + 1])
        return self.rate / numpy.diff(zeros)

    def spectrum(self, start, end):
        part = self.part(start, end).mean(axis=1)
        power = numpy.abs(numpy.fft.rfft(part * numpy.hanning(len(part)))) ** 2
        return numpy.fft.rfftfreq(len(part), 1 / self.rate), power

    def peak(self, start, end, least=30):
        """The frequency of the smoothed spectrum's peak."""
        hertz, power = self.spectrum(start, end)
        power = numpy.convolve(power, numpy.ones(21) / 21, "same")
        above = hertz > least
        return float(hertz[above][power[above].argmax()])


def cents(hertz, base):
    return 1200 * math.log2(hertz / base)


def render(command, song, font, *options):
    """Plays a song without effects, at a gain of 1."""
    with tempfile.TemporaryDirectory() as folder:
        out = pathlib.Path(folder) / "sound.wav"
        done = subprocess.run(
            [command, "render", song, "-o", out, "-s", font, "--no-reverb", "--no-chorus",
             "--absolute-gain", "1", "--bits", "float", "-q", *options], capture_output=True)
        if done.returncode not in (0, 3):
            raise RuntimeError(done.stderr.decode().strip())
        return Sound(out)
