# SPDX-License-Identifier: Apache-2.0
"""Songs for GS, XG and General MIDI 2 modules: one message each, and the figure that the manual gives.

Each song plays a note, sends the message, and plays the note again. What the message changes is the
difference between the two notes. It is measured from the beginning and after a seek behind the message.
In the second pass of a loop the first note must be as it was.

Sources: Roland SC-88Pro and SC-8850 owner's manuals; Yamaha MU80 owner's manual and XG Specifications 2.0;
General MIDI 2 (CA-24, CA-25).
"""
import math
import pathlib
import struct
import subprocess
import tempfile

import numpy

from sound import Sound, cents

RATE = 48_000
# The message comes at 1.5 s; the notes last from 0.25 to 1.25 and from 2 to 4 s.
FIRST, SECOND, BEHIND, LENGTH = (0.4, 1.2), (2.4, 3.9), 1.75, 5.0


def font(path):
    """A soundfont of one sine, 480 Hz at key 71, as a melodic preset and a drum kit."""
    frames = RATE // 480
    wave = [round(16_000 * math.sin(2 * math.pi * index / frames)) for index in range(3 * frames)]
    samples = struct.pack(f"<{len(wave) + 46}h", *wave, *[0] * 46)

    def chunk(name, data):
        return name + struct.pack("<I", len(data)) + data + b"\0" * (len(data) & 1)

    def name(text):
        return text.encode().ljust(20, b"\0")

    # Sends to reverb and chorus are 0, the loop is on, and the release is short.
    generators = [(54, 1), (38, 0x10000 - 7000), (53, 0)]
    header = [
        (b"phdr", name("Sine") + struct.pack("<HHHIII", 0, 0, 0, 0, 0, 0)
         + name("Kit") + struct.pack("<HHHIII", 0, 128, 1, 0, 0, 0)
         + name("EOP") + struct.pack("<HHHIII", 0, 0, 2, 0, 0, 0)),
        (b"pbag", struct.pack("<6H", 0, 0, 1, 0, 2, 0)), (b"pmod", b"\0" * 10),
        (b"pgen", struct.pack("<HHHHHH", 41, 0, 41, 0, 0, 0)),
        (b"inst", name("Sine") + struct.pack("<H", 0) + name("EOI") + struct.pack("<H", 1)),
        (b"ibag", struct.pack("<4H", 0, 0, len(generators), 0)), (b"imod", b"\0" * 10),
        (b"igen", b"".join(struct.pack("<HH", *one) for one in generators) + b"\0" * 4),
        (b"shdr", name("Sine") + struct.pack("<5IBbHH", 0, len(wave), frames, 2 * frames, RATE,
                                             71, 0, 0, 1) + name("EOS") + b"\0" * 26),
    ]
    info = chunk(b"ifil", struct.pack("<HH", 2, 4)) + chunk(b"isng", b"EMU8000\0") + chunk(
        b"INAM", b"Sine\0\0")
    body = chunk(b"LIST", b"INFO" + info) + chunk(b"LIST", b"sdta" + chunk(b"smpl", samples))
    body += chunk(b"LIST", b"pdta" + b"".join(chunk(*one) for one in header))
    pathlib.Path(path).write_bytes(chunk(b"RIFF", b"sfbk" + body))


def gs(*body):
    total = sum(body) & 0x7F
    return bytes([0xF0, 0x41, 0x10, 0x42, 0x12, *body, (128 - total) & 0x7F, 0xF7])


def xg(*body):
    return bytes([0xF0, 0x43, 0x10, 0x4C, *body, 0xF7])


def control(number, value, channel=0):
    return bytes([0xB0 | channel, number, value])


def nrpn(coarse, fine, value, channel=0):
    return [control(99, coarse, channel), control(98, fine, channel), control(6, value, channel)]


RESETS = {"GS": gs(0x40, 0, 0x7F, 0), "XG": xg(0, 0, 0x7E, 0),
          "GM2": bytes([0xF0, 0x7E, 0x7F, 9, 3, 0xF7])}


def song(path, mode, before, messages, key, channel):
    """Writes a song of 960 ticks a second."""
    off = [control(91, 0, channel), control(93, 0, channel)]
    events = [(0, RESETS[mode])] + [(60, one) for one in off + before]
    events += [(240, bytes([0x90 | channel, key, 100])), (1200, bytes([0x80 | channel, key, 64]))]
    events += [(1440, one) for one in messages]
    events += [(1920, bytes([0x90 | channel, key, 100])), (3840, bytes([0x80 | channel, key, 64]))]
    events += [(int(LENGTH * 960), b"\xFF\x2F\0")]
    track, now = b"", 0
    for tick, message in events:
        track += number(tick - now)
        now = tick
        track += message[:1] + number(len(message) - 1) + message[1:] if message[0] == 0xF0 else message
    pathlib.Path(path).write_bytes(
        struct.pack(">4sIHHH4sI", b"MThd", 6, 0, 1, 480, b"MTrk", len(track)) + track)


def number(value):
    digits = [value & 0x7F]
    while value := value >> 7:
        digits.append(value & 0x7F | 0x80)
    return bytes(reversed(digits))


