# SPDX-License-Identifier: Apache-2.0
"""What is measured of effects: decay by band, echo density, ringing, responses, levels."""
import numpy as np

from sounds import RATE

BANDS = [125, 250, 500, 1000, 2000, 4000, 8000]


def decibels(value):
    return 20 * np.log10(np.maximum(np.abs(value), 1e-9))


def band(samples, centre):
    """One octave of a sound, cut out of its spectrum with soft edges."""
    # What rings before a click goes round into the silence behind, which is left out.
    count = len(samples) + 2 * RATE
    spectrum = np.fft.rfft(samples, count, axis=0)
    octaves = np.log2(np.maximum(np.fft.rfftfreq(count, 1 / RATE), 1e-3) / centre)
    mask = np.clip((0.6 - np.abs(octaves)) / 0.2, 0, 1)
    shape = (slice(None),) + (None,) * (samples.ndim - 1)
    return np.fft.irfft(spectrum * mask[shape], count, axis=0)[:len(samples)]


def backward(samples):
    """Schroeder's curve: the energy that is still to come, in decibels of all."""
    energy = np.sum(samples.reshape(len(samples), -1)**2, axis=1)
    rest = np.cumsum(energy[::-1])[::-1]
    return 10 * np.log10(np.maximum(rest / rest[0], 1e-12))


def decay(samples, first=-5, last=-35):
    """Seconds in which 60 dB are lost, by the line from `first` to `last` dB."""
    curve = backward(samples)
    begin, end = np.argmax(curve < first), np.argmax(curve < last)
    if end <= begin:
        return float("nan")
    slope = np.polyfit(np.arange(begin, end) / RATE, curve[begin:end], 1)[0]
    return -60 / slope


def decays(samples):
    return [decay(band(samples, centre)) for centre in BANDS]


def density(samples, times, window=0.02):
    """Echo density (Abel and Huang 2006) around each time: 1 is noise, 0 a single echo."""
    half = int(window * RATE / 2)
    weights = np.hanning(2 * half)
    weights /= weights.sum()
    found = []
    for time in times:
        place = int(time * RATE)
        part = samples[max(0, place - half):place + half]
        if len(part) < 2 * half:
            part = np.concatenate([np.zeros(2 * half - len(part)), part])
        spread = np.sqrt(np.sum(weights * part**2))
        found.append(np.sum(weights * (np.abs(part) > spread)) / 0.3173 if spread > 1e-12 else 0)
    return np.array(found)


def ringing(samples, start, seconds=0.7):
    """How far the strongest of the late tail's frequencies lies above those around it, in dB.

    Up to 5 kHz, each beside the median of 100 Hz around it; noise has about 10 dB.
    """
    first = int(start * RATE)
    part = samples[first:first + int(seconds * RATE)]
    # A tail that falls by much within the window is brought to one level before.
    curve = backward(part)
    slope = np.polyfit(np.arange(len(part)), curve, 1)[0]
    part = part * 10**(-slope * np.arange(len(part)) / 20)
    spectrum = np.abs(np.fft.rfft(part * np.hanning(len(part))))
    hertz = RATE / len(part)
    reach = int(50 / hertz)
    top = int(5000 / hertz)
    ratios = [spectrum[k] / np.median(spectrum[k - reach:k + reach])
              for k in range(reach + int(60 / hertz), top)]
    return float(20 * np.log10(max(ratios)))


def rings(heard):
    """The mean and the highest of ringing(), in five places of the tail of each side."""
    middle = decay(heard)
    found = [ringing(heard[:, side], part * middle, 0.5)
             for side in (0, 1) for part in (0.2, 0.3, 0.5, 0.7, 0.9)]
    return float(np.mean(found)), max(found)


def unevenness(samples, seconds=0.6, window=0.01):
    """How far the level of a tail strays from a straight line, in dB (root of the mean square)."""
    count = int(window * RATE)
    rows = int(seconds / window)
    part = samples[:rows * count, 0].reshape(rows, count)
    level = 10 * np.log10(np.maximum(np.mean(part**2, axis=1), 1e-14))
    line = np.polyval(np.polyfit(np.arange(rows), level, 1), np.arange(rows))
    return float(np.sqrt(np.mean((level - line)**2)))


def response(heard, count=1 << 16):
    """Decibels by frequency of an impulse response's left side."""
    return np.fft.rfftfreq(count, 1 / RATE), decibels(np.fft.rfft(heard[:, 0], count))


def side_by_side(samples):
    """How alike the sides are, −1…1, and what is lost in mono, in dB of their mean power."""
    left, right = samples[:, 0], samples[:, 1]
    power = np.mean(left**2) + np.mean(right**2)
    both = np.mean(((left + right) / 2)**2) * 2
    alike = np.mean(left * right) / np.sqrt(np.mean(left**2) * np.mean(right**2))
    return float(alike), float(10 * np.log10(both / power))


def true_peak(samples):
    """The highest value between samples, by 16 times as many; in dB."""
    count = len(samples)
    spectrum = np.fft.rfft(samples, axis=0)
    wide = np.zeros((8 * count + 1, samples.shape[1]), dtype=complex)
    wide[:len(spectrum)] = spectrum
    return float(decibels(np.max(np.abs(np.fft.irfft(wide, 16 * count, axis=0))) * 16))
