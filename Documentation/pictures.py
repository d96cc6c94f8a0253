#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Make the pictures of README.md and Pictures.md anew: `make pictures`.

  Documentation/pictures.py COMMAND

The player is a capture of a real terminal (tmux), drawn as text in an SVG. The songs' pictures are
those of `downbeat plot`. Positions and levels differ a little each time.
"""
import html
import pathlib
import re
import subprocess
import sys
import tempfile
import time

ROOT = pathlib.Path(__file__).resolve().parent.parent
SONG, FONT = "Songs/daisy.mid", "Soundfonts/Downbeat.sf2"
COLUMNS, ROWS = 80, 18
CELL, LINE, MARGIN = 8.4, 19, 14
INK = {"39": "#d8dee9", "90": "#7b8494", "32": "#8fce7e", "33": "#e6c66e", "36": "#6fc3d8"}
PAPER = "#1d2129"


def capture(command):
    """The lines of the terminal, 4 s into the part that is played, with their colours."""
    tmux = ["tmux", "-L", "downbeat-pictures", "-f", "/dev/null"]
    with tempfile.TemporaryDirectory() as state:
        play = f"env XDG_STATE_HOME={state} {command} play {SONG} --audio null --from 12s --soundfont {FONT}"
        subprocess.run(tmux + ["new-session", "-d", "-x", str(COLUMNS), "-y", str(ROWS), play], cwd=ROOT, check=True)
        try:
            time.sleep(4)
            screen = subprocess.run(tmux + ["capture-pane", "-e", "-p"], capture_output=True, text=True, check=True)
            return screen.stdout.splitlines()
        finally:
            subprocess.run(tmux + ["send-keys", "q"], check=False)
            time.sleep(1)
            subprocess.run(tmux + ["kill-server"], stderr=subprocess.DEVNULL, check=False)


def runs(lines):
    """Texts of one look: row, column, text, colour, whether bold, whether on a filled ground."""
    ink, bold, filled = "39", False, False
    for row, line in enumerate(lines):
        column = 0
        for codes, text in re.findall(r"\x1b\[([\d;]*)m|([^\x1b]+)", line):
            for code in filter(None, codes.split(";")):
                if code in INK:
                    ink = code
                elif code in ("1", "7"):
                    bold, filled = bold or code == "1", filled or code == "7"
                elif code == "0":
                    ink, bold, filled = "39", False, False
            if text:
                yield row, column, text, ink, bold, filled
                column += len(text)


def picture(lines):
    width, height = COLUMNS * CELL + 2 * MARGIN, len(lines) * LINE + 2 * MARGIN
    out = [f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width:g} {height:g}" role="img">',
           "<title>downbeat playing Daisy Bell in a terminal</title>",
           f'<rect width="{width:g}" height="{height:g}" rx="8" fill="{PAPER}"/>',
           '<g font-family="DejaVu Sans Mono, Menlo, Consolas, monospace" font-size="14" xml:space="preserve">']
    for row, column, text, ink, bold, filled in runs(lines):
        if not text.strip():
            continue
        x, y = MARGIN + column * CELL, MARGIN + row * LINE
        colour = INK[ink]
        if filled:
            out.append(f'<rect x="{x:g}" y="{y:g}" width="{len(text) * CELL:g}" height="{LINE}" fill="{colour}"/>')
            colour = PAPER
        weight = ' font-weight="bold"' if bold else ""
        out.append(f'<text x="{x:g}" y="{y + LINE - 5:g}" textLength="{len(text) * CELL:g}" '
                   f'fill="{colour}"{weight}>{html.escape(text)}</text>')
    return "\n".join(out + ["</g>", "</svg>", ""])


def main():
    command = str(pathlib.Path(sys.argv[1]).resolve())
    lines = capture(command)
    if len(lines) < 8 or "daisy" not in lines[0]:
        sys.exit(f"no player in the terminal: {lines[:3]}")
    (ROOT / "Documentation/Player.svg").write_text(picture(lines), encoding="utf-8")
    for theme in ("light", "dark"):
        subprocess.run([command, "plot", "Songs/groove.mid", "--overwrite", "--audio", "--theme", theme,
                        "--soundfont", FONT, "-o", f"Documentation/Pictures-{theme}.png"], cwd=ROOT, check=True)


main()
