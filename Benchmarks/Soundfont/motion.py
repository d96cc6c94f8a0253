# SPDX-License-Identifier: Apache-2.0
"""How a note moves while it lasts: its fall, its partials, its noise, its end."""
import numpy as np

import fluid

# What is struck or plucked and rings away; all else is held.
STRUCK = {*range(16), *range(24, 40), 45, 46, 47, 55, *range(104, 109), *range(112, 119)}
FALL_KEYS = (36, 60, 84)
DIP_KEYS = (36, 48, 60, 84)
# One player: what lies between the partials is noise. Between those of many lie other players.
ALONE = {40, 41, 42, 43, 56, 57, 58, 59, 60, *range(64, 80), 109, 110, 111}
# Frames of a hop: 5 ms.
HOP = fluid.RATE // 200


def level(sound, seconds=0.05):
    """The level in windows of `seconds`, in decibels."""
    width = int(seconds * fluid.RATE)
    power = np.sum(sound.astype(np.float64) ** 2, axis=0)
    count = len(power) // width
    return 10 * np.log10(power[:count * width].reshape(count, width).mean(axis=1) + 1e-20)


def fall(sound, seconds=5.5):
    """Decibels from the loudest 50 ms to those `seconds` after it, no more than 80."""
    levels = level(sound)
    top = int(np.argmax(levels[:20]))
    return float(min(80, levels[top] - levels[min(top + int(seconds / 0.05), len(levels) - 1)]))


def stages(sound):
    """The fall in the first second and that from the first to the third, in decibels a second."""
    levels = level(sound, 0.1)
    top = int(np.argmax(levels[:10]))
    return (float(levels[top] - levels[top + 10]),
            float((levels[top + 10] - levels[top + 30]) / 2))


def ending(sound):
    """How far below its peak a sound still is when digital silence follows, in decibels; 120 where
    none follows."""
    levels = level(sound, 0.002)
    sounding = np.nonzero(levels > -170)[0]
    if len(sounding) == 0 or sounding[-1] == len(levels) - 1:
        return 120.0
    # The window before the last is whole.
    return float(min(120, levels.max() - levels[max(0, sounding[-1] - 1)]))


def partial(sound, frequency, width=14.0):
    """One partial's complex amplitude every 5 ms: all within about `width` hertz of a frequency."""
    mono = np.sum(sound, axis=0).astype(np.float64)
    size = len(mono)
    spectrum = np.fft.rfft(mono)
    bins = np.fft.rfftfreq(size, 1 / fluid.RATE) - frequency
    near = np.abs(bins) < 4 * width
    kept = spectrum[near] * np.exp(-0.5 * (bins[near] / width) ** 2)
    # The band is moved to 0 Hz and seen at 200 frames a second.
    count = size // HOP
    low = np.zeros(count, dtype=complex)
    places = np.round(bins[near] * size / fluid.RATE).astype(int)
    inside = np.abs(places) < count // 2
    np.add.at(low, places[inside] % count, kept[inside])
    return 2 * np.fft.ifft(low) * count / size


def pitch(sound, key):
    """The frequency of the fundamental in hertz, within half a semitone of its key."""
    cents = fluid.cents(sound, key, start=0.3, end=2.3)
    return 440 * 2 ** ((key - 69 + (0 if np.isnan(cents) else cents / 100)) / 12)


def movement(sound, key, start=0.8, end=5.8):
    """Of the first four partials: how far each moves in level (the middle nine tenths, in decibels),
    and at how many hertz; of the fundamental, how far in pitch (standard deviation in cents)."""
    base = pitch(sound, key)
    depths, rates, wander = [], [], 0.0
    for number in range(1, 5):
        line = partial(sound, number * base)[int(start * 200):int(end * 200)]
        size = np.abs(line) + 1e-12
        decibels = 20 * np.log10(size)
        # What falls steadily does not move.
        time = np.arange(len(decibels))
        decibels -= np.polyval(np.polyfit(time, decibels, 1), time)
        depths.append(float(np.quantile(decibels, 0.95) - np.quantile(decibels, 0.05)))
        power = np.abs(np.fft.rfft(decibels * np.hanning(len(decibels)))) ** 2
        frequency = np.fft.rfftfreq(len(decibels), 0.005)
        kept = (frequency > 0.3) & (frequency < 20)
        rates.append(float(np.sum(frequency[kept] * power[kept]) / (np.sum(power[kept]) + 1e-12)))
        if number == 1:
            turns = np.diff(np.unwrap(np.angle(line))) / (2 * np.pi * 0.005)
            turns = np.convolve(turns, np.ones(8) / 8, mode="valid")
            wander = float(1200 / np.log(2) * np.std(turns) / base)
    return depths, rates, wander


def dip(sound, key, start=1.0, end=10.0):
    """How far the fundamental falls below its median at the most, in decibels, beside its steady
    fall or rise."""
    frequency = 440 * 2 ** ((key - 69) / 12)
    # A vibrato stays inside, the next partial outside.
    line = partial(sound, frequency, max(14, 0.05 * frequency))[int(start * 200):int(end * 200)]
    decibels = 20 * np.log10(np.abs(line) + 1e-9)
    time = np.arange(len(decibels))
    decibels -= np.polyval(np.polyfit(time, decibels, 1), time)
    return float(np.median(decibels) - decibels.min())


