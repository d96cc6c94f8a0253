#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Wireshark's dissector reads packets of ours: `tshark-judge.py PROBE PACKETS`. Two parties talk on the
loopback; what tshark read is counted by chapter, and a malformed field ends with status 1."""

import collections
import os
import subprocess
import sys
import tempfile
import time

CHAPTERS = {
    "P program": "rtpmidi.cj_chapter_p_program", "C controllers": "rtpmidi.cj_chapter_c_length",
    "M parameters": "rtpmidi.cj_chapter_m_length", "W wheel": "rtpmidi.cj_chapter_w_first",
    "N notes": "rtpmidi.cj_chapter_n_length", "E extras": "rtpmidi.cj_chapter_e_length",
    "T pressure": "rtpmidi.cj_chapter_t_pressure", "A key pressure": "rtpmidi.cj_chapter_a_length",
    "D simple": "rtpmidi.sj_chapter_d_sflag", "V sense": "rtpmidi.sj_chapter_v_sflag",
    "Q sequencer": "rtpmidi.sj_chapter_q_sflag", "F time code": "rtpmidi.sj_chapter_f_sflag",
    "X sysex": "rtpmidi.sj_chapter_x_sflag",
}


class Party:
    def __init__(self, program, name, port):
        self.process = subprocess.Popen(
            [program, "rtp", name, str(port)], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True,
            bufsize=1)

    def tell(self, words):
        self.process.stdin.write(words + "\n")

    def ask(self, words):
        self.tell(words)
        return self.process.stdout.readline().split()


def read(path):
    """What tshark says of the packets of a capture: a line each, of fields between tabs."""
    words = ["tshark", "-r", path, "-Y", "rtpmidi", "-T", "fields"]
    for meaning in "udp.port==5005,rtp", "udp.port==6005,rtp", "rtp.pt==97,rtpmidi":
        words += ["-d", meaning]
    for field in ["_ws.malformed", "udp.payload", *CHAPTERS.values()]:
        words += ["-e", field]
    # It ends with an error where it finds no folder for its settings.
    with tempfile.TemporaryDirectory() as folder:
        home = dict(os.environ, HOME=folder, XDG_CONFIG_HOME=folder)
        run = subprocess.run(words, capture_output=True, text=True, env=home)
    if run.returncode != 0:
        sys.exit(run.stderr)
    return [line.split("\t") for line in run.stdout.splitlines()]


def is_misread(packet):
    """Whether Wireshark takes the first bit of chapter Q, the mark, for that of its field of time (RFC
    6295, B.3: the fifth), and looks for that field in what follows or beyond the end."""
    long = packet[12] & 0x80
    journal = packet[(14 if long else 13) + (((packet[12] & 15) << 8 | packet[13]) if long else packet[12] & 15):]
    if not journal[0] & 0x40 or not journal[3] & 0x10:
        return False
    chapters = journal[5:]
    if journal[3] & 0x40:
        if chapters[0] & 0x0F:
            return False
        chapters = chapters[1 + (chapters[0] & 0x70).bit_count():]
    if journal[3] & 0x20:
        chapters = chapters[1:]
    return chapters[0] & 0x88 == 0x80


def main():
    program, count = sys.argv[1], int(sys.argv[2])
    ears, mouth = Party(program, "ears", 5004), Party(program, "mouth", 6004)
    while ears.ask("status")[0] != "5004":
        time.sleep(0.05)
    mouth.tell("invite 127.0.0.1:5004")
    while mouth.ask("status")[1] != "1":
        time.sleep(0.05)
    packets, bad, misread, found = 0, 0, 0, collections.Counter()
    # A busy machine sends late, and puts what is due together into one packet: more is asked for then.
    while packets < count:
        with tempfile.NamedTemporaryFile(suffix=".pcap") as capture:
            shark = subprocess.Popen(
                ["tshark", "-q", "-B", "64", "-i", "lo", "-w", capture.name],
                stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
            while "Capturing" not in shark.stderr.readline():
                pass
            time.sleep(1)
            mouth.ask(f"chapters {max(1000, count - packets)}")
            time.sleep(1)
            shark.terminate()
            shark.wait(10)
            for malformed, payload, *values in read(capture.name):
                packets += 1
                if malformed and is_misread(bytes.fromhex(payload.replace(":", ""))):
                    misread += 1
                elif malformed:
                    bad += 1
                for name, value in zip(CHAPTERS, values):
                    found[name] += bool(value)
    lost = ears.ask("status")[2]
    for party in (mouth, ears):
        party.tell("quit")
        party.process.wait(10)
    print(f"{packets} packets, {bad} malformed, {misread} misread, {lost} lost;",
          ", ".join(f"{name} {found[name]}" for name in CHAPTERS))
    return 0 if bad == 0 and all(found[name] >= 100 for name in CHAPTERS) else 1


sys.exit(main())
