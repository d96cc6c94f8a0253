#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Holds our peer against aalink, which has the reference inside: `aalink-peer.py PROBE JOINS SECONDS
CHANGES SLACK`, with the path of `TestProbe`. Prints what was measured; ends with status 1 where
something was not as it must be, times of the slack's multiple: 1 where nothing else runs, more beside
other tests."""

import asyncio
import subprocess
import sys
import time

import aalink


SLACK = int(sys.argv[5])


class Ours:
    """Our peer, a process."""

    def __init__(self, program, tempo):
        self.process = subprocess.Popen(
            [program, "link", str(tempo)], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, bufsize=1)

    def tell(self, words):
        self.process.stdin.write(words + "\n")
        self.process.stdin.flush()

    def at(self, nanoseconds):
        """Peers, tempo, whether it plays, beat, error and drift."""
        self.tell(f"at {nanoseconds}")
        words = self.process.stdout.readline().split()
        return int(words[0]), float(words[1]), words[2] == "1", float(words[3]), *map(int, words[4:])

    def now(self):
        return self.at(time.monotonic_ns())

    def quit(self):
        self.tell("quit")
        self.process.wait(5)


def check(holds, sentence):
    if not holds:
        print("fault:", sentence)
        sys.exit(1)


async def until(condition, limit):
    """How many seconds it took until something was so."""
    start = time.monotonic()
    while not condition():
        if time.monotonic() - start > limit:
            return float("inf")
        await asyncio.sleep(0.005)
    return time.monotonic() - start


def theirs_at_once(link):
    """Their beat, and the instant of it, as sure as can be."""
    best = None
    for _ in range(5):
        before = time.monotonic_ns()
        beat = link.beat
        after = time.monotonic_ns()
        if best is None or after - before < best[2]:
            best = (beat, (before + after) // 2, after - before)
    return best[0], best[1]


def apart(ours, link, quantum=1.0):
    """Our beat minus theirs within a bar, in microseconds."""
    beat, instant = theirs_at_once(link)
    peers, tempo, _, mine, error, drift = ours.at(instant)
    distance = (mine - beat + quantum / 2) % quantum - quantum / 2
    return distance * 60e6 / tempo


async def joins(program, count):
    took = []
    for turn in range(count):
        if turn % 2:
            link = aalink.Link(97.0)
            link.enabled = True
            await asyncio.sleep(1.0)
            ours = Ours(program, 140)
            older = 97.0
        else:
            ours = Ours(program, 140)
            await asyncio.sleep(1.0)
            link = aalink.Link(97.0)
            link.enabled = True
            older = 140.0
        near = lambda tempo: abs(tempo - older) < 0.01
        took.append(await until(
            lambda: link.num_peers == 1 and ours.now()[0] == 1 and near(link.tempo)
            and near(ours.now()[1]), 12))
        check(took[-1] <= 2 * SLACK, f"join {turn} took {took[-1]} s: {link.tempo}, {ours.now()}")
        if turn % 4 < 2:
            ours.quit()
            check(await until(lambda: link.num_peers == 0, 4) < 4, "our farewell is not heard")
            check(near(link.tempo), "the tempo changed when we left")
            link.enabled = False
        else:
            before = ours.now()[1]
            link.enabled = False
            check(await until(lambda: ours.now()[0] == 0, 4) < 4, "their farewell is not heard")
            check(abs(ours.now()[1] - before) < 1e-9, "our tempo changed when they left")
            ours.quit()
        del link
    print(f"joins: {count}, the longest {max(took):.3f} s")


async def together(program, seconds, changes):
    for order in range(2):
        if order:
            ours = Ours(program, 120)
            await asyncio.sleep(1.5)
        link = aalink.Link(110.0)
        link.enabled = True
        link.start_stop_sync_enabled = True
        link.quantum = 4.0
        if not order:
            await asyncio.sleep(1.5)
            ours = Ours(program, 120)
        await until(lambda: link.num_peers == 1 and ours.now()[0] == 1, 3)
        await asyncio.sleep(1.0)
        distances = []
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            distances.append(abs(apart(ours, link)))
            await asyncio.sleep(0.02)
        distances.sort()
        p95 = distances[int(len(distances) * 0.95)]
        role = "founder" if order else "joiner"
        print(f"{role}: median {distances[len(distances) // 2]:.1f} us, 95 % {p95:.1f} us,"
              f" most {distances[-1]:.1f} us of {len(distances)}")
        check(p95 <= 100 * SLACK, "beats are apart")
        slowest = 0
        for change in range(changes):
            tempo = 80 + (change * 37) % 100
            if change % 2:
                link.tempo = float(tempo)
                took = await until(lambda: abs(ours.now()[1] - tempo) < 0.01, 2)
            else:
                ours.tell(f"tempo {tempo}")
                took = await until(lambda: abs(link.tempo - tempo) < 0.01, 2)
            slowest = max(slowest, took)
            check(took <= 0.3 * SLACK, f"change {change} took {took} s")
            await asyncio.sleep(0.1)
            check(abs(apart(ours, link, 4.0)) < 500 * SLACK, f"change {change}: bars are apart")
        print(f"{role}: {changes} changes of tempo, the slowest {slowest:.3f} s;"
              f" bars {apart(ours, link, 4.0):.0f} us apart")
        for playing in [True, False, True, False]:
            ours.tell("start" if playing else "stop")
            check(await until(lambda: link.playing == playing, 2) < 0.3 * SLACK, f"our {playing} not heard")
            await asyncio.sleep(0.1)
        for playing in [True, False]:
            link.playing = playing
            check(await until(lambda: ours.now()[2] == playing, 2) < 0.3 * SLACK, f"their {playing}")
            await asyncio.sleep(0.1)
        print(f"{role}: start and stop cross over")
        ours.quit()
        link.enabled = False
        del link


async def main():
    program, count, seconds, changes = sys.argv[1], *map(int, sys.argv[2:5])
    await joins(program, count)
    await together(program, seconds, changes)


asyncio.run(main())
