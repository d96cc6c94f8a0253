# SPDX-License-Identifier: Apache-2.0
"""The suite `voices`: what a voice engine of our own would cost beside FluidSynth's, in FluidR3.

`Voices/engine.c` is a prototype of one, eight voices a register; `Voices/fluid.c` plays the same
notes by libfluidsynth, a quantum a call, as where each has an event, and thirty a call. Both count
the time of their thread, in turn. Then the difference of the sound, of two notes of each of some
programs: the power of what is left when one is taken from the other.

  apt-get install gcc libfluidsynth-dev fluid-soundfont-gm
"""
import array
import math
import pathlib
import platform
import statistics
import struct
import subprocess
import tempfile

HERE = pathlib.Path(__file__).resolve().parent / "Voices"
FONT = "/usr/share/sounds/sf2/FluidR3_GM.sf2"
QUANTA = 1500
# From so much on it is worth to be built; and what may be left of the sound, in decibels.
LEAST, MOST = 2.5, -60
CROWD = [(program, key) for program in (0, 19, 48, 52, 61) for key in range(36, 85)]
SOLOS = [0, 4, 11, 19, 24, 40, 48, 52, 61, 73, 89]

KEYS, VELOCITIES, INSTRUMENT, SAMPLE = 43, 44, 41, 53
DEFAULTS = {8: 13500, 21: -12000, 23: -12000, 25: -12000, 26: -12000, 27: -12000, 28: -12000,
            30: -12000, 33: -12000, 34: -12000, 35: -12000, 36: -12000, 38: -12000, 56: 100,
            58: -1}


class Font:
    """The tables of a SoundFont 2 file, as far as notes of velocity 127 ask for them."""

    def __init__(self, path):
        data = pathlib.Path(path).read_bytes()
        self.chunks = {}
        for name, start, size in self.walk(data, 12, len(data)):
            if name == b"LIST":
                for inner, place, length in self.walk(data, start + 4, start + size):
                    self.chunks[inner] = (place, data[place:place + length])
        self.presets = self.rows(b"phdr", "<20sHHHIII")
        self.instruments = self.rows(b"inst", "<20sH")
        self.samples = self.rows(b"shdr", "<20sIIIIIBbHH")
        self.preset_zones = self.rows(b"pbag", "<HH"), self.rows(b"pgen", "<HH")
        self.instrument_zones = self.rows(b"ibag", "<HH"), self.rows(b"igen", "<HH")

    @staticmethod
    def walk(data, place, end):
        while place < end:
            size = struct.unpack_from("<I", data, place + 4)[0]
            yield data[place:place + 4], place + 8, size
            place += 8 + size + size % 2

    def rows(self, name, form):
        return list(struct.iter_unpack(form, self.chunks[name][1]))

    @staticmethod
    def zones(tables, first, end, last):
        """The zones that name what `last` numbers, each with what the first says of all."""
        bags, generators = tables
        found = [dict(generators[bags[zone][0]:bags[zone + 1][0]]) for zone in range(first, end)]
        common = found[0] if found and last not in found[0] else {}
        return [{**common, **zone} for zone in found if last in zone]

    @staticmethod
    def hears(zone, key):
        return all(zone.get(which, 0x7F00) & 0xFF <= value <= zone.get(which, 0x7F00) >> 8
                   for which, value in ((KEYS, key), (VELOCITIES, 127)))

    def notes(self, program, key):
        """What engine.c calls a note, for each voice of a key."""
        index = next(i for i, row in enumerate(self.presets) if row[1:3] == (program, 0))
        for outer in self.zones(
                self.preset_zones, self.presets[index][3], self.presets[index + 1][3], INSTRUMENT):
            if not self.hears(outer, key):
                continue
            inside = outer[INSTRUMENT]
            for zone in self.zones(self.instrument_zones, self.instruments[inside][1],
                                   self.instruments[inside + 1][1], SAMPLE):
                if self.hears(zone, key):
                    yield self.note(outer, zone, key)

    def note(self, outer, zone, key):
        other = {KEYS, VELOCITIES, INSTRUMENT, SAMPLE}
        signed = lambda value: value - 65536 if value > 32767 else value
        values = dict(DEFAULTS)
        values.update((which, signed(value)) for which, value in zone.items() if which not in other)
        for which, value in outer.items():
            if which not in other:
                values[which] = values.get(which, 0) + signed(value)
        _, start, end, loop, loop_end, rate, root, correction, _, _ = self.samples[zone[SAMPLE]]
        return struct.pack(
            "<60f5IiIii", *(float(values.get(which, 0)) for which in range(60)), start, end, loop,
            loop_end, rate, correction, root, key, self.chunks[b"smpl"][0])


