#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Wireshark's dissector reads packets of ours: `tshark-judge.py PARTY PACKETS`. Two parties talk on the
loopback; what tshark read is counted by chapter, and a malformed field ends with status 1."""

import collections
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
            [program, name, str(port)], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True,
            bufsize=1)

    def tell(self, words):
        self.process.stdin.write(words + "\n")

    def ask(self, words):
        self.tell(words)
        return self.process.stdout.readline().split()


def main():
    program, count = sys.argv[1], int(sys.argv[2])
    capture = tempfile.NamedTemporaryFile(suffix=".pcap")
    shark = subprocess.Popen(
        ["tshark", "-q", "-i", "lo", "-w", capture.name], stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE, text=True)
    while "Capturing" not in shark.stderr.readline():
        pass
    time.sleep(1)
    ears, mouth = Party(program, "ears", 5004), Party(program, "mouth", 6004)
    while ears.ask("status")[0] != "5004":
        time.sleep(0.05)
    mouth.tell("invite 127.0.0.1:5004")
    while mouth.ask("status")[1] != "1":
        time.sleep(0.05)
    print(*mouth.ask(f"chapters {count}"))
    time.sleep(1)
    lost = ears.ask("status")[2]
    for party in (mouth, ears):
        party.tell("quit")
        party.process.wait(10)
    time.sleep(1)
    shark.terminate()
    shark.wait(10)
    fields = ["_ws.malformed", "_ws.expert.severity", "rtpmidi.cs_length", *CHAPTERS.values()]
    words = ["tshark", "-r", capture.name, "-d", "udp.port==5005,rtp", "-d", "udp.port==6005,rtp", "-d", "rtp.pt==97,rtpmidi", "-d", "udp.port==5004,applemidi",
             "-d", "udp.port==6004,applemidi", "-Y", "rtpmidi", "-T", "fields"]
    for field in fields:
        words += ["-e", field]
    read = subprocess.run(words, capture_output=True, text=True)
    if read.returncode != 0:
        print(read.stderr)
        return 1
    found, packets, bad = collections.Counter(), 0, 0
    for line in read.stdout.splitlines():
        values = line.split("\t")
        packets += 1
        if values[0]:
            bad += 1
        for name, value in zip(CHAPTERS, values[3:]):
            found[name] += bool(value)
    print(f"{packets} packets, {bad} malformed, {lost} lost;",
          ", ".join(f"{name} {found[name]}" for name in CHAPTERS))
    return 0 if bad == 0 and packets >= count and all(found[name] >= 100 for name in CHAPTERS) else 1


sys.exit(main())
