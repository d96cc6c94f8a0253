# SPDX-License-Identifier: Apache-2.0
"""Gives the command files whose names are bytes; says what is not as it should be.

TOOL and FONT are paths; the argument names what is tried.
"""
import base64, fcntl, json, os, pty, re, select, shutil, struct, subprocess, sys, tempfile, termios
import time

TOOL, FONT = (os.environ[name] for name in ("TOOL", "FONT"))
FOLDER = os.fsencode(tempfile.mkdtemp(prefix="names"))
LIMIT = 120
faults = []

NAMES = [
    b"caf\xe9",                       # Latin-1
    b"\x95\x5c",                      # Shift-JIS, whose second byte is a backslash
    b"\xff",                          # no encoding's
    b"a\nb\x1b[31m\x07",              # steers a terminal
    "\U0010FEE9".encode(),            # what stands for a byte inside the program
    "\xfcber\u202e".encode(),         # UTF-8 that turns a line around
    "\u8868 \u00e9".encode(),         # UTF-8
    "\u0301x".encode(),               # a mark that would stand on the slash
]


def expect(truth, what):
    if not truth:
        faults.append(what)
        print("wrong:", what, file=sys.stderr)


def until(ask, what, limit=LIMIT):
    end = time.monotonic() + limit
    while time.monotonic() < end:
        if ask():
            return
        time.sleep(0.02)
    expect(False, what)


def is_escaped(letter):
    code = ord(letter)
    return (code < 0x20 or 0x7F <= code <= 0x9F or 0x2028 <= code <= 0x202E
            or 0x2066 <= code <= 0x206F or 0xDC80 <= code <= 0xDCFF or 0x10FE80 <= code <= 0x10FEFF)


def shown(name):
    """A name as it is to be shown."""
    out = ""
    before = "/"
    for letter in name.decode("utf-8", "surrogateescape"):
        joins, before = before == "/" and letter == "\u0301", letter
        if is_escaped(letter) or joins:
            out += "".join(f"\\x{byte:02X}" for byte in letter.encode("utf-8", "surrogateescape"))
        else:
            out += letter
    return out


def song(key=69, seconds=0.5, title=b""):
    """A file of one note."""
    ticks = int(seconds * 960)
    length = bytes([0x80 | ticks >> 7 & 0x7F, ticks & 0x7F])
    track = (b"\0\xff\x03" + bytes([len(title)]) + title if title else b"") + \
        b"\0\x90" + bytes([key, 100]) + length + b"\x80" + bytes([key, 64]) + b"\0\xff\x2f\0"
    return (b"MThd\0\0\0\6\0\0\0\1\1\xe0MTrk" + len(track).to_bytes(4, "big") + track)


def write(path, data):
    os.makedirs(os.path.dirname(path), exist_ok=True)
    with open(path, "wb") as file:
        file.write(data)
    return path


def run(*words, status=0, cwd=None):
    """Runs the command; its output and complaints, neither of which steers a terminal."""
    done = subprocess.run([TOOL, *words], capture_output=True, timeout=LIMIT, cwd=cwd,
                          stdin=subprocess.DEVNULL)
    what = b" ".join(os.fsencode(word) for word in words)
    expect(done.returncode == status, f"{what}: {done.returncode}, {done.stderr}")
    for stream in (done.stdout, done.stderr):
        text = stream.decode()
        wild = [letter for letter in text if is_escaped(letter) and letter != "\n"]
        expect(not wild, f"{what}: {wild} in {stream}")
    return done.stdout.decode(), done.stderr.decode()


def expect_path(document, name, path, bytes_name=None):
    """Whether a document has a path as it is shown, and its bytes only if they are needed."""
    bytes_name = bytes_name or ("pathBytes" if name == "file" else name + "Bytes")
    text = shown(path)
    expect(document.get(name) == text, f"{name}: {document.get(name)!r}, not {text!r}")
    exact = None if text.encode() == path else base64.b64encode(path).decode()
    expect(document.get(bytes_name) == exact, f"{bytes_name}: {document.get(bytes_name)}: {path}")


