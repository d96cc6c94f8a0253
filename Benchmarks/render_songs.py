# SPDX-License-Identifier: Apache-2.0
"""The suite `render`: whole processes that make sound of songs, paired with fluidsynth and timidity.

Ours and theirs alternate, at equal voices. Offline it is the time that passes, since several
processors may work, less what a virtual machine's host takes of it for others (`stolen`): it takes
more of two busy processors than of one, and another share every minute; and on one processor it is
the time that programs use of it. The dense song holds some 450 voices at once, in FluidR3, with
reverberation and chorus, by our own voices and by FluidSynth's (`--engine fluidsynth`); the black one
has a million events, 12,000 changes of tempo, and bursts of 2,000 notes at one tick. Then `play` from
the process's start to the first frame that is not silent, on an ALSA device that writes to a pipe, and
the memory resident then.

  apt-get install fluidsynth timidity fluid-soundfont-gm
"""
import os
import pathlib
import random
import resource
import shutil
import statistics
import struct
import subprocess
import tempfile
import time

FONT = "/usr/share/sounds/sf2/FluidR3_GM.sf2"
PIANO, EPIANO, GUITAR, BASS, STRINGS = 0, 4, 24, 33, 48


def variable(number):
    data = [number & 0x7F]
    while number := number >> 7:
        data.insert(0, number & 0x7F | 0x80)
    return bytes(data)


def song(path, events):
    """A format 0 file of 480 ticks at 120 bpm."""
    track, last = bytearray(), 0
    for tick, message in sorted(events, key=lambda event: event[0]):
        track += variable(tick - last) + bytes(message)
        last = tick
    track += b"\x00\xff\x2f\x00"
    path.write_bytes(b"MThd" + struct.pack(">IHHH", 6, 0, 1, 480)
                     + b"MTrk" + struct.pack(">I", len(track)) + bytes(track))


def dense(path, seconds=60):
    """Fifteen channels, each a chord of five a beat that is held for two beats."""
    programs = [PIANO, EPIANO, GUITAR, STRINGS, 19, 52, 61, 73, 89, 11, 24, 40, 0, 68, 80]
    channels = [channel for channel in range(16) if channel != 9]
    events = [(0, (0xC0 | channel, program)) for channel, program in zip(channels, programs)]
    events += [(0, (0xB0 | channel, 91, 60)) for channel in channels]
    for beat in range(2 * seconds):
        for channel in channels:
            for step in (0, 4, 7, 12, 16):
                key = 40 + step + (beat * 5 + channel * 3) % 24
                start = beat * 480 + channel * 7
                events.append((start, (0x90 | channel, key, 70 + (beat * 13 + step) % 50)))
                events.append((start + 950, (0x80 | channel, key, 64)))
    song(path, events)


