# SPDX-License-Identifier: Apache-2.0
"""FluidSynth through ctypes, and what is measured on the sound it makes."""
import ctypes
import ctypes.util

import numpy as np

RATE = 48000


def library():
    name = ctypes.util.find_library("fluidsynth") or "libfluidsynth.so.3"
    lib = ctypes.CDLL(name)
    for function in ["new_fluid_settings", "new_fluid_synth"]:
        getattr(lib, function).restype = ctypes.c_void_p
    pointer, integer, text = ctypes.c_void_p, ctypes.c_int, ctypes.c_char_p
    lib.new_fluid_synth.argtypes = [pointer]
    lib.fluid_settings_setint.argtypes = [pointer, text, integer]
    lib.fluid_settings_setnum.argtypes = [pointer, text, ctypes.c_double]
    lib.fluid_synth_sfload.argtypes = [pointer, text, integer]
    lib.fluid_synth_program_select.argtypes = [pointer, integer, integer, integer, integer]
    lib.fluid_synth_noteon.argtypes = [pointer, integer, integer, integer]
    lib.fluid_synth_noteoff.argtypes = [pointer, integer, integer]
    lib.fluid_synth_all_sounds_off.argtypes = [pointer, integer]
    lib.fluid_synth_write_float.argtypes = [pointer, integer, pointer, integer, integer,
                                            pointer, integer, integer]
    lib.delete_fluid_synth.argtypes = [pointer]
    lib.delete_fluid_settings.argtypes = [pointer]
    silent = ctypes.CFUNCTYPE(None, integer, text, pointer)(lambda *_: None)
    lib.kept = silent
    lib.fluid_set_log_function.argtypes = [integer, ctypes.c_void_p, pointer]
    for level in range(5):
        lib.fluid_set_log_function(level, silent, None)
    return lib


class Synth:
    """One font, dry."""

    def __init__(self, font, gain=0.5, rate=RATE, dynamic=True):
        self.lib = library()
        self.settings = self.lib.new_fluid_settings()
        self.rate = rate
        for name, value in [("synth.dynamic-sample-loading", int(dynamic)), ("synth.lock-memory", 0),
                            ("synth.reverb.active", 0), ("synth.chorus.active", 0),
                            ("synth.polyphony", 256)]:
            self.lib.fluid_settings_setint(self.settings, name.encode(), value)
        self.lib.fluid_settings_setnum(self.settings, b"synth.sample-rate", float(rate))
        self.lib.fluid_settings_setnum(self.settings, b"synth.gain", gain)
        self.synth = self.lib.new_fluid_synth(self.settings)
        self.font = self.lib.fluid_synth_sfload(self.synth, str(font).encode(), 1)
        if self.font < 0:
            raise RuntimeError(f"{font}: FluidSynth cannot load it")

    def close(self):
        self.lib.delete_fluid_synth(self.synth)
        self.lib.delete_fluid_settings(self.settings)

    def select(self, bank, program, channel=0):
        return self.lib.fluid_synth_program_select(
            self.synth, channel, self.font, bank, program) == 0

    def on(self, key, velocity):
        self.lib.fluid_synth_noteon(self.synth, 0, key, velocity)

    def off(self, key):
        self.lib.fluid_synth_noteoff(self.synth, 0, key)

    def hush(self):
        self.lib.fluid_synth_all_sounds_off(self.synth, -1)
        self.frames(0.02)

    def frames(self, seconds):
        """Stereo sound, one row a channel."""
        count = int(seconds * self.rate) // 64 * 64
        out = np.zeros((2, count), dtype=np.float32)
        self.lib.fluid_synth_write_float(
            self.synth, count, out[0].ctypes.data, 0, 1, out[1].ctypes.data, 0, 1)
        return out

    def note(self, bank, program, key, velocity, held=1.5, after=0.5):
        """A note from its start; None where the font has no such preset."""
        if not self.select(bank, program):
            return None
        self.on(key, velocity)
        sound = self.frames(held)
        self.off(key)
        sound = np.concatenate([sound, self.frames(after)], axis=1)
        self.hush()
        return sound