def level(sound, span, _):
    return sound.level(*span)


def pitch(sound, span, _):
    return cents(sound.frequency(*span), 480)


def side(sound, span, _):
    """How much louder left is than right."""
    return sound.level(*span, side=0) - sound.level(*span, side=1)


def sway(sound, span, _):
    """How often the level rises and falls, in hertz; 0 for a steady one."""
    part = numpy.abs(sound.part(*span)[:, 0])
    part = part[:len(part) // 480 * 480].reshape(-1, 480).max(axis=1)
    part = part - part.mean()
    if part.std() < 1e-4:
        return 0
    size = 1 << 14
    power = numpy.abs(numpy.fft.rfft(part * numpy.hanning(len(part)), size))
    return float(power.argmax() * (RATE / 480) / size)


def echo(sound, span, start):
    """Seconds from a note's end to that of its first repeat; 0 if there is none."""
    end = start + (1 if span == FIRST else 2)
    peaks = sound.peaks(end - 0.1, min(end + 0.95, len(sound.frames) / RATE), 0.001)
    loud = numpy.flatnonzero(peaks > peaks[:80].max() - 30)
    last = loud[-1] * 0.001 - 0.1
    return last if last > 0.05 else 0


def offset(hertz):
    """Hertz added to the pitch of key 71 in equal temperament, in cents."""
    return cents(440 * 2 ** (2 / 12) + hertz, 440 * 2 ** (2 / 12))


A, B = 71, 23  # 480 Hz and 30 Hz
INSERTED = [gs(0x40, 0x41, 0x22, 1), gs(0x40, 3, 0x17, 0)]
THROUGH = [xg(3, 0, 0, 0x40, 0), xg(3, 0, 0x0C, 0)]
SYSTEM = [xg(2, 1, 0x5A, 1), xg(2, 1, 0x56, 64)]
# mode, name, unit, before, messages, measure, wanted, tolerance, key, channel
SONGS = [
    ("GS", "master tuning 40 00 00", "cents", [], [gs(0x40, 0, 0, 0, 6, 4, 0)], pitch, 57.6, 1),
    ("GS", "master key shift 40 00 05", "cents", [], [gs(0x40, 0, 5, 0x43)], pitch, 300, 1),
    ("GS", "master volume 40 00 04", "dB", [], [gs(0x40, 0, 4, 64)], level, -11.9, 0.2),
    ("GS", "master pan 40 00 06", "dB", [], [gs(0x40, 0, 6, 0x7F)], side, -200, 120),
    ("GS", "key shift 40 11 16", "cents", [], [gs(0x40, 0x11, 0x16, 0x45)], pitch, 500, 1),
    ("GS", "pitch offset 40 11 17", "cents", [], [gs(0x40, 0x11, 0x17, 0x0C, 0x06)],
     pitch, offset(7), 0.5),
    ("GS", "level 40 11 19", "dB", [], [gs(0x40, 0x11, 0x19, 50)], level, -12.04, 0.2),
    ("GS", "velocity depth 40 11 1A", "dB", [], [gs(0x40, 0x11, 0x1A, 32)], level, -12.04, 0.2),
    ("GS", "velocity offset 40 11 1B", "dB", [], [gs(0x40, 0x11, 0x1B, 39)], level, -12.04, 0.2),
    ("GS", "bend range 40 21 10", "cents", [b"\xE0\x7F\x7F"], [gs(0x40, 0x21, 0x10, 0x4C)], pitch,
     1000, 2),
    ("GS", "modulation to pitch 40 21 00", "cents", [], 
     [gs(0x40, 0x21, 0, 0x43), gs(0x40, 0x21, 4, 0), control(1, 127)], pitch, 300, 1),
    ("GS", "scale tuning 40 11 40", "cents", [], [gs(0x40, 0x11, 0x4B, 0x40 + 30)], pitch, 30, 1),
    ("GS", "drum pitch NRPN 18", "cents", [], nrpn(0x18, A, 0x47, 9), pitch, 700, 1, A, 9),
    ("GS", "drum level NRPN 1A", "dB", nrpn(0x1A, A, 127, 9), nrpn(0x1A, A, 64, 9), level, -5.95,
     0.2, A, 9),
    ("GS", "drum level 41 02", "dB", [gs(0x41, 2, A, 127)], [gs(0x41, 2, A, 64)], level, -5.95, 0.2,
     A, 9),
    ("GS", "delay, macro 1 (40 01 50)", "s", [], 
     [gs(0x40, 1, 0x50, 0), gs(0x40, 1, 0x59, 64), control(94, 127)], echo, 0.34, 0.02),
    ("GS", "EQ low gain 40 02 01", "dB", [], [gs(0x40, 2, 0, 1), gs(0x40, 2, 1, 0x4C)], level, 12,
     0.5, B),
    ("GS", "insertion: equaliser", "dB", INSERTED, [gs(0x40, 3, 0, 1, 0), gs(0x40, 3, 4, 0x34)],
     level, -12, 0.5, B),
    ("GS", "insertion: tremolo", "Hz", INSERTED,
     [gs(0x40, 3, 0, 1, 0x25), gs(0x40, 3, 4, 99), gs(0x40, 3, 5, 127)], sway, 5, 0.1),
    ("GS", "insertion: auto pan", "Hz", INSERTED,
     [gs(0x40, 3, 0, 1, 0x26), gs(0x40, 3, 4, 79), gs(0x40, 3, 5, 127)], sway, 4, 0.1),
    ("XG", "master tuning 00 00 00", "cents", [], [xg(0, 0, 0, 0, 5, 9, 0)], pitch, 40, 1),
    ("XG", "transpose 00 00 06", "cents", [], [xg(0, 0, 6, 0x3D)], pitch, -300, 1),
    ("XG", "note shift 08 00 08", "cents", [], [xg(8, 0, 8, 0x45)], pitch, 500, 1),
    ("XG", "detune 08 00 09", "cents", [], [xg(8, 0, 9, 0x0C, 0x06)], pitch, offset(7), 0.5),
    ("XG", "volume 08 00 0B", "dB", [], [xg(8, 0, 0x0B, 50)], level, -12.04, 0.2),
    ("XG", "dry level 08 00 11", "dB", SYSTEM, [xg(8, 0, 0x11, 64)], level, -5.95, 0.3),
    ("XG", "scale tuning 08 00 41", "cents", [], [xg(8, 0, 0x4C, 0x40 - 20)], pitch, -20, 1),
    ("XG", "bend range 08 00 23", "cents", [b"\xE0\x7F\x7F"], [xg(8, 0, 0x23, 0x4C)], pitch, 1000,
     2),
    ("XG", "drum pitch 30 kk 00", "cents", [], [xg(0x30, A, 0, 0x47)], pitch, 700, 1, A, 9),
    ("XG", "insertion: equaliser", "dB", THROUGH,
     [xg(3, 0, 0, 0x4D, 0), xg(3, 0, 2, 40), xg(3, 0, 3, 0x34), xg(3, 0, 5, 0x40)], level, -12, 0.5,
     B),
    ("XG", "insertion: tremolo", "Hz", THROUGH,
     [xg(3, 0, 0, 0x46, 0), xg(3, 0, 2, 63), xg(3, 0, 3, 127)], sway, 2.65, 0.1),
    ("XG", "variation: delay L, R", "s", [], [xg(2, 1, 0x40, 6, 0), xg(2, 1, 0x42, 39, 8, 39, 8),
                                              xg(2, 1, 0x4A, 0, 64), *SYSTEM, xg(8, 0, 0x14, 127)],
     echo, 0.5, 0.02),
    ("GM2", "fine tuning, universal", "cents", [],
     [bytes([0xF0, 0x7F, 0x7F, 4, 3, 0, 0x60, 0xF7])], pitch, 50, 1),
    ("GM2", "coarse tuning, universal", "cents", [],
     [bytes([0xF0, 0x7F, 0x7F, 4, 4, 0, 0x43, 0xF7])], pitch, 300, 1),
    ("GM2", "master volume, universal", "dB", [],
     [bytes([0xF0, 0x7F, 0x7F, 4, 1, 0, 64, 0xF7])], level, -11.9, 0.2),
    ("GM2", "scale tuning, universal", "cents", [],
     [bytes([0xF0, 0x7E, 0x7F, 8, 8, 3, 0x7F, 0x7F, *[0x40] * 11, 0x40 + 30, 0xF7])], pitch, 30, 1),
]


def play(command, path, bank, *options):
    with tempfile.TemporaryDirectory() as folder:
        out = pathlib.Path(folder) / "sound.wav"
        done = subprocess.run(
            [command, "render", path, "-o", out, "-s", bank, "--absolute-gain", "1", "--bits", "float",
             "-q", *options], capture_output=True)
        if done.returncode not in (0, 3):
            raise RuntimeError(done.stderr.decode().strip())
        return Sound(out)


def rows(command, _):
    with tempfile.TemporaryDirectory() as folder:
        bank, path = f"{folder}/sine.sf2", f"{folder}/song.mid"
        font(bank)
        for mode, name, unit, before, messages, measure, wanted, near, *place in SONGS:
            key, channel = (*place, *(A, 0)[len(place):])
            song(path, mode, before, messages, key, channel)
            once = play(command, path, bank)
            first = measure(once, FIRST, 0.25)
            base = 0 if measure in (sway, echo) else first
            played = measure(once, SECOND, 2) - base
            behind = play(command, path, bank, "--from", f"{BEHIND}s")
            span = tuple(moment - BEHIND for moment in SECOND)
            sought = measure(behind, span, 2 - BEHIND) - base
            twice = play(command, path, bank, "--loop", "2")
            again = measure(twice, tuple(LENGTH + moment for moment in FIRST), LENGTH + 0.25) - first
            is_right = (abs(played - wanted) <= near and abs(sought - played) < 0.01 * near + 0.002
                        and abs(again) < 0.002)
            yield (f"{mode} {name}", f"{wanted:.4g} {unit}",
                   f"{played:.4g}, sought {sought:.4g}, looped {again + 0:.2g}", is_right)
