# SPDX-License-Identifier: Apache-2.0
"""The suite `sound`, its half with files: conversions, paired with sox.

Each measurement is a whole process; ours and theirs alternate. The quality is that of a swept
sine: what each converter leaves over when the sweep that it should have made is taken away.
`--plots` writes spectrograms of both into Documentation/.
"""
import pathlib
import statistics
import struct
import subprocess
import sys
import tempfile
import time

HERE = pathlib.Path(__file__).resolve().parent
SECONDS, SOURCE, TARGET = 600, 44_100, 48_000
# The conversion is to be at least as fast as each of these.
RIVALS = {"sox rate -v, flac 8 (its usual)": [], "sox rate -v, flac 5 (ours)": ["-C", "5"]}


def run(command):
    start = time.monotonic()
    done = subprocess.run(command, capture_output=True, text=True)
    if done.returncode != 0:
        raise RuntimeError(f"{command[0]}: {done.stderr.strip()}")
    return time.monotonic() - start


def ours(tool, source, target, *flags):
    return [tool, "sound", "convert", str(source), "-o", str(target), "--rate", str(TARGET),
            "--overwrite", *flags]


def theirs(source, target, *flags):
    return ["sox", str(source), *flags, str(target), "rate", "-v", str(TARGET)]


def speed(tool, scratch, rounds):
    source, target = scratch / "ten.wav", scratch / "out.flac"
    run(["sox", "-n", "-r", str(SOURCE), "-b", "16", "-c", "2", str(source), "synth",
         str(SECONDS), "sine", "20-20000", "pinknoise", "gain", "-3"])
    seconds = {name: [] for name in ["downbeat", *RIVALS]}
    for _ in range(rounds):
        seconds["downbeat"].append(run(ours(tool, source, target)))
        for name, flags in RIVALS.items():
            seconds[name].append(run(theirs(source, target, *flags)))
    passed = True
    print(f"{'10 min of stereo to 48 kHz FLAC':42}{'seconds':>9}{'ratio':>8}")
    for name, values in seconds.items():
        ratio = statistics.median(values) / statistics.median(seconds["downbeat"])
        met = ratio >= 1
        passed = passed and met
        print(f"{name:42}{statistics.median(values):9.2f}{ratio:8.2f}{'' if met else '  MISSED'}")
    return passed


def sweep(numpy, rate, seconds=10.0):
    """20 Hz to 18 kHz, an octave in the same time as every other, and a second more of 18 kHz, so
    that the ringing at the end lies behind what is measured; at -1 dB."""
    time_ = numpy.arange(int(rate * (seconds + 1))) / rate
    growth = numpy.log(900.0)
    rising = numpy.minimum(time_, seconds)
    phase = 20 * seconds / growth * (numpy.exp(rising / seconds * growth) - 1)
    phase += 18_000 * (time_ - rising)
    return 10 ** (-1 / 20) * numpy.sin(2 * numpy.pi * phase)


def write24(numpy, path, samples, rate):
    data = numpy.round(samples * 2 ** 23).astype("<i4")
    body = data.view(numpy.uint8).reshape(-1, 4)[:, :3].tobytes()
    head = struct.pack("<4sI4s4sIHHIIHH4sI", b"RIFF", 36 + len(body), b"WAVE", b"fmt ", 16, 1, 1,
                       rate, rate * 3, 3, 24, b"data", len(body))
    path.write_bytes(head + body)


def read24(numpy, path):
    content = path.read_bytes()
    place = content.index(b"data") + 8
    body = numpy.frombuffer(content[place:], dtype=numpy.uint8)
    body = body[:len(body) // 3 * 3].reshape(-1, 3)
    word = numpy.zeros((len(body), 4), dtype=numpy.uint8)
    word[:, 1:] = body
    return word.view("<i4").ravel() / 2.0 ** 31


def quality(tool, scratch, plots):
    try:
        import numpy
    except ImportError:
        print("left out: the quality (pip install numpy)", file=sys.stderr)
        return True
    source = scratch / "sweep.wav"
    write24(numpy, source, sweep(numpy, SOURCE), SOURCE)
    ideal = sweep(numpy, TARGET)
    results = {}
    for name, command in [
            ("downbeat", ours(tool, source, scratch / "downbeat.wav", "--bits", "24")),
            ("sox", theirs(source, scratch / "sox.wav"))]:
        run(command)
        made = read24(numpy, scratch / f"{name}.wav")
        # Away from the beginning, where the filters ring.
        first, last = TARGET // 10, TARGET * 10
        rest = made[first:last] - ideal[first:last]
        results[name] = 10 * numpy.log10(numpy.mean(rest ** 2) / numpy.mean(ideal ** 2))
        if plots:
            run(["sox", str(scratch / f"{name}.wav"), "-n", "spectrogram", "-x", "700", "-y", "257",
                 "-z", "180", "-t", f"{name}: 44.1 to 48 kHz, 24 bits", "-o",
                 str(HERE.parent / "Documentation" / f"sweep-{name}.png")])
    print(f"\n{'swept sine, what is left over':42}{'dB':>9}")
    for name, value in results.items():
        print(f"{name:42}{value:9.1f}")
    return bool(results["downbeat"] <= results["sox"] + 0.1)


def main(options):
    tool = options.tool or str(HERE.parent / ".build/release/downbeat")
    with tempfile.TemporaryDirectory() as folder:
        scratch = pathlib.Path(folder)
        fast = speed(tool, scratch, options.rounds)
        good = quality(tool, scratch, options.plots)
    return fast and good