def files():
    """Songs and soundfonts are read, and what is made of them is written, under any name."""
    for name in NAMES:
        path = write(FOLDER + b"/" + name + b".mid", song())
        text = shown(path)
        expect(run("info", path)[0].startswith(text + ": MIDI"), f"info {text}")
        expect(run("check", path)[0] == text + ": clean\n", f"check {text}")
        expect_path(json.loads(run("info", "--json", path)[0]), "file", path)
        expect_path(json.loads(run("check", "--json", path)[0]), "file", path)
        run("events", path)
        expect(text in run("lyrics", path, status=65)[1], f"lyrics {text}")
        run("convert", "--song", path, "1s")
        out = FOLDER + b"/out" + name
        run("edit", path, "-o", out + b".mid")
        expect(open(out + b".mid", "rb").read() == song(), f"edit {text}")
        run("plot", path, "-o", out + b".svg")
        picture = open(out + b".svg").read()
        expect(shown(name) in picture.replace("&#39;", "'"), f"plot {text}")
        document = json.loads(run("edit", path, "-o", out + b"2.mid", "--json")[0])
        expect_path(document, "output", out + b"2.mid")
        expect_path(document, "file", path)
        missing = FOLDER + b"/none" + name
        errors = run("info", missing, status=66)[1]
        expect(shown(missing) in errors, f"missing {errors}")
        expect_path(json.loads(run("info", "--json", missing, status=66)[0]), "file", missing)
    names = set(os.listdir(FOLDER))
    expect({b"out" + name + b".mid" for name in NAMES} <= names, f"{names}")
    literal = write(FOLDER + rb"/caf\xE9.mid", song())
    document = json.loads(run("info", "--json", literal)[0])
    expect_path(document, "file", literal)
    expect("pathBytes" not in document, "a backslash is a backslash")


def rendered():
    """Sounds, stems and soundfonts."""
    for name in NAMES:
        path = write(FOLDER + b"/" + name + b".mid", song())
        font = FOLDER + b"/" + name + b".sf2"
        shutil.copy(FONT, font)
        out = FOLDER + b"/" + name + b".wav"
        documents = run("render", path, "-o", out, "-s", font, "--json", "-q")[0].splitlines()
        document = json.loads(documents[-1])
        expect_path(document, "output", out)
        expect_path(document, "file", path)
        run("sound", "info", out)
        expect_path(json.loads(run("sound", "info", "--json", out)[0]), "file", out)
        copy = FOLDER + b"/copy" + name + b".flac"
        run("sound", "convert", out, "-o", copy, "-q")
        run("sound", "play", copy, "--audio", "null", "-q")
        run("render", path, "-o", FOLDER + b"/stems" + name, "--stems", "track", "-s", font, "-q")
        expect(os.listdir(FOLDER + b"/stems" + name), "no stems")
        for engine in ("fluidsynth", "downbeat"):
            run("render", path, "-o", out, "--overwrite", "-s", font, "--engine", engine, "-q")
        for words in (["info"], ["presets"], ["check"]):
            run("soundfont", *words, font)
        expect_path(json.loads(run("soundfont", "info", "--json", font)[0]), "file", font)
        expect_path(json.loads(run("soundfont", "presets", "--json", font)[0]), "file", font)
    listed = run("soundfont", "list", FOLDER)[0]
    for name in NAMES:
        expect(shown(name + b".sf2") in listed, f"list: {shown(name)} in {listed}")


