# SPDX-License-Identifier: Apache-2.0
"""pretty_midi on the map of the suite `time`; prints one JSON line a measurement.

pretty_midi keeps one float64 a tick and refuses more than ten million ticks, so this is the
9.6 million tick version of the map (10,000 changes, 960 ticks apart).
"""
import json
import statistics
import sys
import tempfile
import time
import warnings

warnings.filterwarnings("ignore")
import mido
import pretty_midi

PPQN, CHANGES, STEP, COUNT = 960, 10_000, 960, 200_000


def measure(name, count, run, runs):
    run()
    rates = []
    for _ in range(runs):
        start = time.perf_counter()
        run()
        rates.append(count / (time.perf_counter() - start))
    print(json.dumps({"name": name, "median": statistics.median(rates), "best": max(rates)}))


def main():
    runs = int(sys.argv[1]) if len(sys.argv) > 1 else 5
    track = mido.MidiTrack()
    for index in range(CHANGES):
        tempo = 200_000 + index * 7919 % 800_001
        track.append(mido.MetaMessage("set_tempo", tempo=tempo, time=STEP if index else 0))
    track.append(mido.Message("note_on", note=60, velocity=64, time=0))
    track.append(mido.Message("note_off", note=60, velocity=64, time=STEP - 1))
    file = mido.MidiFile(ticks_per_beat=PPQN)
    file.tracks.append(track)
    with tempfile.NamedTemporaryFile(suffix=".mid") as out:
        file.save(out.name)
        song = pretty_midi.PrettyMIDI(out.name)
    state, ticks = 42, []
    for _ in range(COUNT):
        state = (state * 6_364_136_223_846_793_005 + 1_442_695_040_888_963_407) % 2**64
        ticks.append((state >> 33) % (CHANGES * STEP - 1))
    times = [song.tick_to_time(tick) for tick in ticks]

    def forward():
        for tick in ticks:
            song.tick_to_time(tick)

    def inverse():
        for moment in times[:20_000]:
            song.time_to_tick(moment)

    measure("pretty_midi forward", COUNT, forward, runs)
    measure("pretty_midi inverse", 20_000, inverse, runs)


main()
