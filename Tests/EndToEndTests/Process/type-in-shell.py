# SPDX-License-Identifier: Apache-2.0
"""Types lines and the Tab key into a shell on a terminal of its own.

Usage: type-in-shell.py SHELL FOLDER [LINE OFFER]…, where FOLDER holds completions in bash/, zsh/
and fish/. Writes what the shell shows for each line, as one line without controls: all that comes
until the offer is there, or nothing has come for half a minute.
"""
import os
import pty
import re
import select
import sys
import time

shell, folder, words = sys.argv[1], sys.argv[2], sys.argv[3:]
name = os.path.basename(shell)
SETUP = {
    "bash": f"source {folder}/bash/downbeat; bind 'set show-all-if-ambiguous on'",
    "zsh": f"fpath=({folder}/zsh $fpath); autoload -U compinit; compinit -u -D",
    "fish": f"source {folder}/fish/downbeat.fish",
}[name]
QUIET = {"bash": ["--norc", "-i"], "zsh": ["-f", "-i"], "fish": ["--no-config", "-i"]}[name]

process, terminal = pty.fork()
if process == 0:
    os.execv(shell, [name, *QUIET])


def plain(text):
    """A text without what steers a terminal."""
    text = re.sub(rb"\x1b\[[0-9;?>=]*[A-Za-z]|\x1b[=>]", b" ", text)
    return re.sub(rb"[\x00-\x1f]+", b" ", text).decode(errors="replace")


def shown(until, patience):
    """What the terminal shows until a text comes, or nothing more does for a while."""
    text = b""
    while select.select([terminal], [], [], patience)[0]:
        try:
            text += os.read(terminal, 65536)
        except OSError:
            break
        if until and until in plain(text):
            break
    return text


# The answer is in two pieces, so that it is not the line that was typed.
os.write(terminal, f"{SETUP}; echo rea''dy\r".encode())
shown("ready", 60)
shown(None, 1)
for line, offer in zip(words[::2], words[1::2]):
    os.write(terminal, line.encode() + b"\t")
    text = shown(offer, 30) + shown(None, 1)
    os.write(terminal, b"\x15\x03")
    shown(None, 1)
    print(plain(text), flush=True)
os.kill(process, 9)
os.waitpid(process, 0)