def k_weighted(sound):
    """The filter of ITU-R BS.1770 at 48 kHz, applied in the frequency domain."""
    count = sound.shape[-1] + RATE // 4
    z = np.exp(2j * np.pi * np.arange(count // 2 + 1) / count)
    shelf = ((1.53512485958697 - 2.69169618940638 / z + 1.19839281085285 / z**2)
             / (1 - 1.69065929318241 / z + 0.73248077421585 / z**2))
    high = (1 - 2 / z + 1 / z**2) / (1 - 1.99004745483398 / z + 0.99007225036621 / z**2)
    spectrum = np.fft.rfft(sound, count, axis=-1)
    return np.fft.irfft(spectrum * shelf * high, count, axis=-1)[..., :sound.shape[-1]]


def momentary(sound):
    """The loudest 400 ms in LUFS."""
    power = np.cumsum(np.sum(k_weighted(sound) ** 2, axis=0))
    width = int(0.4 * RATE)
    if len(power) <= width:
        mean = power[-1] / width
    else:
        mean = np.max(power[width:] - power[:-width]) / width
    return -0.691 + 10 * np.log10(mean + 1e-12)


def integrated(sound):
    """Integrated loudness of ITU-R BS.1770-4 in LUFS, gated."""
    power = np.sum(k_weighted(sound) ** 2, axis=0)
    total = np.concatenate([[0], np.cumsum(power)])
    width, hop = int(0.4 * RATE), int(0.1 * RATE)
    starts = np.arange(0, max(1, len(power) - width + 1), hop)
    blocks = (total[np.minimum(starts + width, len(power))] - total[starts]) / width
    level = lambda values: -0.691 + 10 * np.log10(np.mean(values) + 1e-12)
    loud = blocks[-0.691 + 10 * np.log10(blocks + 1e-12) > -70]
    if len(loud) == 0:
        return -70.0
    gate = level(loud) - 10
    return level(loud[-0.691 + 10 * np.log10(loud) > gate])


def envelope(sound):
    """The level in windows of 5 ms, smoothed over 15 ms."""
    width = RATE // 200
    power = np.sum(sound ** 2, axis=0)
    count = len(power) // width
    power = power[:count * width].reshape(count, width).mean(axis=1)
    return np.sqrt(np.convolve(power, np.ones(3) / 3, mode="same"))


def attack(sound):
    """Seconds from a tenth of the peak level to seven tenths of it."""
    level = envelope(sound)
    top = level.max()
    if top < 1e-6:
        return float("nan")
    first = np.argmax(level > 0.1 * top)
    return (np.argmax(level > 0.7 * top) - first) * 0.005


def decay(sound, held=1.5):
    """Seconds of the fall by 20 dB while the key is held; infinite where it rings on."""
    level = envelope(sound)[:int(held * 200)]
    peak = int(np.argmax(level))
    below = np.nonzero(level[peak:] < 0.1 * level[peak])[0]
    return below[0] * 0.005 if len(below) else float("inf")


def centroid(sound, start=0.03, end=0.5):
    """The middle of the spectrum's energy (amplitudes), in hertz."""
    part = np.sum(sound, axis=0)[int(start * RATE):int(end * RATE)]
    amplitude = np.abs(np.fft.rfft(part * np.hanning(len(part))))
    frequency = np.fft.rfftfreq(len(part), 1 / RATE)
    keep = frequency > 20
    return float(np.sum(frequency[keep] * amplitude[keep]) / (np.sum(amplitude[keep]) + 1e-12))


def cents(sound, key, start=0.1, end=1.4):
    """How far the strongest of the low partials lies from the key; nan where there is none."""
    part = np.sum(sound, axis=0)[int(start * RATE):int(end * RATE)]
    size = 1 << 20
    amplitude = np.abs(np.fft.rfft(part * np.blackman(len(part)), size))
    if amplitude.max() < 1e-6:
        return float("nan")
    best, where = 0, float("nan")
    base = 440 * 2 ** ((key - 69) / 12)
    for partial in [1, 2]:
        low = int(partial * base * 2 ** (-60 / 1200) / RATE * size)
        high = int(partial * base * 2 ** (60 / 1200) / RATE * size) + 2
        peak = low + int(np.argmax(amplitude[low:high]))
        if amplitude[peak] > 2 * best and low < peak < high - 1:
            a, b, c = np.log(amplitude[peak - 1:peak + 2] + 1e-20)
            offset = 0.5 * (a - c) / (a - 2 * b + c)
            best = amplitude[peak]
            where = 1200 * np.log2((peak + offset) * RATE / size / (partial * base))
    return where if best > 0.05 * amplitude.max() else float("nan")
