# SPDX-License-Identifier: Apache-2.0
"""The Python package `timecode`: sample to 29.97 drop label; prints one JSON line."""
import json
import statistics
import sys
import time

from timecode import Timecode

COUNT = 5_000


def labels():
    sample = 0
    for _ in range(COUNT):
        # The package counts frames from 1 and has no samples: frame = sample · fps / rate.
        frame = sample * 30_000 // (1001 * 48_000)
        str(Timecode("29.97", frames=frame + 1))
        sample = (sample + 104_729_017) % 4_147_195_852


def main():
    runs = int(sys.argv[1]) if len(sys.argv) > 1 else 5
    labels()
    rates = []
    for _ in range(runs):
        start = time.perf_counter()
        labels()
        rates.append(COUNT / (time.perf_counter() - start))
    print(json.dumps(
        {"name": "timecode label", "median": statistics.median(rates), "best": max(rates)}))


main()
