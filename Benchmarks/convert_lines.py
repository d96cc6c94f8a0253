# SPDX-License-Identifier: Apache-2.0
"""The suite `convert`: lines through the command, paired with programs that do the same work.

Each measurement is a whole process, from its start to its exit, a million lines through
standard input and output (fewer for the others, which are slow). Ours and theirs alternate. The
rates are lines per second of processor time, which a busy machine disturbs least; the wall
clock's are shown beside them.
"""
import json
import os
import pathlib
import random
import statistics
import subprocess
import sys
import tempfile
import time

HERE = pathlib.Path(__file__).resolve().parent
PPQN, CHANGES, DAY_STEP, SHORT_STEP = 960, 10_000, 13_824, 960

# ours, theirs, the least ratio (none: shown only)
PAIRS = [
    ("bare ticks to ns, 9.6 M ticks", "pretty_midi ticks to ns", 5),
    ("bare ns to ticks, 9.6 M ticks", "pretty_midi ns to ticks", 40),
    ("bare ticks to ns", "libsmf ticks to ns", 50),
    ("samples to labels", "timecode samples to labels", None),
]

AIMS = {
    "bare ticks to ns": 4e6, "bare ticks to ns, in order": 4e6, "bare ns to ticks": 4e6,
    "bare ticks to samples": 4e6, "grammar, six spellings to ns": 1e6,
    "grammar, six spellings to bars": 1e6, "grammar, six spellings to labels": 1e6,
}


def quantity(value):
    parts = [value & 0x7F]
    while value := value >> 7:
        parts.append(0x80 | value & 0x7F)
    return bytes(reversed(parts))


def song(path, step):
    """A file of 10,000 tempo changes, of 24 hours with a step of 13,824 ticks."""
    track = b""
    for index in range(CHANGES):
        tempo = 200_000 + index * 7919 % 800_001
        track += quantity(step if index else 0) + b"\xff\x51\x03" + tempo.to_bytes(3, "big")
    # A note to the end, without which pretty_midi knows no ticks there.
    track += b"\0\x90\x3c\x40" + quantity(step - 1) + b"\x80\x3c\x40" + b"\0\xff\x2f\0"
    header = b"MThd" + (6).to_bytes(4, "big") + b"\0\0\0\1" + PPQN.to_bytes(2, "big")
    path.write_bytes(header + b"MTrk" + len(track).to_bytes(4, "big") + track)


def spelling(index, tick):
    """One time of the day map in one of six spellings."""
    second = tick % 86_400
    fields = f"{second // 3600}:{second // 60 % 60:02}:{second % 60:02}"
    match index % 6:
        case 0: return f"{tick}t"
        case 1: return f"{tick // 3840 + 1}|{tick // 960 % 4 + 1}|{tick % 960}"
        case 2: return f"{fields}.{tick % 1000:03}"
        case 3: return f"{fields}:{tick % 25:02}"
        case 4: return f"{tick % 86_400_000}ms"
        case _: return f"{tick}@48k"


def lines(path, texts):
    path.write_text("\n".join(map(str, texts)) + "\n")
    return path


def once(command, source):
    """Seconds of processor and of the wall that one process takes."""
    with open(source, "rb") as given, open(os.devnull, "wb") as sink:
        start = time.perf_counter()
        process = subprocess.Popen(command, stdin=given, stdout=sink)
        _, status, usage = os.wait4(process.pid, 0)
        wall = time.perf_counter() - start
        process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode != 0:
        raise RuntimeError(f"{command[0]} ended with {process.returncode}")
    return usage.ru_utime + usage.ru_stime, wall


def ours(tool, folder, count):
    random.seed(1)
    day, short = folder / "day.mid", folder / "short.mid"
    song(day, DAY_STEP)
    song(short, SHORT_STEP)
    ticks = [random.randrange(CHANGES * DAY_STEP) for _ in range(count)]
    few = [random.randrange(CHANGES * SHORT_STEP - 1) for _ in range(count)]
    moments = [random.randrange(86_400 * 10**9) for _ in range(count)]
    few_moments = [random.randrange(6000 * 10**9) for _ in range(count)]
    samples = [random.randrange(4_147_195_852) for _ in range(count)]
    plain = lines(folder / "ticks", ticks)
    mixed = lines(folder / "mixed", [spelling(*pair) for pair in enumerate(ticks)])
    base = [tool, "convert", "--song", str(day), "--rate", "48000"]
    six = base + ["--fps", "25", "--to"]
    return {
        "bare ticks to ns": (base + ["--from", "ticks", "--to", "ns"], plain),
        "bare ticks to ns, in order": (
            base + ["--from", "ticks", "--to", "ns"], lines(folder / "order", sorted(ticks))),
        "bare ns to ticks": (
            base + ["--from", "ns", "--to", "ticks"], lines(folder / "ns", moments)),
        "bare ticks to samples": (base + ["--from", "ticks", "--to", "samples"], plain),
        "grammar, six spellings to ns": (six + ["ns"], mixed),
        "grammar, six spellings to bars": (six + ["bbt"], mixed),
        "grammar, six spellings to labels": (six + ["smpte"], mixed),
        "samples to labels": (
            [tool, "convert", "--fps", "29.97df", "--from", "samples", "--to", "smpte"],
            lines(folder / "samples", samples)),
        "bare ticks to ns, 9.6 M ticks": (
            [tool, "convert", "--song", str(short), "--from", "ticks", "--to", "ns"],
            lines(folder / "few", few)),
        "bare ns to ticks, 9.6 M ticks": (
            [tool, "convert", "--song", str(short), "--from", "ns", "--to", "ticks"],
            lines(folder / "few-ns", few_moments)),
    }