def folders():
    """A folder of any name, with songs of any names, makes sounds of the same names."""
    for name in NAMES:
        folder = FOLDER + b"/" + name
        for inner in NAMES:
            write(folder + b"/" + inner + b"/" + inner + b".mid", song(seconds=0.1))
        out = FOLDER + b"/sounds" + name
        run("render", folder, "--output-dir", out, "--format", "wav", "-s", FONT, "-q",
            "--tail", "none")
        for inner in NAMES:
            expect(os.path.getsize(out + b"/" + inner + b"/" + inner + b".wav") > 1000,
                   f"{folder}: {inner}")
        documents = run("info", "--json", *sorted(
            folder + b"/" + inner + b"/" + inner + b".mid" for inner in NAMES)[:1])[0]
        expect(json.loads(documents)["type"] == "info", documents)
    # Names that look alike are two names.
    alike = FOLDER + b"/alike"
    names = ["\u00e9".encode(), "e\u0301".encode()]
    for name in names:
        write(alike + b"/" + name + b".mid", song(seconds=0.1))
        write(alike + b"/in" + name + b"/x.mid", song(seconds=0.1))
    out = FOLDER + b"/alike-out"
    run("render", alike, "--output-dir", out, "--format", "wav", "-s", FONT, "-q")
    expect({name + b".wav" for name in names} <= set(os.listdir(out)), f"{os.listdir(out)}")
    expect(all(os.path.exists(out + b"/in" + name + b"/x.wav") for name in names), "folders alike")


def played(*words, status=0):
    """The songs that are played, as their events tell."""
    out = run("play", *words, "-s", FONT, "--audio", "null", "--no-reverb", "--json",
              status=status)[0]
    events = [json.loads(line) for line in out.splitlines()]
    starts = [event for event in events if event.get("event") == "start-file"]
    return [base64.b64decode(event["pathBytes"]) if "pathBytes" in event
            else event["path"].encode() for event in starts]


def lists():
    """Playlists in every encoding, with every separator."""
    folder = FOLDER + b"/songs"
    paths = [write(folder + b"/" + name + b".mid", song(seconds=0.02)) for name in NAMES]
    plain = [name for name in NAMES if b"\n" not in name]

    def listed(content, *expected, file=b"/list.m3u", status=0):
        found = played(write(folder + file, content), status=status)
        wanted = [folder + b"/" + path for path in expected]
        expect(found == wanted, f"{content}: {found}, not {wanted}")

    expect(played(folder) == sorted(paths, key=lambda path: played.order(path)), "a folder")
    expect(played(*paths) == paths, "paths")
    listed(b"".join(name + b".mid\n" for name in plain), *[name + b".mid" for name in plain])
    listed(b"[playlist]\nFile1=caf\xe9.mid\n", b"caf\xe9.mid", file=b"/list.pls")
    # Latin-1 for a name in UTF-8, where the bytes themselves are none's.
    write(folder + b"/" + "\xfcber.mid".encode(), song(seconds=0.02))
    listed(b"\xfcber.mid\r\n", "\xfcber.mid".encode())
    listed(b"#EXTM3U\n#EXTINF:1,\xfc\ncaf\xe9.mid\n", b"caf\xe9.mid", file=b"/\xff.m3u")
    for encoding in ("utf-16", "utf-16-be", "utf-16-le"):
        mark = {"utf-16": b"", "utf-16-be": b"\xfe\xff", "utf-16-le": b"\xff\xfe"}[encoding]
        text = "#EXTM3U\r\n#EXTINF:1,\u8868\r\n\u8868 \u00e9.mid\r\n\xfcber.mid\r\n"
        listed(mark + text.encode(encoding), "\u8868 \u00e9.mid".encode(), "\xfcber.mid".encode(),
               file=b"/list.m3u8")
    listed(b"file://" + folder + b"/caf%E9.mid\n", b"caf\xe9.mid")
    listed("\n".join("file://" + "".join(f"%{byte:02X}" for byte in path).replace("%2F", "/")
                     for path in paths)
           .encode(), *[name + b".mid" for name in NAMES])
    # Backslashes separate folders if the literal name is not there.
    write(folder + b"/sub/deep/x.mid", song(seconds=0.02))
    write(folder + b"/sub/caf\xe9.mid", song(seconds=0.02))
    write(folder + b"/sub/\x95\x5c.mid", song(seconds=0.02))
    listed(b"sub\\deep\\x.mid\r\nsub\\caf\xe9.mid\r\nsub\\\x95\x5c.mid\r\n..\\songs\\caf\xe9.mid\r\n",
           b"sub/deep/x.mid", b"sub/caf\xe9.mid", b"sub/\x95\x5c.mid", b"../songs/caf\xe9.mid")
    listed("sub\\deep\\x.mid\r\n".encode("utf-16"), b"sub/deep/x.mid", file=b"/list.m3u8")
    write(folder + b"/sub\\deep\\x.mid", song(seconds=0.02))
    listed(b"sub\\deep\\x.mid\n", b"sub\\deep\\x.mid")
    write(folder + b"/none.m3u", b"gone\\caf\xe9.mid\n")
    errors = run("play", folder + b"/none.m3u", "-s", FONT, "--audio", "null", status=66)[1]
    expect("gone\\caf\xe9.mid" in errors, errors)


