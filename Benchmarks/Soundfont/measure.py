#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Measure a soundfont's programs beside other fonts, through FluidSynth.

  Benchmarks/Soundfont/measure.py FONT [--beside FONT...] [--document FILE] [--json FILE]
                                  [--programs 0,40] [--keys] [--songs SONG...]

Needs: apt-get install python3-numpy libfluidsynth3, and for the fonts beside it
fluid-soundfont-gm timgm6mb-soundfont.
"""
import argparse
import json
import math
import pathlib
import subprocess
import sys
import tempfile

sys.dont_write_bytecode = True
import numpy as np

import fluid
import motion

KEYS = (48, 60, 72)


def program(synth, number):
    """Everything measured of one program; None where the font has none."""
    notes = [synth.note(0, number, key, 100) for key in KEYS]
    if notes[0] is None:
        return None
    soft, hard = (synth.note(0, number, 60, velocity) for velocity in (40, 127))
    ratio = fluid.centroid(hard) / max(1, fluid.centroid(soft))
    return {
        "motion": motion.measure(synth, number),
        "loudness": float(np.mean([fluid.momentary(note) for note in notes])),
        "attack": fluid.attack(notes[1]),
        "decay": fluid.decay(notes[1]),
        "centroid": fluid.centroid(notes[1]),
        "brightens": math.log2(max(ratio, 1e-3)),
        "cents": [fluid.cents(note, key) for note, key in zip(notes, KEYS)],
    }


def strays(ours, others):
    """What lies far from every other font, in words."""
    found = []
    peers = [other for other in others if other and not math.isnan(other["attack"])]
    if not peers:
        return found

    def outside(name, value, values, factor):
        low, high = min(values) / factor, max(values) * factor
        if not low <= value <= high:
            found.append(name)

    # Half the shortest to twice the longest of the others; attacks below 20 ms sound alike.
    outside("attack", max(ours["attack"], 0.04), [max(p["attack"], 0.04) for p in peers], 2)
    outside("decay", min(ours["decay"], 2), [min(p["decay"], 2) for p in peers], 2)
    outside("centroid", ours["centroid"], [p["centroid"] for p in peers], 1.6)
    # Neither of the others brightens most of its programs with velocity; instruments do.
    if not -0.1 <= ours["brightens"] <= max(1.2, max(p["brightens"] for p in peers) + 0.3):
        found.append("velocity")
    return found


def cell(values, name):
    if values is None:
        return "–"
    value = values[name]
    if name == "cents":
        known = [v for v in value if not math.isnan(v)]
        return f"{max(known, key=abs):+.1f}" if known else "–"
    if name in ("attack", "decay"):
        return "∞" if math.isinf(value) else f"{value * 1000:.0f}"
    return f"{value:.0f}" if name == "centroid" else f"{value:+.1f}"


MOTION = """
### Movement of notes

Each cell has the values for Downbeat's font, FluidR3 and TimGM6mb, separated by slashes, at velocity 100. The key is 60
unless keys are given.

The first table lists instruments that decay. Their notes are held for 6.5 s.

- *Fall*: how far the level falls in the 5.5 s after the loudest 50 ms, at most 80 dB.
- *First second* and *next two seconds*: how fast the level falls in the first second, and in the next two seconds.
- *End*: how far below the peak the level is when digital silence begins; 120 dB without digital silence.

The second table lists the other instruments, without noises and effects. Their notes are held for 10.5 s.

- *Depth*: the range of the level of each of the first four partials (the middle 90 % during 5 s).
- *Rate*: the average frequency at which the level of the fundamental varies.
- *Pitch*: the standard deviation of the pitch of the fundamental.
- *Dip*: the largest dip of the fundamental below its median level, between 1 s and 10 s.
- *Noise*: for solo players, the correlation between the level of the noise between the partials and the level of the
  tone.
- *End*: as in the first table.
"""

KIT = """
### Strokes

The strokes are those of the standard kit, at velocity 100. Each cell has three values, for Downbeat's font, FluidR3 and
TimGM6mb.

- *Third-octave bands*: how many of 25 third-octave bands are within 25 dB of the strongest band.
- *Decay* and *centroid*: as for programs.
- *Brightening*: the centroid at velocity 127 relative to the centroid at velocity 40, in octaves.
"""

STROKES = {36: "kick", 37: "side stick", 38: "snare", 39: "clap", 42: "closed hat", 44: "pedal hat",
           45: "low tom", 46: "open hat", 49: "crash", 50: "high tom", 51: "ride", 54: "tambourine",
           56: "cowbell", 58: "vibraslap", 60: "bongo", 62: "mute conga", 64: "conga",
           65: "timbale", 67: "agogo", 70: "maracas", 75: "claves", 76: "wood block",
           81: "triangle"}


def stroke(synth, key):
    """A drum's thirds of an octave, decay, centroid, and what velocity does to that."""
    soft, usual, hard = (
        synth.note(128, 0, key, velocity, held=0.05, after=2.5) for velocity in (40, 100, 127))
    mono = usual.sum(axis=0).astype(np.float64)
    power = np.abs(np.fft.rfft(mono)) ** 2
    frequency = np.fft.rfftfreq(len(mono), 1 / fluid.RATE)
    thirds = [power[np.abs(np.log2(np.maximum(frequency, 1) / 50) - third / 3) < 1 / 6].sum()
              for third in range(25)]
    full = sum(third > max(thirds) * 10 ** -2.5 for third in thirds)
    ratio = fluid.centroid(hard, 0, 0.4) / max(1, fluid.centroid(soft, 0, 0.4))
    return full, fluid.decay(usual, 2.5), fluid.centroid(usual, 0, 0.4), math.log2(ratio)


