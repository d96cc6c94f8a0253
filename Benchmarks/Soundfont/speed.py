# SPDX-License-Identifier: Apache-2.0
"""From opening a soundfont to the first note, and what it takes in memory.

Plain FluidSynth reads every sample; with the settings of our instrument it reads those that are
played. The command does the same and more: it starts, reads a song, judges the font, and writes
a file. Each measurement is a process of its own. The least wall time of all runs counts, since
a busy machine only adds to it, and the least processor time is shown beside it.
"""
import json
import os
import pathlib
import subprocess
import sys
import tempfile
import time

HERE = pathlib.Path(__file__).resolve().parent
FONT = HERE.parent.parent / "Soundfonts/Downbeat.sf2"
# Program 0, one note: format 0, 480 ticks a quarter note.
SONG = bytes.fromhex("4d546864000000060000000101e04d54726b0000001000c00000903c"
                     "648360803c4000ff2f00")
MILLISECONDS, MEGABYTES = 25, 16


def resident():
    with open("/proc/self/statm") as file:
        return int(file.read().split()[1]) * os.sysconf("SC_PAGE_SIZE") / 2**20


def probe(font, is_plain):
    """In a process of its own: milliseconds from opening to the first note, MB it added."""
    sys.path.insert(0, str(HERE))
    import fluid
    fluid.library()
    before = resident()
    start, worked = time.perf_counter(), time.process_time()
    synth = fluid.Synth(font, dynamic=not is_plain)
    synth.select(0, 0)
    synth.on(60, 100)
    frames = synth.frames(0.01)
    spent = 1000 * (time.perf_counter() - start)
    worked = 1000 * (time.process_time() - worked)
    assert abs(frames).max() > 0
    print(json.dumps([spent, worked, resident() - before]))


def probed(font, mode, runs):
    found = [json.loads(subprocess.run([sys.executable, __file__, mode, str(font)], check=True,
                                       capture_output=True).stdout) for _ in range(runs)]
    return [min(values) for values in zip(*found)]


def timed(command, runs):
    times, work, peak = [], [], []
    for _ in range(runs):
        start = time.perf_counter()
        child = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        _, status, usage = os.wait4(child.pid, 0)
        times.append(1000 * (time.perf_counter() - start))
        work.append(1000 * (usage.ru_utime + usage.ru_stime))
        peak.append(usage.ru_maxrss / 1024)
        if status != 0:
            raise RuntimeError(f"{command[0]}: status {status}")
    return min(times), min(work), min(peak)


def main(tool, runs=11):
    rows = [("FluidSynth, every sample", *probed(FONT, "plain", runs)),
            ("FluidSynth, what is played", *probed(FONT, "ours", runs))]
    with tempfile.TemporaryDirectory() as folder:
        song = pathlib.Path(folder) / "note.mid"
        song.write_bytes(SONG)
        bare = timed([tool, "--version"], runs)
        command = [tool, "render", str(song), "-o", f"{folder}/note.wav", "--overwrite",
                   "--length", "0.01s", "-s", str(FONT)]
        whole = timed(command, runs)
    rows.append(("downbeat render, its start taken off", *(a - b for a, b in zip(whole, bare))))
    print(f"{'open to first note':40}{'ms':>8}{'CPU ms':>8}{'MB':>8}")
    for name, *values in rows:
        print(f"{name:40}" + "".join(f"{value:8.1f}" for value in values))
    met = rows[1][1] <= MILLISECONDS and rows[1][3] <= MEGABYTES
    print(f"gate: <= {MILLISECONDS} ms and <= {MEGABYTES} MB for what is played: "
          f"{'met' if met else 'MISSED'}")
    return 0 if met else 1


if __name__ == "__main__":
    if sys.argv[1] in ("plain", "ours"):
        probe(sys.argv[2], sys.argv[1] == "plain")
    else:
        sys.exit(main(sys.argv[1]))
