#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""pymidi's server takes a song of ours: `pymidi-server.py PROBE NOTES MILLISECONDS`. Prints what came;
ends with status 1 where something is missing."""

import subprocess
import sys
import threading
import time

from pymidi import server


class Ears(server.Handler):
    def __init__(self):
        self.ons, self.offs, self.gone = [], [], 0

    def on_peer_disconnected(self, peer):
        self.gone += 1

    def on_midi_commands(self, peer, commands):
        for command in commands:
            if command.command == "note_on":
                self.ons.append((command.channel, int(command.params.key), command.params.velocity))
            elif command.command == "note_off":
                self.offs.append((command.channel, int(command.params.key)))


probe, notes, pause = sys.argv[1], int(sys.argv[2]), sys.argv[3]
ears = Ears()
host = server.Server([("127.0.0.1", 5051)])
host.add_handler(ears)
threading.Thread(target=host.serve_forever, daemon=True).start()
ours = subprocess.Popen([probe, "rtp", "song"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, bufsize=1)
ours.stdin.write("invite 127.0.0.1:5051\n")
for _ in range(200):
    ours.stdin.write("status\n")
    if ours.stdout.readline().split()[1] == "1":
        break
    time.sleep(0.05)
ours.stdin.write(f"song {notes} {pause}\n")
print(ours.stdout.readline().strip())
time.sleep(0.5)
ours.stdin.write("quit\n")
ours.wait(10)
time.sleep(0.3)
wanted = [(i % 16, 30 + i % 70, 1 + i % 100) for i in range(notes)]
print(f"{len(ears.ons)} begun and {len(ears.offs)} ended of {notes}; farewells {ears.gone}")
if ears.ons != wanted or sorted(ears.offs) != sorted(note[:2] for note in wanted) or ears.gone < 1:
    sys.exit(1)