def natural(path):
    """The order of a folder's names, of which none has digits: by what stands for the bytes."""
    letters = [chr(0x10FE00 + byte) for byte in range(256)]
    text = ""
    for letter in path.decode("utf-8", "surrogateescape"):
        if 0xDC80 <= ord(letter) <= 0xDCFF:
            text += letters[ord(letter) - 0xDC00]
        elif 0x10FE80 <= ord(letter) <= 0x10FEFF or letter == "\u0301":
            text += "".join(letters[byte] for byte in letter.encode())
        else:
            text += letter.lower() if letter.isascii() else letter
    return text.encode()


played.order = natural


class Player:
    """A player with a socket of any name."""

    def __init__(self, *words, name=b"player"):
        self.path = FOLDER + b"/" + name
        self.process = subprocess.Popen(
            [TOOL, "play", "-s", FONT, "--audio", "null", "--ipc", self.path, *words],
            stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)

    def __enter__(self):
        until(lambda: os.path.exists(self.path) or self.process.poll() is not None, "no socket")
        return self

    def __exit__(self, *_):
        if self.process.poll() is None:
            self.process.kill()
        self.errors = self.process.communicate()[1]

    def ctl(self, *words):
        return run("ctl", "--socket", self.path, *words)[0]


def led():
    """What leads a player is told of the names, and its socket has any name."""
    os.chmod(FOLDER, 0o700)
    for name in NAMES:
        path = write(FOLDER + b"/" + name + b".mid", song(seconds=30))
        other = write(FOLDER + b"/other" + name + b".mid", song(seconds=30))
        with Player(path, other, name=name + b".socket") as player:
            status = json.loads(player.ctl("status", "--json"))
            expect_path(status, "path", path)
            expect_path(status["playlist"][0], "path", path)
            expect_path(status["playlist"][1], "path", other)
            said = json.loads(player.ctl("get", "path", "--json"))
            if isinstance(said, str):
                expect(said.encode() == path, f"get path: {said}")
            else:
                expect_path(said, "path", path)
            expect(player.ctl("get", "path") == shown(path) + "\n", "get path")
            expect(shown(path) in player.ctl("status"), "status")
            expect(shown(other) in player.ctl("list"), "list")
            player.ctl("next")
            until(lambda: player.ctl("get", "path") == shown(other) + "\n", "next")
            player.ctl("quit")
            expect(player.process.wait(LIMIT) == 0, "quit")
            expect(not os.path.exists(player.path), "the socket is left")


