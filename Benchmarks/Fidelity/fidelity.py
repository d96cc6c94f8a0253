#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Print how the voices do: test, wanted, ours, verdict.

  Benchmarks/Fidelity/fidelity.py [--command DOWNBEAT] [--folder FOLDER] [--songs FOLDER]

The folder (DOWNBEAT_FIDELITY, else ../shared/fidelity) holds the SoundFont Spec Test, its tests of
NRPNs and interpolation, and kinds/kinds.py. Songs for sound modules (module.py) are our own.
Exit status 1: something is not as wanted.

  python3 -m pip install numpy
"""
import argparse
import math
import os
import pathlib
import subprocess
import sys

sys.dont_write_bytecode = True
import numpy

import module
import spec_test
from sound import render

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
CUTOFFS = [100, 157, 237, 371, 581, 910, 1377, 2156, 3376, 5108, 8000]


def nrpn_rows(command, folder):
    sound = render(command, folder / "spec-test/nrpn/filter_NRPN_test.mid",
                   folder / "spec-test/nrpn/filter_NRPN_test.sf2")
    for name, start in (("NRPN 3 cutoff by NRPN", 12.25), ("NRPN 4 cutoff by modulator", 29.25)):
        ours = [sound.peak(start + 0.3 + 1.5 * index, start + 1.4 + 1.5 * index)
                for index in range(11)]
        steps = [abs(math.log2(own / wanted)) * 1200 / 700 for own, wanted in zip(ours, CUTOFFS)]
        yield (name, " ".join(map(str, CUTOFFS)), " ".join(f"{own:.0f}" for own in ours),
               max(steps) < 1 / 3)
    moments = (0.1, 1, 2, 2.3, 3, 4, 4.5)
    sweeps = [[sound.peak(start + moment, start + moment + 0.2) for moment in moments]
              for start in (0.25, 6.25)]
    worst = max(abs(math.log2(ours / wanted)) * 1200 for ours, wanted in zip(*sweeps))
    yield ("NRPN 1, 2 sweeps by NRPN and by modulator", "the same", f"{worst:.0f} cents apart",
           worst < 700 / 3)
    levels = [[sound.level(start + 3 * index, start + 2.45 + 3 * index) for index in range(11)]
              for start in (46.25, 80.25)]
    worst = max(abs(ours - wanted) for ours, wanted in zip(*levels))
    yield ("NRPN 5, 6 resonance by NRPN and by modulator", "the same", f"{worst:.2f} dB apart",
           worst < 0.5)


def alias(sound):
    """The images of the sine that falls, in decibels below it.

    The sample has 25 frames a period, so that images lie at 24, 26, 49, 51 … times its frequency.
    """
    images = whole = 0.0
    for start in numpy.arange(17.0, 27.5, 0.5):
        part = sound.part(start, start + 0.1).mean(axis=1)
        power = numpy.abs(numpy.fft.rfft(part * numpy.blackman(len(part)))) ** 2
        hertz = numpy.fft.rfftfreq(len(part), 1 / sound.rate)
        top = float(hertz[power.argmax()])
        whole += float(power[numpy.abs(hertz - top) < top * 0.07 + 30].sum())
        for number in range(25, 201, 25):
            for side in (-1, 1):
                image = (number + side) * top
                if image < sound.rate / 2:
                    images += float(power[numpy.abs(hertz - image) < 0.012 * image + 15].sum())
    return 10 * math.log10(images / whole)


def interpolation_rows(command, folder):
    files = [folder / f"spec-test/interpolation/interpolation.{kind}" for kind in ("mid", "sf2")]
    usual, best = (alias(render(command, *files, *options))
                   for options in ((), ("--quality", "best")))
    yield "interpolation 1, four points", "(shown)", f"{usual:.1f} dB", True
    yield ("interpolation 1, --quality best", f"<= {usual - 20:.1f} dB", f"{best:.1f} dB",
           best <= usual - 20)


def kind_rows(command, folder):
    done = subprocess.run(
        [sys.executable, folder / "kinds/kinds.py"], capture_output=True, text=True,
        env={**os.environ, "DB": str(command), "PYTHONDONTWRITEBYTECODE": "1"})
    for line in done.stdout.splitlines():
        verdict, _, text = line.partition(" ")
        if verdict not in ("ok", "FAIL"):
            continue
        name, _, rest = text.strip().partition("| got ")
        ours, _, wanted = rest.partition(" | want ")
        yield f"kind {name.strip()}", wanted or "as said", ours or "so", verdict == "ok"


def song_rows(command, songs):
    font = ROOT / "Soundfonts/Downbeat.sf2"
    for song in sorted(songs.rglob("*.mid")):
        sound = render(command, song, font)
        peak = 20 * math.log10(max(float(numpy.abs(sound.frames).max()), 1e-12))
        is_finite = bool(numpy.isfinite(sound.frames).all())
        yield (f"song {song.name}: peak at a gain of 1", "a number, sound", f"{peak:.1f} dB",
               is_finite and peak > -60)


def main():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--command", type=pathlib.Path, default=ROOT / ".build/release/downbeat")
    parser.add_argument("--folder", type=pathlib.Path, default=pathlib.Path(
        os.environ.get("DOWNBEAT_FIDELITY", ROOT.parent / "shared/fidelity")))
    parser.add_argument("--songs", type=pathlib.Path, default=ROOT / "Songs")
    options = parser.parse_args()
    tests = [(module.rows, None), (song_rows, options.songs)]
    if (options.folder / "spec-test").is_dir():
        tests = [(spec_test.rows, options.folder), (nrpn_rows, options.folder),
                 (interpolation_rows, options.folder), (kind_rows, options.folder)] + tests
    else:
        print(f"skipped: the tests of others: {options.folder} is not there (set DOWNBEAT_FIDELITY)")
    wrong = count = 0
    for make, folder in tests:
        for test, wanted, ours, is_right in make(options.command, folder):
            count += 1
            wrong += not is_right
            print(f"{'ok   ' if is_right else 'WRONG'} {test:52} {wanted:>24} {ours:>16}",
                  flush=True)
    print(f"{count - wrong} of {count} as wanted")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
