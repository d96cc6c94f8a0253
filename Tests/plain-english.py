#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Count the marks of English that readers must decode, per file, against recorded numbers.

  Tests/plain-english.py            fail if a file has more marks than recorded; a new file has none
  Tests/plain-english.py --record   record the numbers as they are; they can only fall
  Tests/plain-english.py FILE ...   print each mark with its line
  Tests/plain-english.py --screen   print the marks in help and messages: literals of Sources

Marks are words and openings that are often used in place of a plainer one: "where" for "if", "is no" for
"is not", openings with "What". Some uses are right ("where" for a place), so numbers are recorded instead
of asking for 0. Counted are comments, test names and texts in Swift and C, and Markdown outside of code.

Documentation/Words.md has the words to use instead.
"""
import collections
import pathlib
import re
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
RECORD = ROOT / "Tests/plain-english.txt"

WORDS = re.compile(
    r"\b(where|wherever|whoever|whom|somebody|nobody|anew|lest|thereby|milliards?"
    r"|comes?|came|coming|tells?|told|telling|says?|said|saying|hears?|heard|hearing|leads?|led|leading"
    r"|(?:is|are|was|were|has|have|had|knows|takes|gives|makes) no(?! longer| later| earlier)|such that|so many|so much|as long as|as often as"
    r"|there (?:is|are) (?:not|none)|way round|put(?:s|ting)? right|puts? back|stand(?:s|ing)? still"
    r"|of its own|of their own|beside|by itself|is to be|are to be)\b",
    re.IGNORECASE)
OPENING = re.compile(r"^(?:[-*#>|]+\s+)*(?:- \w+:\s+)?(What|Where|Whether|Who|Whose|Of|How)\b")


def swift_texts(text):
    """Comments, test names and string literals, each with the number of its line."""
    in_block = False
    for number, line in enumerate(text.splitlines(), 1):
        stripped = line.strip()
        if in_block:
            if '"""' in stripped:
                in_block = False
            yield number, stripped.replace('"""', "")
        elif stripped.startswith("//"):
            yield number, stripped.lstrip("/").strip()
        else:
            if stripped.count('"""') == 1:
                in_block = True
            for literal in re.findall(r'"((?:[^"\\]|\\.)*)"|`([^`]* [^`]*)`', line):
                yield number, (literal[0] or literal[1]).strip()
            if " // " in line and '"' not in line:
                yield number, line.split(" // ", 1)[1].strip()


def c_texts(text):
    in_comment = False
    for number, line in enumerate(text.splitlines(), 1):
        stripped = line.strip()
        if in_comment or stripped.startswith(("/*", "//")):
            in_comment = "*/" not in stripped and (in_comment or stripped.startswith("/*"))
            yield number, stripped.strip("/* ")


def markdown_texts(text):
    in_code = False
    for number, line in enumerate(text.splitlines(), 1):
        if line.lstrip().startswith("```"):
            in_code = not in_code
        elif not in_code and not line.startswith("    "):
            yield number, re.sub(r"`[^`]*`", "", line).strip()


READERS = {".swift": swift_texts, ".h": c_texts, ".c": c_texts, ".md": markdown_texts}
# The guide itself names the words.
EXEMPT = {"Documentation/Words.md"}


def marks(path):
    text = (ROOT / path).read_text(encoding="utf-8", errors="replace")
    for number, line in READERS[pathlib.Path(path).suffix](text):
        for found in WORDS.finditer(line):
            yield number, found.group(0), line
        opening = OPENING.match(line)
        if opening:
            yield number, opening.group(1) + " …", line


# Literals that are not sentences: names of the standard, names inside a web page.
NOT_SENTENCES = {
    "Sources/MIDIMessages/Names/GeneralMIDI.swift",
    "Sources/PlayerControl/WebPage/ClockPage+Script.swift",
    "Sources/PlayerControl/WebPage/ClockPage.swift",
}
# What is typed, such as `--link lead`, is not English.
TYPED = re.compile(r"`[^`]*`|--[a-z-]+ \w+|--[a-z-]+")


def literals(text):
    """The literals of a Swift file, each with the number of its line."""
    in_block = False
    for number, line in enumerate(text.splitlines(), 1):
        stripped = line.strip()
        if in_block or stripped.count('"""') == 1:
            in_block = '"""' not in stripped or not in_block
            yield number, stripped.replace('"""', "")
        elif not stripped.startswith("//"):
            for literal in re.findall(r'"((?:[^"\\]|\\.)*)"', line):
                yield number, literal.strip()


def screen_marks():
    """The marks in what the command prints: help and messages."""
    for path in files():
        if path.startswith("Sources/") and path.endswith(".swift") and path not in NOT_SENTENCES:
            for number, literal in literals((ROOT / path).read_text(encoding="utf-8")):
                text = TYPED.sub("", literal)
                found = [match.group(0) for match in WORDS.finditer(text)]
                opening = OPENING.match(text)
                if opening and " " in text:
                    found.append(opening.group(1) + " …")
                for mark in found:
                    yield f"{path}:{number}: {mark}: {literal}"


def files():
    listed = subprocess.run(
        ["git", "-C", ROOT, "ls-files", "-z", "--cached", "--others", "--exclude-standard"],
        capture_output=True, check=True).stdout.decode()
    for path in sorted(filter(None, listed.split("\0"))):
        is_read = pathlib.Path(path).suffix in READERS and path not in EXEMPT
        if is_read and (ROOT / path).is_file():
            yield path


def recorded():
    numbers = {}
    if RECORD.exists():
        for line in RECORD.read_text().splitlines():
            number, path = line.split(" ", 1)
            numbers[path] = int(number)
    return numbers


def allowances(now):
    """How many marks each file may have: a file that moved brings its number along."""
    before = recorded()
    moved = collections.defaultdict(int)
    for path, number in before.items():
        if path not in now:
            moved[pathlib.Path(path).name] += number
    return {path: before.get(path, moved[pathlib.Path(path).name]) for path in now}, before


def main():
    arguments = sys.argv[1:]
    if arguments == ["--screen"]:
        lines = list(screen_marks())
        print("\n".join(lines + [f"{len(lines)} marks"]))
        return 1 if lines else 0
    if arguments and arguments != ["--record"]:
        for path in arguments:
            relative = pathlib.Path(path).resolve().relative_to(ROOT)
            for number, mark, line in marks(str(relative)):
                print(f"{relative}:{number}: {mark}: {line}")
        return 0
    now = {path: sum(1 for _ in marks(path)) for path in files()}
    allowed, before = allowances(now)
    worse = [path for path in now if now[path] > allowed[path]] if before or not arguments else []
    for path in worse:
        print(f"{path}: {now[path]} marks, {allowed[path]} allowed: Tests/plain-english.py {path}")
    if worse:
        return 1
    if arguments:
        RECORD.write_text("".join(f"{number} {path}\n" for path, number in now.items() if number))
    total, was = sum(now.values()), sum(before.values())
    print(f"{total} marks, {was} recorded")
    if total < was and not arguments:
        print("fewer than recorded: Tests/plain-english.py --record")
    return 0


sys.exit(main())