def call(*command):
    done = subprocess.run([str(part) for part in command], capture_output=True, text=True)
    if done.returncode != 0:
        raise RuntimeError(f"{command[0]}: {done.stderr.strip() or done.returncode}")
    return done.stdout


def sound(path):
    samples = array.array("f")
    samples.frombytes(path.read_bytes())
    return samples


def main(options):
    if platform.machine() != "x86_64":
        print("left out: the prototype is for processors with AVX2")
        return True
    font = Font(FONT)
    with tempfile.TemporaryDirectory() as folder:
        scratch = pathlib.Path(folder)
        engine, fluid = scratch / "engine", scratch / "fluid"
        call("cc", "-O3", "-mavx2", "-mfma", "-Wall", "-Wextra", "-Werror", HERE / "engine.c", "-o",
             engine, "-lm")
        call("cc", "-O2", "-Wall", "-Wextra", "-Werror", HERE / "fluid.c", "-o", fluid,
             "-lfluidsynth")

        def ours(notes, quanta):
            voices = [voice for program, key in notes for voice in font.notes(program, key)]
            (scratch / "notes").write_bytes(b"".join(voices))
            taken = call(engine, scratch / "ours", quanta, FONT, scratch / "notes")
            return float(taken), len(voices)

        def theirs(notes, quanta, at_once=1):
            return float(call(fluid, scratch / "theirs", quanta, FONT, at_once,
                              *(f"{program}:{key}" for program, key in notes)))

        rows = [(ours(CROWD, QUANTA)[0], theirs(CROWD, QUANTA), theirs(CROWD, QUANTA, 30))
                for _ in range(max(3, options.rounds))]
        count = ours(CROWD, 1)[1]
        print(f"\n{f'{count} voices, a voice and 64 frames':46}{'ns':>9}{'ratio':>8}{'gate':>9}")
        passed = True
        for column, name in enumerate(["an engine of our own", "FluidSynth, 64 frames a call",
                                       "FluidSynth, 1920 frames a call"]):
            ratio = statistics.median(row[column] / row[0] for row in rows)
            met = column != 1 or ratio >= LEAST
            passed = passed and met
            print(f"{name:46}{statistics.median(row[column] for row in rows):9.0f}{ratio:8.2f}"
                  f"{f'>= {LEAST}' if column == 1 else '':>9}{'' if met else '  MISSED'}")
        print(f"\n{'what is left of one less the other':46}{'dB':>9}{'':8}{'aim':>9}")
        for program in SOLOS:
            notes = [(program, 60), (program, 67)]
            ours(notes, QUANTA // 2)
            theirs(notes, QUANTA // 2)
            left, right = sound(scratch / "theirs"), sound(scratch / "ours")
            rest = sum((a - b) ** 2 for a, b in zip(left, right)) / sum(a * a for a in left)
            decibels = 10 * math.log10(max(rest, 1e-30))
            print(f"{f'program {program + 1}':46}{decibels:9.1f}{'':8}{f'<= {MOST}':>9}"
                  f"{'' if decibels <= MOST else '  above'}")
        return passed
