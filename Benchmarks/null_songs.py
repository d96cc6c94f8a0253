# SPDX-License-Identifier: Apache-2.0
"""The suite `null`: songs by FluidSynth and by our own voices, and what is left of their difference.

Half a minute of the first songs of five collections of the corpus (`DOWNBEAT_CORPUS`) and of each of
this project's, in FluidR3, dry and with reverb and chorus. The test suite `NullTests` does the work,
optimised; 60 dB below the song is the bound.
"""
import os
import pathlib
import subprocess

ROOT = pathlib.Path(__file__).resolve().parent.parent


def main(_):
    done = subprocess.run(
        ["swift", "test", "--package-path", str(ROOT), "-c", "release", "-Xswiftc",
         "-enable-testing", "--filter", "NullTests"],
        env=dict(os.environ, DOWNBEAT_LONG="1"), capture_output=True, text=True)
    lines = [line for line in done.stdout.splitlines() if line.startswith("null ")]
    for line in lines:
        print(line.removeprefix("null "))
    if done.returncode or not lines:
        print(done.stdout[-2000:] + done.stderr[-2000:])
    return done.returncode == 0 and bool(lines)