def black(path, notes=500_000, tempos=12_000, burst=2_000, bursts=50, beats=120):
    """As songs of black MIDI are: walls of notes on all channels, most of them of a piano."""
    chance = random.Random(1)
    length = beats * 480
    programs = [PIANO, PIANO, EPIANO, PIANO, GUITAR, STRINGS, PIANO, PIANO, 11, 0, PIANO, 25, 56, 61,
                PIANO, 19]
    events = [(0, (0xC0 | channel, program)) for channel, program in enumerate(programs)]
    for change in range(tempos):
        tempo = chance.randrange(450_000, 550_000)
        events.append((change * length // tempos, (0xFF, 0x51, 3, *tempo.to_bytes(3, "big"))))
    ticks = [chance.randrange(length) for _ in range(notes - burst * bursts)]
    for _ in range(bursts):
        ticks += [chance.randrange(length)] * burst
    for tick in ticks:
        channel = chance.randrange(16)
        key = chance.randrange(35, 60) if channel == 9 else chance.randrange(21, 109)
        events.append((tick, (0x90 | channel, key, chance.randrange(20, 128))))
        events.append((tick + chance.randrange(20, 400), (0x80 | channel, key, 64)))
    song(path, events)


def opening(path):
    """Five instruments that begin together."""
    programs = [PIANO, EPIANO, GUITAR, BASS, STRINGS]
    events = [(0, (0xC0 | channel, program)) for channel, program in enumerate(programs)]
    for channel in range(5):
        events += [(0, (0x90 | channel, 60, 110)), (960, (0x80 | channel, 60, 64))]
    song(path, events)


def stolen():
    """Seconds that the host has kept this machine's busy processors from it, in all."""
    fields = pathlib.Path("/proc/stat").read_text().split("\n", 1)[0].split()
    return int(fields[8]) / os.sysconf("SC_CLK_TCK")


def used():
    """Seconds of processors that programs started from here have used."""
    usage = resource.getrusage(resource.RUSAGE_CHILDREN)
    return usage.ru_utime + usage.ru_stime


def seconds(command):
    """The time that a program takes, the same without what the host took of it, and what it works.

    Where n processors are at work, it is held up by an n-th of what they were kept away.
    """
    before, start = (stolen(), used()), time.monotonic()
    done = subprocess.run(command, capture_output=True, text=True)
    passed = time.monotonic() - start
    if done.returncode not in (0, 3):
        raise RuntimeError(f"{command[0]}: {done.stderr.strip()}")
    taken, work = stolen() - before[0], used() - before[1]
    busy = min(max(1, (work + taken) / passed), os.cpu_count())
    return passed, passed - taken / busy, work


def compare(title, commands, rounds, gates, by="own"):
    """Runs each command in turn; `gates` is the least ratio of a command's time to the first's.

    That is its own time, or what it works.
    """
    values = {name: [] for name in commands}
    for _ in range(rounds):
        for name, command in commands.items():
            values[name].append(seconds(command))
    passed = True
    print(f"\n{title:46}{'seconds':>9}{'own':>8}{'works':>8}{'ratio':>8}{'gate':>9}")
    column = {"own": 1, "works": 2}[by]
    base = next(iter(values.values()))
    for name, rows in values.items():
        # Pair by pair: what else the machine does changes from round to round.
        ratio = statistics.median(row[column] / first[column] for row, first in zip(rows, base))
        gate, isMost = gates.get(name, (None, False))
        met = gate is None or (ratio <= gate if isMost else ratio >= gate)
        passed = passed and met
        sign = "" if gate is None else f"{'<=' if isMost else '>='} {gate}"
        times = "".join(f"{statistics.median(times):{width}.2f}"
                        for times, width in zip(zip(*rows), (9, 8, 8)))
        print(f"{name:46}{times}{ratio:8.2f}{sign:>9}{'' if met else '  MISSED'}")
    return passed


def programs(tool, path, scratch, voices):
    """What renders a song with so many voices: ours, and fluidsynth without its options."""
    ours = [tool, "render", str(path), "--soundfont", FONT, "--polyphony", str(voices), "--rate",
            "48000", "--bits", "16", "--overwrite", "--quiet"]
    theirs = ["fluidsynth", "-ni", "-q", "-F", str(scratch / "theirs.wav"), "-O", "s16", "-T",
              "wav", "-r", "48000", "-o", f"synth.polyphony={voices}"]
    return ours, theirs


def on_one(command):
    """The same on one processor."""
    return ["taskset", "-c", str(min(os.sched_getaffinity(0))), *command]


LIBRARY = "downbeat render --engine fluidsynth"


def by_library(command):
    """The same by FluidSynth's voices in place of our own."""
    return [*command, "--engine", "fluidsynth"]


def alone(ours, theirs, rounds, least):
    """On one processor, by what each works."""
    commands = {"downbeat render": ours, LIBRARY: by_library(ours), "fluidsynth -F": theirs}
    return compare(
        "the same on one processor", {name: on_one(command) for name, command in commands.items()},
        rounds, {"fluidsynth -F": (least, False)}, by="works")


def offline(tool, scratch, rounds):
    path = scratch / "dense.mid"
    dense(path)
    ours, theirs = programs(tool, path, scratch, 1024)
    mix = [*ours, "-o", str(scratch / "ours.wav")]
    commands = {
        "downbeat render": mix,
        LIBRARY: by_library(mix),
        "fluidsynth -F": [*theirs, FONT, str(path)],
        "fluidsynth -F, synth.cpu-cores=2": [*theirs, "-o", "synth.cpu-cores=2", FONT, str(path)],
        "the same, in blocks of 2048 frames": [
            *theirs, "-z", "2048", "-o", "synth.cpu-cores=2", FONT, str(path)],
    }
    if shutil.which("timidity"):
        settings = scratch / "timidity.cfg"
        settings.write_text(f"soundfont {FONT}\n")
        commands["timidity -Ow"] = [
            "timidity", "-c", str(settings), "-Ow", "-s", "48000", "-p", "256", "-o",
            str(scratch / "timidity.wav"), str(path)]
    passed = compare(
        "60 s of a dense song, FluidR3", commands, rounds,
        {"fluidsynth -F": (1.8, False), "fluidsynth -F, synth.cpu-cores=2": (1.35, False),
         "the same, in blocks of 2048 frames": (1.35, False)})
    passed = alone(mix, [*theirs, FONT, str(path)], rounds, 1.2) and passed
    stems = [*ours, "-o", str(scratch / "stems"), "--stems", "channel"]
    return compare("the same, dry stems and the return", {"one mix": mix, "stems": stems}, rounds,
                   {"stems": (1.3, True)}) and passed


def million(tool, scratch, rounds):
    path = scratch / "black.mid"
    black(path)
    ours, theirs = programs(tool, path, scratch, 512)
    ours, theirs = [*ours, "-o", str(scratch / "ours.wav")], [*theirs, FONT, str(path)]
    commands = {"downbeat render": ours, LIBRARY: by_library(ours), "fluidsynth -F": theirs}
    passed = compare(
        "a million events, 512 voices", commands, rounds, {"fluidsynth -F": (1.5, False)})
    return alone(ours, theirs, rounds, 1.5) and passed


def first_sound(command, pipe, environment):
    """Seconds to the first frame that is not silent, and the MiB resident then."""
    start = time.monotonic()
    process = subprocess.Popen(
        command, env=environment, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    try:
        with open(pipe, "rb", buffering=0) as sound:
            while True:
                data = sound.read(4096)
                if not data:
                    raise RuntimeError(f"{command[0]} ended without a sound")
                if data.count(0) != len(data):
                    break
            taken = time.monotonic() - start
            status = pathlib.Path(f"/proc/{process.pid}/status").read_text()
            resident = int(status.split("VmRSS:")[1].split()[0]) / 1024
    finally:
        process.kill()
        process.wait()
    return taken, resident


def start(tool, scratch, rounds):
    path, pipe = scratch / "opening.mid", scratch / "pipe"
    opening(path)
    os.mkfifo(pipe)
    settings = scratch / "asound.conf"
    settings.write_text(
        "</usr/share/alsa/alsa.conf>\n"
        f"pcm.pipe {{ type file slave.pcm null file {pipe} format raw }}\n")
    environment = dict(os.environ, ALSA_CONFIG_PATH=str(settings))
    commands = {
        "downbeat play": [tool, "play", str(path), "--soundfont", FONT, "--audio", "pipe",
                          "--period", "512", "--periods", "2"],
        "fluidsynth": ["fluidsynth", "-ni", "-q", "-a", "alsa", "-o", "audio.alsa.device=pipe",
                       "-z", "512", "-c", "2", "-r", "48000", FONT, str(path)],
    }
    values = {name: [] for name in commands}
    for _ in range(rounds):
        for name, command in commands.items():
            values[name].append(first_sound(command, pipe, environment))
    print(f"\n{'to the first sound of five instruments':46}{'ms':>9}{'ratio':>8}{'MiB':>9}{'ratio':>8}")
    medians = {name: [statistics.median(column) for column in zip(*rows)]
               for name, rows in values.items()}
    ours, passed = medians["downbeat play"], True
    for name, (taken, resident) in medians.items():
        ratios = taken / ours[0], resident / ours[1]
        met = name == "downbeat play" or min(ratios) >= 2
        passed = passed and met
        print(f"{name:46}{taken * 1000:9.0f}{ratios[0]:8.2f}{resident:9.0f}{ratios[1]:8.2f}"
              f"{'' if met else '  MISSED (2)'}")
    return passed


def main(options):
    with tempfile.TemporaryDirectory() as folder:
        scratch = pathlib.Path(folder)
        passed = offline(options.tool, scratch, options.rounds)
        passed = million(options.tool, scratch, options.rounds) and passed
        return start(options.tool, scratch, max(5, options.rounds)) and passed
