#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Holds a song that leads against aalink, which has Link's reference inside: `aalink-lead.py DOWNBEAT
SONG`. Ends with status 1 where something was not as it must be."""

import asyncio
import signal
import subprocess
import sys
import time

import aalink


async def until(condition, limit=15):
    """Waits until something is so; ends the process where it never is."""
    start = time.monotonic()
    while not condition():
        if time.monotonic() - start > limit:
            print("fault: never so, line", sys._getframe(1).f_lineno)
            sys.exit(1)
        await asyncio.sleep(0.005)


async def main():
    link = aalink.Link(97.0)
    link.enabled = True
    link.start_stop_sync_enabled = True
    await asyncio.sleep(1)
    # Stopped by somebody: a song that leads starts it all the same, and stops it at its end.
    link.playing = True
    link.playing = False
    words = sys.argv[1:2] + ["play", sys.argv[2], "--audio", "null", "--link", "lead"]
    song = subprocess.Popen(words + ["-q"])
    await until(lambda: link.playing)
    await until(lambda: abs(link.tempo - 150) < 0.01)
    await until(lambda: not link.playing)
    song.wait(10)
    await until(lambda: link.num_peers == 0)
    # Stopped by another while it plays, it waits; started by another, it plays again.
    song = subprocess.Popen(words, stderr=subprocess.PIPE, text=True)
    await until(lambda: link.playing)
    link.playing = False
    for line in song.stderr:
        if "stopped" in line:
            break
    link.playing = True
    for line in song.stderr:
        if "started" in line:
            break
    # A signal that ends it stops the session.
    await asyncio.sleep(0.2)
    song.send_signal(signal.SIGINT)
    await until(lambda: not link.playing)
    song.wait(10)
    print("start and stop are the song's")


asyncio.run(main())
