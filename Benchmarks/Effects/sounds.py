# SPDX-License-Identifier: Apache-2.0
"""Sounds through our effects, through LV2 plug-ins and through FluidSynth's reverb."""
import ctypes
import subprocess

import numpy as np

RATE = 48000


class Through:
    """`EffectBenchmark through`: an effect by its text, ours or `lv2:NAME`."""

    def __init__(self, program):
        self.program = program

    def __call__(self, effect, sound):
        """Stereo sound, one row a frame, as the effect makes it; as long."""
        done = subprocess.run(
            [self.program, "through", effect, str(RATE)], capture_output=True,
            input=np.ascontiguousarray(sound, dtype="<f4").tobytes())
        if done.returncode != 0:
            raise RuntimeError(f"{effect}: {done.stderr.decode().strip() or done.returncode}")
        return np.frombuffer(done.stdout, dtype="<f4").reshape(-1, 2).astype(float)


def mono(samples):
    """The same on both sides."""
    return np.stack([samples, samples], axis=1)


def click(seconds, height=1.0):
    sound = np.zeros((int(seconds * RATE), 2))
    sound[0] = height
    return sound


class FluidSynth:
    """FluidSynth 2.3 with a font, its reverb and chorus on buses of their own.

    Seventeen groups of effects: channels 1 to 16 have one each, and where a group's reverb is off,
    its bus holds what would have gone in. (Off in all of them, nothing would be mixed for them.)
    """

    GROUPS = 17

    def __init__(self, font, reverb, wet_only=False):
        lib = self.lib = ctypes.CDLL("libfluidsynth.so.3")
        pointer, integer, real = ctypes.c_void_p, ctypes.c_int, ctypes.c_double
        lib.new_fluid_settings.restype = lib.new_fluid_synth.restype = pointer
        lib.new_fluid_synth.argtypes = [pointer]
        lib.fluid_settings_setint.argtypes = [pointer, ctypes.c_char_p, integer]
        lib.fluid_settings_setnum.argtypes = [pointer, ctypes.c_char_p, real]
        lib.fluid_synth_sfload.argtypes = [pointer, ctypes.c_char_p, integer]
        for name, count in [("reverb_on", 2), ("noteon", 3), ("noteoff", 2), ("cc", 3),
                            ("program_change", 2)]:
            getattr(lib, f"fluid_synth_{name}").argtypes = [pointer] + [integer] * count
        lib.fluid_synth_process.argtypes = [pointer, integer, integer, pointer, integer, pointer]
        settings = lib.new_fluid_settings()
        for name, value in [("synth.chorus.active", 0), ("synth.reverb.active", 1),
                            ("synth.effects-groups", self.GROUPS), ("synth.lock-memory", 0)]:
            lib.fluid_settings_setint(settings, name.encode(), value)
        lib.fluid_settings_setnum(settings, b"synth.sample-rate", float(RATE))
        lib.fluid_settings_setnum(settings, b"synth.gain", 0.5)
        self.synth = lib.new_fluid_synth(settings)
        if lib.fluid_synth_sfload(self.synth, str(font).encode(), 1) < 0:
            raise RuntimeError(f"{font}: FluidSynth cannot load it")
        if not reverb:
            for group in range(self.GROUPS - 1):
                lib.fluid_synth_reverb_on(self.synth, group, 0)

    def __getattr__(self, name):
        return lambda *values: getattr(self.lib, f"fluid_synth_{name}")(self.synth, *values)

    def render(self, seconds):
        """The dry sound, and what the reverb's bus of channel 1 has; one row a frame."""
        count = int(seconds * RATE) // 64 * 64
        dry = np.zeros((2, count), dtype=np.float32)
        wet = np.zeros((4 * self.GROUPS, count), dtype=np.float32)

        def rows(buffers):
            return (ctypes.c_void_p * len(buffers))(*[row.ctypes.data for row in buffers])

        self.lib.fluid_synth_process(self.synth, count, len(wet), rows(wet), 2, rows(dry))
        return dry.T.astype(float), wet[:2].T.astype(float)

    def play(self, program, keys, held, seconds):
        """A chord of a program, held for a while; dry, and the reverb's bus."""
        self.program_change(0, program)
        self.cc(0, 91, 127)
        for key in keys:
            self.noteon(0, key, 100)
        first = self.render(held)
        for key in keys:
            self.noteoff(0, key)
        rest = self.render(seconds - held)
        return [np.concatenate(pair) for pair in zip(first, rest)]
