# SPDX-License-Identifier: Apache-2.0
"""The Python package `timecode`: samples at 48 kHz to 29.97 drop labels, line by line."""
import sys

from timecode import Timecode


def main():
    answers = []
    for line in sys.stdin:
        # The package counts frames from 1 and has no samples: frame = sample · fps / rate.
        frame = int(line) * 30_000 // (1001 * 48_000)
        answers.append(f"{Timecode('29.97', frames=frame + 1)}\n")
    sys.stdout.writelines(answers)


main()
