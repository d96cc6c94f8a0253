# SPDX-License-Identifier: Apache-2.0
"""The suite `jack`: a song played on a JACK server that is faster than real time (freewheel), beside
the same song rendered without one.

The server is one of its own with the dummy driver, at 48 kHz with turns of 1,024 frames. What is
measured is the wall time from `jack_freewheel y` to the end of the song, and the processor time of the
whole program. The gate is on the latter, which a busy machine moves less: 20 times as fast as real time.
"""
import os
import pathlib
import shutil
import statistics
import subprocess
import sys
import tempfile
import time

LEAST = 20
SONG = pathlib.Path(__file__).resolve().parent.parent / "Songs/rag.mid"
FONT = pathlib.Path(__file__).resolve().parent.parent / "Soundfonts/Downbeat.sf2"
SOUND = ["--soundfont", str(FONT), "--absolute-gain", "1", "-q"]


def run(command, environment):
    return subprocess.run(command, env=environment, capture_output=True, text=True).stdout


def wait(process, environment, name):
    """Until a program's ports are there."""
    for _ in range(300):
        if name in run(["jack_lsp"], environment):
            return
        if process.poll() is not None:
            break
        time.sleep(0.1)
    raise RuntimeError(f"{name} does not appear")


def freewheel(tool, environment):
    """Seconds from the start of freewheeling to the end of the song, and of the processor in all."""
    play = subprocess.Popen([tool, "play", str(SONG), "--audio", "jack:none", *SOUND],
                            env=environment, stdin=subprocess.DEVNULL)
    try:
        wait(play, environment, "downbeat:out_1")
        begin = time.monotonic()
        run(["jack_freewheel", "y"], environment)
        _, status, usage = os.wait4(play.pid, 0)
        play.returncode = os.waitstatus_to_exitcode(status)
        if play.returncode != 0:
            raise RuntimeError("the song was not played")
        return time.monotonic() - begin, usage.ru_utime + usage.ru_stime
    finally:
        play.kill()


def served(tool, environment):
    """The same on a server of its own: jackd 1.9.21 may stand still after a client leaves while it is
    faster than real time."""
    server = subprocess.Popen(
        ["jackd", "-r", "-n", environment["JACK_DEFAULT_SERVER"], "-S", "-d", "dummy", "-r", "48000",
         "-p", "1024"], env=environment, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    try:
        wait(server, environment, "system:playback_1")
        return freewheel(tool, environment)
    finally:
        server.terminate()
        server.wait()


def render(tool, target):
    """Seconds that the song takes without a server, and the seconds of its sound."""
    begin = time.monotonic()
    subprocess.run([tool, "render", str(SONG), "-o", target, "--rate", "48000", "--bits", "16", *SOUND],
                   check=True)
    return time.monotonic() - begin, os.path.getsize(target) / (48_000 * 4)


def main(options):
    if not all(map(shutil.which, ["jackd", "jack_lsp", "jack_freewheel"])):
        print("left out: jack (apt-get install jackd2 jack-example-tools)", file=sys.stderr)
        return True
    name = f"downbeat-bench-{os.getpid()}"
    ours, theirs = [], []
    with tempfile.TemporaryDirectory() as folder:
        environment = os.environ | {
            "JACK_DEFAULT_SERVER": name, "JACK_NO_AUDIO_RESERVATION": "1",
            "XDG_RUNTIME_DIR": folder}
        for number in range(options.rounds):
            ours.append(served(options.tool, environment))
            seconds, song = render(options.tool, f"{folder}/{number}.wav")
            theirs.append(seconds)
    alone = song / statistics.median(theirs)
    wall, speed = (song / statistics.median(times) for times in zip(*ours))
    print(f"\n{f'{SONG.name}, {song:.0f} s of sound':34}{'times real time':>16}")
    print(f"{'freewheel, processor time':34}{speed:16.1f}{'' if speed >= LEAST else '  MISSED'}")
    print(f"{'freewheel, wall time':34}{wall:16.1f}")
    print(f"{'downbeat render, wall time':34}{alone:16.1f}")
    return speed >= LEAST
