# SPDX-License-Identifier: Apache-2.0
"""pretty_midi, a line of standard input a line of standard output: `forward|inverse SONG`."""
import sys
import warnings

warnings.filterwarnings("ignore")
import pretty_midi


def main():
    song = pretty_midi.PrettyMIDI(sys.argv[2])
    answers = []
    if sys.argv[1] == "forward":
        for line in sys.stdin:
            answers.append(f"{round(song.tick_to_time(int(line)) * 1e9)}\n")
    else:
        for line in sys.stdin:
            answers.append(f"{song.time_to_tick(int(line) / 1e9)}\n")
    sys.stdout.writelines(answers)


main()