def media():
    """The bus of a desktop is told a name's bytes in its address."""
    address = "unix:path=" + os.fsdecode(FOLDER) + "/bus"
    with open(FOLDER + b"/bus.conf", "w") as config:
        config.write(
            "<busconfig><type>session</type><listen>" + address + "</listen>"
            "<auth>EXTERNAL</auth><policy context='default'><allow send_destination='*'/>"
            "<allow receive_sender='*'/><allow own='*'/></policy></busconfig>")
    os.environ["DBUS_SESSION_BUS_ADDRESS"] = address
    bus = subprocess.Popen(
        ["dbus-daemon", "--nofork", b"--config-file=" + FOLDER + b"/bus.conf"],
        stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    plain = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~/"
    try:
        until(lambda: os.path.exists(FOLDER + b"/bus"), "no bus")
        for name in NAMES:
            path = write(FOLDER + b"/" + name + b".mid", song(seconds=30))
            wanted = "file://" + "".join(
                chr(byte) if byte in plain else f"%{byte:02X}" for byte in path)
            with Player(path) as player:
                def told():
                    return subprocess.run(
                        ["dbus-send", "--session", "--print-reply",
                         "--dest=org.mpris.MediaPlayer2.downbeat", "/org/mpris/MediaPlayer2",
                         "org.freedesktop.DBus.Properties.Get",
                         "string:org.mpris.MediaPlayer2.Player", "string:Metadata"],
                        capture_output=True, timeout=LIMIT).stdout.decode("utf-8", "replace")
                until(lambda: f'"{wanted}"' in told(), f"{wanted} in {told()}")
                expect(shown(name) in told(), f"the title in {told()}")
                player.ctl("quit")
                player.process.wait(LIMIT)
    finally:
        bus.kill()
        bus.wait()


def terminal(*words):
    """Plays at a terminal of its own; the process and the terminal."""
    process, place = pty.fork()
    if process == 0:
        os.environ["TERM"] = "xterm-256color"
        fcntl.ioctl(0, termios.TIOCSWINSZ, struct.pack("HHHH", 30, 120, 0, 0))
        os.execv(TOOL, [TOOL, "play", *words, "-s", FONT, "--audio", "null"])
    return process, place


def seen(place, words, limit=LIMIT):
    """Reads a terminal until it shows some words; all that it was sent."""
    out, plain, end = b"", "", time.monotonic() + limit
    while time.monotonic() < end:
        if select.select([place], [], [], 0.1)[0]:
            try:
                out += os.read(place, 65536)
            except OSError:
                break
        plain = re.sub(rb"\x1b\[[0-9;?]*[A-Za-z]", b"", out).decode("utf-8", "replace")
        if words in plain:
            return out
    expect(False, f"{words!r} is not shown: {plain[-500:]!r}")
    return out


def resumed():
    """A list that was left is gone on with, and a song's settings are remembered."""
    os.environ["XDG_STATE_HOME"] = os.fsdecode(FOLDER) + "/state"
    for name in NAMES:
        first = write(FOLDER + b"/1" + name + b".mid", song(60, 30, b"Alpha song"))
        second = write(FOLDER + b"/2" + name + b".mid", song(62, 30, b"Zulu music"))
        process, place = terminal(first, second)
        seen(place, "Alpha song")
        os.write(place, b">")
        seen(place, "Zulu music")
        os.write(place, b"Q")
        _, status = wait(process, place)
        expect(status == 0, f"Q {shown(name)}: {status}")
        process, place = terminal("--resume")
        out = seen(place, "Zulu music")
        expect(b"Alpha song" not in out, f"from the first: {shown(name)}")
        os.write(place, b"q")
        wait(process, place)


def wait(process, place):
    """Reads a terminal to its end."""
    end = time.monotonic() + LIMIT
    while time.monotonic() < end:
        if select.select([place], [], [], 0.1)[0]:
            try:
                if not os.read(place, 65536):
                    break
            except OSError:
                break
    result = os.waitpid(process, 0)
    os.close(place)
    return result


try:
    globals()[sys.argv[1]]()
finally:
    shutil.rmtree(FOLDER, ignore_errors=True)
sys.exit(1 if faults else 0)
