# SPDX-License-Identifier: Apache-2.0
"""The suite `voices`: what a voice of our engine costs in 64 frames beside FluidSynth's, in FluidR3.

`downbeat-voices` plays the same notes by both, and counts the time of its thread: 64 frames a call,
as where each has an event, and 1920. Crowds are 256 and some 830 voices held, and as many that come
and go, a note each 1.3 ms. How the sound differs is in `Documentation/Fidelity.md`.

  apt-get install libfluidsynth3 fluid-soundfont-gm
"""
import pathlib
import subprocess

ROOT = pathlib.Path(__file__).resolve().parent.parent
FONT = "/usr/share/sounds/sf2/FluidR3_GM.sf2"
# So much less is asked of a voice.
LEAST = 2.5
NAMES = {"held256": "256 voices held", "held1000": "some 830 voices held",
         "passing": "some 850 voices that come and go"}


def main(options):
    scratch = pathlib.Path(options.scratch) / "voices"
    subprocess.run(
        ["swift", "build", "-c", "release", "--product", "downbeat-voices", "--scratch-path",
         str(scratch)], cwd=ROOT, check=True, stdout=subprocess.DEVNULL)
    said = subprocess.run(
        [scratch / "release/downbeat-voices", FONT, str(max(3, options.rounds))],
        capture_output=True, text=True)
    if said.returncode != 0:
        raise RuntimeError(said.stderr.strip() or f"downbeat-voices: {said.returncode}")
    print(f"\n{'a voice and 64 frames':46}{'ns':>9}{'theirs':>9}{'ratio':>8}{'gate':>9}")
    passed = True
    for line in said.stdout.splitlines():
        scene, *figures = line.split()
        single, run, their_single, their_run = map(float, figures)
        for frames, ours, theirs in ((64, single, their_single), (1920, run, their_run)):
            ratio = theirs / ours
            met = ratio >= LEAST
            passed = passed and met
            print(f"{f'{NAMES[scene]}, {frames} frames a call':46}{ours:9.0f}{theirs:9.0f}"
                  f"{ratio:8.2f}{f'>= {LEAST}':>9}{'' if met else '  MISSED'}")
    return passed
