# SPDX-License-Identifier: Apache-2.0
"""mido and midicsv on the songs of the suite `smf`; prints one JSON line a measurement.

Usage: smf_readers.py mido|midicsv RUNS FILE EVENTS
"""
import json
import statistics
import subprocess
import sys
import time


def read_mido(path):
    import mido
    return sum(len(track) for track in mido.MidiFile(path).tracks)


def read_midicsv(path):
    subprocess.run(["midicsv", path, "/dev/null"], check=True)


def main():
    reader, runs, path, events = sys.argv[1], int(sys.argv[2]), sys.argv[3], int(sys.argv[4])
    read = {"mido": read_mido, "midicsv": read_midicsv}[reader]
    rates = []
    for _ in range(runs):
        start = time.perf_counter()
        read(path)
        rates.append(events / (time.perf_counter() - start))
    print(json.dumps({"name": f"{reader} read", "median": statistics.median(rates),
                      "best": max(rates)}))


main()
