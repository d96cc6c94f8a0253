#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Print README's table of what Downbeat and four other programs do; each cell is from a run.

  Benchmarks/peers.py [--command downbeat] [--root FOLDER]

The other programs run in FOLDER, a root of Debian, as root; without one, on this system:

  mmdebstrap --variant=apt --include=fluidsynth,timidity,alsa-utils,jack-midi-clock,timgm6mb-soundfont sid FOLDER

Rows about songs give each program a file and judge what it writes. Rows about features search the
program's own help and manual page ("*"). No sound device is needed.
"""
import argparse
import datetime
import gzip
import pathlib
import re
import shutil
import struct
import subprocess
import tempfile
import wave

ROOT = pathlib.Path(__file__).resolve().parent.parent
FONT = "/usr/share/sounds/sf2/TimGM6mb.sf2"
LIMIT = 120


def song(notes, division, tempo=b"", form=0, tracks=1):
    """A song of quarter notes, one after the other, in each of its tracks."""
    out = b"MThd" + struct.pack(">IHHH", 6, form, tracks, division)
    for track in range(tracks):
        key = 60 + 4 * track
        body = tempo + notes(key) + b"\x00\xff\x2f\x00"
        out += b"MTrk" + struct.pack(">I", len(body)) + body
    return out


def quarters(count, ticks):
    length = bytes([0x80 | ticks >> 7, ticks & 0x7F])
    return lambda key: b"".join(b"\x00\x90" + bytes([key, 100]) + length + b"\x80" + bytes([key, 64])
                                for _ in range(count))


PLAIN = song(quarters(20, 480), 480)
SONGS = {
    "plain.mid": PLAIN,
    # 25 frames a second, 40 ticks a frame: 20 notes of half a second.
    "smpte.mid": song(quarters(20, 500), 0xE728),
    "cut.mid": PLAIN[:len(PLAIN) * 3 // 5],
    # Three patterns, each of 4 notes.
    "patterns.mid": song(quarters(4, 480), 480, form=2, tracks=3),
}


class Peer:
    """A program: how it is called, and how it renders, if it does."""

    def __init__(self, name, package, render=None, root=None, program=None, help_calls=("--help",)):
        self.name, self.package, self.rendered, self.root = name, package, render, root
        self.program, self.help_calls = program or name, help_calls
        self.folder = pathlib.Path(tempfile.mkdtemp(dir=f"{root}/tmp" if root else None))
        for file, content in SONGS.items():
            (self.folder / file).write_bytes(content)

    def run(self, *words):
        inside = ["chroot", self.root] if self.root else []
        return subprocess.run([*inside, self.program, *words], capture_output=True, errors="replace",
                              stdin=subprocess.DEVNULL, timeout=LIMIT, check=False)

    def manual(self):
        """Its help, and its manual page if one is installed."""
        calls = [self.run(*words.split()) for words in self.help_calls]
        page = pathlib.Path(f"{self.root or ''}/usr/share/man/man1/{self.name}.1.gz")
        pages = gzip.decompress(page.read_bytes()).decode(errors="replace") if page.exists() else ""
        return "".join(call.stdout + call.stderr for call in calls) + pages.replace("\\-", "-")

    def path(self, file):
        whole = self.folder / file
        return f"/{whole.relative_to(self.root)}" if self.root else str(whole)

    def render(self, file, font=FONT, out="out.wav"):
        (self.folder / "out.wav").unlink(missing_ok=True)
        path = out if out.startswith("/") else self.path(out)
        return self.run(*self.rendered(self.path(file) if not file.startswith("/") else file, font, path))

    def sound(self):
        """The length in seconds up to the last sample above −60 dBFS; 0 if there is no sound."""
        try:
            with wave.open(str(self.folder / "out.wav")) as file:
                data, width, rate = file.readframes(file.getnframes()), file.getnchannels() * 2, file.getframerate()
        except (OSError, EOFError, wave.Error):
            return 0
        samples = struct.unpack(f"<{len(data) // 2}h", data[:len(data) // 2 * 2])
        loud = next((i for i in range(len(samples) - 1, -1, -1) if abs(samples[i]) > 32), -1)
        return (loud + 1) * 2 / width / rate

    def version(self):
        if self.root:
            command = ["chroot", self.root, "dpkg-query", "-W", "-f", "${Version}", self.package]
            return subprocess.run(command, capture_output=True, text=True, check=False).stdout.split("-")[0].split("+")[0]
        return self.run("--version").stdout.split()[-1]


def renders(peer):
    peer.render("plain.mid")
    return 9 < peer.sound() < 18


def repeats(peer):
    both = []
    for _ in range(2):
        peer.render("plain.mid")
        both.append((peer.folder / "out.wav").read_bytes())
    return both[0] == both[1] and len(both[0]) > 1000


def smpte(peer):
    peer.render("smpte.mid")
    return 9 < peer.sound() < 18


def patterns(peer):
    """12 notes one after the other last 6 s; at once, 2 s."""
    peer.render("patterns.mid")
    return 5.4 < peer.sound() < 14


def cut(peer):
    run = peer.render("cut.mid")
    if peer.sound() < 4:
        return False
    if re.search(r"ends|early|short|truncat|miss|cut off", run.stderr + run.stdout):
        return True
    return "not reported"


def failing(*words, **changes):
    def row(peer):
        run = peer.render(*words, **changes)
        return run.returncode != 0
    return row


def has(pattern):
    """Whether the help or the manual page has it."""
    def row(peer):
        return bool(re.search(pattern, peer.manual(), re.IGNORECASE))
    return row


RENDERED = [
    ("renders a song to a sound file", renders),
    ("writes the same file each time", repeats),
    ("renders SMPTE divisions at the right speed", smpte),
    ("renders the patterns of format 2 in order", patterns),
    ("renders what is left of a truncated file, and reports it", cut),
    ("exits with an error if the song does not exist", failing("none.mid")),
    ("exits with an error if the soundfont does not exist", failing("plain.mid", font="/none.sf2")),
    ("exits with an error if the output cannot be written", failing("plain.mid", out="/none/out.wav")),
]
FEATURES = [
    ("renders one file for each track (stems)", r"--stems"),
    ("renders at a given loudness (LUFS)", r"LUFS"),
    ("plays or renders only a part of a song", r"--from|--segment"),
    ("loops between two points", r"--ab\b"),
    ("sends songs to MIDI ports", r"--port\b"),
    ("sends MIDI clock", r"--clock-out|MIDI beat clock"),
    ("follows MIDI clock or time code", r"--sync"),
    ("sends and receives MIDI over the network (RTP-MIDI)", r"rtp:"),
    ("prints JSON for scripts", r"--json"),
]


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--command", default="downbeat")
    parser.add_argument("--root")
    chosen = parser.parse_args()
    ours = shutil.which(chosen.command) or str(pathlib.Path(chosen.command).resolve())
    font = str(ROOT / "Soundfonts/Downbeat.sf2")
    peers = [
        Peer("downbeat", "downbeat", lambda song, font_, out: [
            "render", song, "--soundfont", font if font_ == FONT else font_, "-o", out],
            program=ours, help_calls=("play --help-all", "render --help-all")),
        Peer("fluidsynth", "fluidsynth", lambda song, font, out: [
            "-ni", "-T", "wav", "-F", out, font, song], root=chosen.root),
        Peer("timidity", "timidity", lambda song, font, out: [
            "-x", f"soundfont {font}", "-Ow", "-o", out, song], root=chosen.root),
        Peer("aplaymidi", "alsa-utils", root=chosen.root),
        Peer("jack_midi_clock", "jack-midi-clock", root=chosen.root),
    ]
    print("| | " + " | ".join(peer.name for peer in peers) + " |\n|---" + "|---" * len(peers) + "|")
    for title, row in RENDERED + [(f"{title} \\*", has(pattern)) for title, pattern in FEATURES]:
        cells = []
        for peer in peers:
            result = row(peer) if peer.rendered or (title.endswith("*")) else False
            cells.append(result if isinstance(result, str) else "yes" if result else "–")
        print(f"| {title} | " + " | ".join(cells) + " |")
    versions = ", ".join(f"{peer.name} {peer.version()}" for peer in peers)
    print(f"\n{datetime.date.today()}: {versions}. Rows marked \\* are from the program's help and manual page; the other "
          "rows are tests of rendering, which aplaymidi and jack_midi_clock do not do.")
    for peer in peers:
        shutil.rmtree(peer.folder)


main()
