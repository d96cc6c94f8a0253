# SPDX-License-Identifier: Apache-2.0
"""The suite `sound`, its half with files: conversions, paired with sox.

Each measurement is a whole process; ours and theirs alternate. The quality is that of a swept
sine: what each converter leaves over when the sweep that it should have made is taken away.
`--plots` draws that over the frequency, into Documentation/RateConverter.svg.
"""
import pathlib
import resource
import statistics
import struct
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
SOURCE, TARGET = 44_100, 48_000
# The conversion is to be at least as fast as each of these.
RIVALS = {"sox rate -v, flac 8 (its usual)": [], "sox rate -v, flac 4 (ours)": ["-C", "4"]}


def run(command):
    """The processor time of a process, in seconds: a busy machine takes longer, not more."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    done = subprocess.run(command, capture_output=True, text=True)
    if done.returncode != 0:
        raise RuntimeError(f"{command[0]}: {done.stderr.strip()}")
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime - before.ru_utime + after.ru_stime - before.ru_stime


def ours(tool, source, target, *flags):
    return [tool, "sound", "convert", str(source), "-o", str(target), "--rate", str(TARGET),
            "--overwrite", *flags]


def theirs(source, target, *flags):
    return ["sox", str(source), *flags, str(target), "rate", "-v", str(TARGET)]


def speed(tool, scratch, rounds, length):
    source, target = scratch / "long.wav", scratch / "out.flac"
    run(["sox", "-n", "-r", str(SOURCE), "-b", "16", "-c", "2", str(source), "synth",
         str(length), "sine", "20-20000", "pinknoise", "gain", "-3"])
    seconds = {name: [] for name in ["downbeat", *RIVALS]}
    for _ in range(rounds):
        seconds["downbeat"].append(run(ours(tool, source, target)))
        for name, flags in RIVALS.items():
            seconds[name].append(run(theirs(source, target, *flags)))
    passed = True
    print(f"\n{f'{length} s of stereo to 48 kHz FLAC':42}{'seconds':>9}{'ratio':>8}")
    for name, values in seconds.items():
        ratio = statistics.median(values) / statistics.median(seconds["downbeat"])
        passed = passed and ratio >= 1
        verdict = "" if ratio >= 1 else "  MISSED"
        print(f"{name:42}{statistics.median(values):9.2f}{ratio:8.2f}{verdict}")
    return passed


def sweep(numpy, rate, seconds=10.0):
    """20 Hz to 18 kHz, an octave in the same time as every other, and a second more of 18 kHz, so
    that the ringing at the end lies behind what is measured; at -1 dB."""
    time = numpy.arange(int(rate * (seconds + 1))) / rate
    growth = numpy.log(900.0)
    rising = numpy.minimum(time, seconds)
    phase = 20 * seconds / growth * (numpy.exp(rising / seconds * growth) - 1)
    phase += 18_000 * (time - rising)
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
    # Away from the beginning, where the filters ring.
    first, last = TARGET // 10, TARGET * 10
    rests, left = {}, {}
    target = scratch / "swept.wav"
    for name, command in [("downbeat", ours(tool, source, target, "--bits", "24")),
                          ("sox rate -v", theirs(source, target))]:
        run(command)
        rests[name] = read24(numpy, target)[first:last] - ideal[first:last]
        left[name] = 10 * numpy.log10(
            numpy.mean(rests[name] ** 2) / numpy.mean(ideal[first:last] ** 2))
    if plots:
        plot(numpy, rests, first)
    print(f"\n{'swept sine, 24 bits, what is left over':42}{'dB':>9}")
    for name, value in left.items():
        print(f"{name:42}{value:9.1f}")
    return bool(left["downbeat"] <= left["sox rate -v"] + 0.1)


def plot(numpy, rests, first):
    """The rest's level in windows of 2048 frames, over the sweep's frequency there."""
    width, height, low, high = 720, 360, -170.0, -90.0
    across = lambda hertz: 60 + (width - 80) * numpy.log(hertz / 20) / numpy.log(900)
    down = lambda level: 40 + (height - 80) * (high - min(high, max(low, level))) / (high - low)
    parts = [f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" '
             'font-family="sans-serif" font-size="12" fill="none">',
             f'<rect width="{width}" height="{height}" fill="#fff"/>',
             '<text x="60" y="24" fill="#000">44.1 to 48 kHz, a sine swept at -1 dB, 24 bits: '
             'what differs from the ideal (dB of full scale)</text>']
    for level in range(int(low), int(high) + 1, 10):
        parts.append(f'<path d="M60 {down(level):.1f}H{width - 20}" stroke="#ddd"/>'
                     f'<text x="20" y="{down(level) + 4:.1f}" fill="#000">{level}</text>')
    for hertz in [20, 50, 100, 200, 500, 1000, 2000, 5000, 10_000, 18_000]:
        parts.append(f'<path d="M{across(hertz):.1f} 40V{height - 40}" stroke="#ddd"/>'
                     f'<text x="{across(hertz):.1f}" y="{height - 22}" text-anchor="middle" '
                     f'fill="#000">{hertz}</text>')
    for index, (name, rest) in enumerate(rests.items()):
        colour = ["#06c", "#c40"][index]
        windows = rest[:len(rest) // 2048 * 2048].reshape(-1, 2048)
        levels = 10 * numpy.log10(numpy.mean(windows ** 2, axis=1) + 1e-30)
        centres = (first + 2048 * (numpy.arange(len(levels)) + 0.5)) / TARGET
        points = " ".join(f"{across(20 * 900 ** (second / 10)):.1f},{down(level):.1f}"
                          for second, level in zip(centres, levels))
        parts.append(f'<polyline points="{points}" stroke="{colour}"/>'
                     f'<text x="{80 + 120 * index}" y="60" fill="{colour}">{name}</text>')
    path = HERE.parent / "Documentation" / "RateConverter.svg"
    path.write_text("\n".join(parts + ["</svg>"]) + "\n")


def main(options):
    tool = options.tool or str(HERE.parent / ".build/release/downbeat")
    with tempfile.TemporaryDirectory() as folder:
        scratch = pathlib.Path(folder)
        good = quality(tool, scratch, options.plots)
        return speed(tool, scratch, options.rounds, options.length) and good