def bands(sound, key):
    """The level of the tone and of the noise between its partials every 10 ms, in decibels."""
    mono = np.sum(sound, axis=0).astype(np.float64)
    size, hop = 4096, 480
    base = pitch(sound, key)
    starts = range(0, len(mono) - size, hop)
    power = np.abs(np.fft.rfft(
        np.stack([mono[at:at + size] for at in starts]) * np.blackman(size), axis=1)) ** 2
    place = np.arange(size // 2 + 1) * fluid.RATE / size / base
    away = np.abs(place - np.round(place))
    frequency = place * base
    heard = (frequency > 300) & (frequency < 10000)
    # A window's own width is six bins.
    between = heard & (away * base > 4.5 * fluid.RATE / size)
    tone = power[:, (frequency > 60) & (frequency < 10000)].sum(axis=1)
    noise = power[:, between].sum(axis=1) if between.any() else np.zeros(len(power))
    return 10 * np.log10(tone + 1e-20), 10 * np.log10(noise + 1e-20)


def follows(sound, key, held):
    """The correlation of the noise's level with the tone's while a note is held, and how far below
    the tone the noise lies, in decibels."""
    tone, noise = bands(sound, key)
    tone, noise = tone[:int(held * 100)], noise[:int(held * 100)]
    distance = float(np.median(tone[80:] - noise[80:]))
    # As the ear follows: movements of up to some 8 Hz, from the onset on.
    smooth = np.ones(9) / 9
    tone, noise = (np.convolve(x, smooth, mode="valid")[40:] for x in (tone, noise))
    if np.std(tone) < 0.03 or np.std(noise) < 0.03:
        return 0.0, distance
    return float(np.corrcoef(tone, noise)[0, 1]), distance


def measure(synth, number):
    """All of it for one program; None where the font has none."""
    if not synth.select(0, number):
        return None
    found = {}
    if number in STRUCK:
        notes = {key: synth.note(0, number, key, 100, held=6.5, after=0.1) for key in FALL_KEYS}
        found["falls"] = [fall(notes[key]) for key in FALL_KEYS]
        found["stages"] = stages(notes[60])
        found["ends"] = min(
            ending(synth.note(0, number, key, 100, held=9.0, after=0.1)) for key in (60, 84, 100))
        return found
    note = synth.note(0, number, 60, 100, held=10.5, after=1.5)
    found["depths"], found["rates"], found["wander"] = movement(note, 60)
    found["dips"] = [dip(synth.note(0, number, key, 100, held=10.5, after=0.1), key)
                     for key in DIP_KEYS]
    if number in ALONE:
        found["follows"], found["noise"] = follows(note, 60, 6.0)
    found["ends"] = ending(synth.note(0, number, 60, 100, held=1.0, after=6.0))
    return found


def stray(ours, peers, slack):
    """Whether a value lies outside the others', by more than what nobody hears."""
    return not min(peers) - slack <= ours <= max(peers) + slack


def strays(ours, others):
    """What lies outside the other fonts' range, in words."""
    peers = [other for other in others if other]
    found = []
    if not peers:
        return found
    if "falls" in ours:
        for place, key in enumerate(FALL_KEYS):
            if stray(ours["falls"][place], [p["falls"][place] for p in peers], 3):
                found.append(f"fall {key}")
        if stray(ours["stages"][0], [p["stages"][0] for p in peers], 2):
            found.append("first second")
    else:
        if stray(ours["depths"][0], [p["depths"][0] for p in peers], 0.5):
            found.append("depth")
        if stray(ours["wander"], [p["wander"] for p in peers], 1):
            found.append("pitch")
        if max(ours["dips"]) > 12 and max(ours["dips"]) > min(max(p["dips"]) for p in peers):
            found.append("dip")
        if "follows" in ours and ours["follows"] < min(p["follows"] for p in peers) - 0.1:
            found.append("noise")
    # What is 80 dB down is not heard to end.
    if ours["ends"] < 80 and ours["ends"] < min(p["ends"] for p in peers):
        found.append("end")
    return found


def cell(fonts, text):
    return " / ".join(text(font) if font else "–" for font in fonts)


def tables(fonts, names):
    """The two tables of the document: what rings away, what is held."""
    def row(number, *cells):
        measured = [font.get(number) for font in fonts]
        marks = ", ".join(strays(measured[0], measured[1:]))
        return f"| {number} `{names.get(number, '')}` | " + " | ".join(
            cell(measured, text) for text in cells) + f" | {marks} |"

    several = lambda values, places=0: " ".join(f"{value:.{places}f}" for value in values)
    struck = [
        "| decaying instrument | fall in dB, keys 36 60 84 | decay in dB/s: first second; next two seconds |"
        " end in dB | values outside the limits |",
        "|---|---|---|---|---|"]
    held = ["| held instrument | depth in dB, partials 1 to 4 | rate in Hz | pitch in cents |"
            " dip in dB, keys 36 48 60 84 | noise | end in dB | values outside the limits |", "|---|---|---|---|---|---|---|---|"]
    for number in sorted(fonts[0]):
        if number in STRUCK:
            struck.append(row(
                number, lambda m: several(m["falls"]), lambda m: several(m["stages"], 1),
                lambda m: f"{m['ends']:.0f}"))
        elif number < 119:
            held.append(row(
                number, lambda m: several(m["depths"]), lambda m: f"{m['rates'][0]:.1f}",
                lambda m: f"{m['wander']:.0f}", lambda m: several(m["dips"]),
                lambda m: f"{m['follows']:+.1f}" if "follows" in m else "·",
                lambda m: f"{m['ends']:.0f}"))
    return "\n".join(struck) + "\n\n" + "\n".join(held) + "\n"