def kit_table(paths):
    lines = ["| stroke | third-octave bands | decay in ms | centroid in Hz | brightening in octaves |",
             "|---|---|---|---|---|"]
    fonts = []
    for path in paths:
        synth = fluid.Synth(path)
        fonts.append({key: stroke(synth, key) for key in STROKES})
        synth.close()
    for key, name in STROKES.items():
        columns = [
            " / ".join(text(font[key]) for font in fonts)
            for text in (lambda s: f"{s[0]}",
                         lambda s: "∞" if math.isinf(s[1]) else f"{1000 * s[1]:.0f}",
                         lambda s: f"{s[2]:.0f}", lambda s: f"{s[3]:+.1f}")]
        lines.append(f"| {key} {name} | " + " | ".join(columns) + " |")
    return "\n".join(lines) + "\n"


def table(names, fonts, presets):
    columns = ["loudness", "attack", "decay", "centroid", "brightens", "cents"]
    lines = ["| program | " + " | ".join(
        f"{head}" for head in ["loudness in LUFS", "attack in ms", "decay in ms", "centroid in Hz",
                               "brightening in octaves", "tuning in cents", "far from both"]) + " |",
             "|---|" + "---|" * 7]
    for number in sorted(fonts[0]):
        row = [f"{number} `{presets.get(number, '')}`"]
        for name in columns:
            row.append(" / ".join(cell(font.get(number), name) for font in fonts))
        row.append(", ".join(strays(fonts[0][number], [f.get(number) for f in fonts[1:]])))
        lines.append("| " + " | ".join(row) + " |")
    return "\n".join(lines) + "\n"


def preset_names(path):
    data = pathlib.Path(path).read_bytes()
    at = data.index(b"phdr") + 8
    size = int.from_bytes(data[at - 4:at], "little")
    found = {}
    for place in range(at, at + size - 38, 38):
        bank = int.from_bytes(data[place + 22:place + 24], "little")
        if bank == 0:
            number = int.from_bytes(data[place + 20:place + 22], "little")
            found[number] = data[place:place + 20].split(b"\0")[0].decode("latin-1")
    return found


def songs(tool, font, paths):
    """Integrated loudness and peak of whole songs, as `downbeat render` makes them."""
    rows = []
    with tempfile.TemporaryDirectory() as folder:
        for path in paths:
            out = f"{folder}/song.wav"
            subprocess.run([tool, "render", path, "-o", out, "--bits", "float", "--overwrite",
                            "--soundfont", font], check=False,
                           stderr=subprocess.DEVNULL)
            data = pathlib.Path(out).read_bytes()
            at = data.index(b"data") + 8
            sound = np.frombuffer(data[at:at + (len(data) - at) // 8 * 8], dtype="<f4")
            sound = sound.reshape(-1, 2).T.astype(np.float64)
            rows.append((path, fluid.integrated(sound), float(np.abs(sound).max())))
            print(f"{rows[-1][1]:7.1f} LUFS  peak {20 * math.log10(rows[-1][2] + 1e-9):6.1f} dBFS  "
                  f"{path}", flush=True)
    return rows


def main():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("font")
    parser.add_argument("--beside", nargs="*", default=[], help="fonts to compare with")
    parser.add_argument("--programs", help="numbers, comma-separated; all without it")
    parser.add_argument("--document", help="replace the table in a file in Markdown")
    parser.add_argument("--json", help="write everything measured")
    parser.add_argument("--keys", action="store_true", help="tuning of every third key instead")
    parser.add_argument("--songs", nargs="*", help="loudness of songs instead")
    parser.add_argument("--tool", default=".build/release/downbeat")
    options = parser.parse_args()
    if options.songs:
        songs(options.tool, options.font, options.songs)
        return
    numbers = ([int(n) for n in options.programs.split(",")] if options.programs
               else range(128))
    if options.keys:
        synth = fluid.Synth(options.font)
        for number in numbers:
            found = {}
            for key in range(24, 109, 3):
                note = synth.note(0, number, key, 100, held=1.2, after=0.1)
                found[key] = fluid.cents(note, key, end=1.1)
            worst = max(found, key=lambda k: 0 if math.isnan(found[k]) else abs(found[k]))
            print(f"{number:3} worst {found[worst]:+6.2f} cents at key {worst}", flush=True)
        return
    fonts = []
    for path in [options.font, *options.beside]:
        synth = fluid.Synth(path)
        measured = {number: program(synth, number) for number in numbers}
        fonts.append({n: values for n, values in measured.items() if values})
        synth.close()
    names = preset_names(options.font)
    text = table(numbers, fonts, names)
    moving = [{n: values["motion"] for n, values in font.items()} for font in fonts]
    strokes = kit_table([options.font, *options.beside])
    text += f"{MOTION}\n{motion.tables(moving, names)}{KIT}\n{strokes}"
    if options.document:
        document = pathlib.Path(options.document)
        before = document.read_text().split("| program |")[0]
        document.write_text(before + text)
    else:
        print(text)
    if options.json:
        pathlib.Path(options.json).write_text(json.dumps(fonts, indent=1) + "\n")


if __name__ == "__main__":
    main()
