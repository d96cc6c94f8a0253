#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Runs the scenarios of link-wire's conformance harness: `link-conformance.py HARNESS PROBE`. The
reference is aalink, which has it inside, for the harness's own would have to be built; the candidate
is our peer. Both speak the harness's contract through this script: `… speak aalink|PROBE`."""

import asyncio
import os
import select
import shlex
import subprocess
import sys
import time


class Theirs:
    """aalink, as the contract names things."""

    def __init__(self):
        import aalink

        self.link = aalink.Link(120.0)
        self.link.quantum = 4.0

    def obey(self, word, value):
        link = self.link
        if word in ("enable", "disable"):
            link.enabled = word == "enable"
        elif word == "tempo":
            link.tempo = float(value)
        elif word in ("start", "stop"):
            link.playing = word == "start"
        elif word == "startstop-sync":
            link.start_stop_sync_enabled = value == "1"

    def state(self):
        link = self.link
        return link.num_peers, link.tempo, link.playing, link.beat


class Ours:
    """Our peer, which is on the network as long as it runs."""

    def __init__(self, program):
        self.program, self.process, self.tempo = program, None, "120"

    def tell(self, words):
        self.process.stdin.write(words + "\n")
        self.process.stdin.flush()

    def obey(self, word, value):
        if word == "enable" and not self.process:
            self.process = subprocess.Popen(
                [self.program, "link", self.tempo], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                text=True, bufsize=1)
        elif word in ("disable", "quit") and self.process:
            self.tell("quit")
            self.process.wait(5)
            self.process = None
        elif word == "tempo":
            self.tempo = value
        if word in ("tempo", "start", "stop") and self.process:
            self.tell(f"{word} {value}")

    def state(self):
        if not self.process:
            return 0, float(self.tempo), False, 0.0
        self.tell(f"at {time.monotonic_ns()}")
        words = self.process.stdout.readline().split()
        return int(words[0]), float(words[1]), words[2] == "1", float(words[3])


async def speak(name):
    # aalink asks for a loop that runs.
    peer = Theirs() if name == "aalink" else Ours(name)
    print("ready", flush=True)
    while True:
        await asyncio.sleep(0.05)
        if select.select([0], [], [], 0)[0]:
            for line in os.read(0, 4096).decode().splitlines() or ["quit"]:
                words = line.split()
                peer.obey(words[0], words[-1])
                if words[0] == "quit":
                    return
        peers, tempo, playing, beat = peer.state()
        print(f"status peers={peers} tempo={tempo:.6f} playing={int(playing)} beat={beat:.6f}"
              " quantum=4.0", flush=True)


def main():
    if sys.argv[1] == "speak":
        asyncio.run(speak(sys.argv[2]))
        return 0
    sys.path.insert(0, sys.argv[1])
    sys.dont_write_bytecode = True
    import run

    command = [sys.executable, sys.argv[0], "speak"]
    run.reference_cmd = lambda audio, name: command + ["aalink"]
    os.environ["REFERENCE_BIN_DIR"] = ""
    os.environ["CANDIDATE_CMD"] = shlex.join(command + [sys.argv[2]])
    del sys.argv[1:]
    return run.main()


sys.exit(main())