def rivals(scratch, folder):
    """What the others are given: the same lines, fewer of them."""
    def head(name, count):
        texts = (folder / name).read_text().split("\n")[:count]
        return lines(folder / f"{name}-{count}", texts)

    def program():
        flags = subprocess.run(
            ["pkg-config", "--cflags", "--libs", "smf", "glib-2.0"],
            check=True, capture_output=True, text=True).stdout.split()
        path = scratch / "libsmf_lines"
        subprocess.run(
            ["gcc", "-O2", "-o", str(path), "Rivals/libsmf_lines.c", *flags], check=True, cwd=HERE)
        return str(path)

    def script(name, *arguments):
        return [sys.executable, str(HERE / "Rivals" / name), *arguments]

    short = str(folder / "short.mid")
    commands, missing = {}, {}
    wanted = {
        "libsmf ticks to ns": lambda: (
            [program(), str(folder / "day.mid")], head("ticks", 20_000), 20_000),
        "pretty_midi ticks to ns": lambda: (
            script("pretty_midi_lines.py", "forward", short), head("few", 200_000), 200_000),
        "pretty_midi ns to ticks": lambda: (
            script("pretty_midi_lines.py", "inverse", short), head("few-ns", 20_000), 20_000),
        "timecode samples to labels": lambda: (
            script("timecode_lines.py"), head("samples", 20_000), 20_000),
    }
    for name, make in wanted.items():
        try:
            command = make()
            once(command[0], os.devnull)
            commands[name] = command
        except (RuntimeError, OSError, subprocess.CalledProcessError) as error:
            missing[name] = error
    return commands, missing


def start(tool, runs):
    """Milliseconds from process start to exit of `convert 1:30`, processor and wall."""
    pairs = [once([tool, "convert", "1:30"], os.devnull) for _ in range(runs)]
    return [statistics.median(pair[kind] for pair in pairs) * 1000 for kind in (0, 1)]


def run(options, scratch):
    tool = str(HERE.parent / ".build/release/downbeat") if options.tool is None else options.tool
    count, results = 1_000_000, {}
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        jobs = {key: (*job, count) for key, job in ours(tool, folder, count).items()}
        theirs, missing = rivals(scratch, folder)
        # What a process costs without lines is taken off, theirs and ours alike.
        empty = {
            key: min(once(job[0], os.devnull)[0] for _ in range(3))
            for key, job in (jobs | theirs).items()}
        times = {key: [] for key in jobs | theirs}
        for _ in range(options.rounds):
            for key, (command, source, _) in (jobs | theirs).items():
                times[key].append(once(command, source))
        for key, (_, _, lines_read) in (jobs | theirs).items():
            used = [max(pair[0] - empty[key], 1e-4) for pair in times[key]]
            results[key] = {
                "median": lines_read / statistics.median(used), "best": lines_read / min(used),
                "wall": lines_read / min(pair[1] for pair in times[key])}
        results["start of convert 1:30, ms"] = dict(zip(("median", "wall"), start(tool, 100)))
    return results, missing


def show(results):
    print(f"{'benchmark':36}{'lines/s':>13}{'best':>13}{'wall':>13}{'aim':>8}")
    for name, result in results.items():
        if "best" not in result:
            print(f"{name:36}{result['median']:13.2f}{'':13}{result['wall']:13.2f}")
            continue
        aim = AIMS.get(name)
        verdict = "" if aim is None else "met" if result["median"] >= aim else "below"
        print(f"{name:36}{result['median']:13,.0f}{result['best']:13,.0f}"
              f"{result['wall']:13,.0f}{verdict:>8}")


def main(options, scratch):
    results, missing = run(options, scratch)
    show(results)
    print(f"\n{'ours':34}{'theirs':28}{'ratio':>9}{'gate':>7}")
    passed = True
    for name, other, least in PAIRS:
        if other not in results:
            print(f"{name:34}{other:28}{'absent':>9}")
            continue
        ratio = results[name]["median"] / results[other]["median"]
        gate = "" if least is None else f">= {least}"
        met = least is None or ratio >= least
        passed = passed and met
        print(f"{name:34}{other:28}{ratio:9.1f}{gate:>7}{'' if met else '  MISSED'}")
    for name, error in missing.items():
        print(f"left out: {name} ({error}); see --help for what to install", file=sys.stderr)
    if options.json:
        pathlib.Path(options.json).write_text(json.dumps(results, indent=1) + "\n")
    return 0 if passed else 1
