# SPDX-License-Identifier: Apache-2.0
"""Commands that talk to each other by MIDI over the network, in a network of their own.

TOOL is the command, FONT a soundfont, FOLDER a private one; the argument names what is tried.
"""
import json, os, random, signal, socket, subprocess, sys, time

sys.path.insert(0, os.path.join(os.path.dirname(__file__), "../../TestSupport"))
import private_avahi

TOOL, FONT, FOLDER = (os.environ[name] for name in ("TOOL", "FONT", "FOLDER"))
LIMIT = 60
HERE = "rtp:127.0.0.1:5004"
faults = []
running = []


def expect(truth, what):
    if not truth:
        faults.append(what)
        print("wrong:", what, file=sys.stderr)


def until(ask, what, limit=LIMIT):
    end = time.monotonic() + limit
    while time.monotonic() < end:
        if ask():
            return True
        time.sleep(0.02)
    expect(False, what)
    return False


def start(name, *words):
    """Starts a command, with what it says in files of a name."""
    files = [open(f"{FOLDER}/{name}.{kind}", "wb") for kind in ("out", "err")]
    process = subprocess.Popen(
        [TOOL, *words], stdin=subprocess.DEVNULL, stdout=files[0], stderr=files[1])
    running.append(process)
    return process


def said(name, kind="out"):
    with open(f"{FOLDER}/{name}.{kind}", errors="replace") as file:
        return file.read()


def lines(name):
    """The whole lines of JSON that a command has written so far."""
    return [json.loads(line) for line in said(name).splitlines(True) if line.endswith("\n")]


def run(*words, limit=LIMIT):
    return subprocess.run(
        [TOOL, *words], stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=limit)


def stop(process, number=signal.SIGINT):
    process.send_signal(number)
    process.wait(LIMIT)


def is_open(port=5005):
    """Whether a session listens."""
    with open("/proc/net/udp") as file:
        return any(f":{port:04X} " in line.split(maxsplit=2)[1] + " " for line in file.readlines()[1:])


def quantity(number):
    octets = [number & 0x7F]
    while number := number >> 7:
        octets.append(number & 0x7F | 0x80)
    return bytes(reversed(octets))


def song(notes):
    """A file of notes at 120 beats a minute, 5 ms apart, and the notes."""
    made, events = [], b""
    for index in range(notes):
        note = (index % 16, 30 + index % 70, 1 + index % 100)
        made.append(note)
        channel, key, velocity = note
        events += quantity(1 if index else 0) + bytes([0x90 | channel, key, velocity])
        events += quantity(4) + bytes([0x80 | channel, key, 64])
    events += b"\0\xff\x2f\0"
    path = f"{FOLDER}/song.mid"
    with open(path, "wb") as file:
        file.write(b"MThd" + bytes([0, 0, 0, 6, 0, 0, 0, 1, 1, 0xE0]))
        file.write(b"MTrk" + len(events).to_bytes(4, "big") + events)
    return path, made


def begun(name):
    """The notes that a monitor has shown."""
    found = []
    for line in lines(name):
        octets = line.get("bytes") or []
        if isinstance(octets, str):
            octets = [int(word, 16) for word in octets.split()]
        if octets and octets[0] >> 4 == 9 and octets[2]:
            found.append((octets[0] & 15, octets[1], octets[2]))
    return found


def play_song():
    """Two processes, a thousand notes, and all that sounds is released."""
    path, made = song(1_000)
    ears = start("ears", "monitor", "--rtp", "ears", "--json")
    until(is_open, "nobody listens")
    played = run("play", path, "-p", HERE, "--quiet", limit=200)
    expect(played.returncode == 0, f"play ended with {played.returncode}: {played.stderr}")
    until(lambda: len(begun("ears")) >= len(made), "notes are missing", 20)
    heard = begun("ears")
    print(f"{len(heard)} of {len(made)} notes")
    expect(sorted(heard) == sorted(made), "other notes came than were sent")
    stop(ears)
    expect(ears.returncode == -signal.SIGINT, f"the monitor ended with {ears.returncode}")


def dump_song(size, before, after):
    """A file of notes at 120 beats a minute, 50 ms apart, with a SysEx between them, and their keys."""
    inside = bytes(value % 128 for value in range(size))
    dump = quantity(0) + b"\xf0" + quantity(size + 1) + inside + b"\xf7"
    keys = [30 + index for index in range(before + after)]
    notes = [quantity(48) + bytes([0x90, key, 100]) for key in keys]
    events = b"".join(notes[:before]) + dump + b"".join(notes[before:])
    events += quantity(48) + b"".join(bytes([0x80, key, 64, 0]) for key in keys)
    events += b"\xff\x2f\0"
    path = f"{FOLDER}/dump.mid"
    with open(path, "wb") as file:
        file.write(b"MThd" + bytes([0, 0, 0, 6, 0, 0, 0, 1, 1, 0xE0]))
        file.write(b"MTrk" + len(events).to_bytes(4, "big") + events)
    return path, keys


def dumps():
    """A song that ends with a long SysEx ends when all of it has been sent; notes wait in order."""
    for size, before, after, words, least, most in (
            (5_000, 4, 3, [], 0, 1_000), (20_000, 4, 8, [], 0, 1_500), (20_000, 4, 0, [], 0, 1_500),
            (5_000, 4, 3, ["--sysex-rate", "3125"], 1_000, 60_000)):
        what = f"{size} bytes, {after} notes behind, {words}"
        path, keys = dump_song(size, before, after)
        ears = start("ears", "monitor", "--rtp", "ears", "--json")
        until(is_open, "nobody listens")
        played = run("play", path, "-p", HERE, "--json", *words, limit=200)
        expect(played.returncode == 0, f"{what}: play ended with {played.returncode}: {played.stderr}")
        until(lambda: len(begun("ears")) >= len(keys), f"{what}: notes are missing", 5)
        until(lambda: any(line.get("type") == "sysex" for line in lines("ears")), f"{what}: no SysEx", 5)
        stop(ears)
        heard = lines("ears")
        expect([note[1] for note in begun("ears")] == keys, f"{what}: {begun('ears')}")
        dump = [line for line in heard if line.get("type") == "sysex"]
        expect(len(dump) == 1 and len(dump[0]["bytes"]) == size + 2, f"{what}: {len(dump)} SysEx")
        if dump and after:
            # The note of its own instant comes behind it, the one before it earlier.
            place = heard.index(dump[0])
            expect(len([x for x in heard[:place] if x.get("type") == "note on"]) == before, what)
        delays = [line["milliseconds"] for line in map(json.loads, played.stdout.splitlines())
                  if line.get("event") == "sysex-delay"]
        print(f"{what}: late by {delays} ms")
        expect(all(least <= delay <= most for delay in delays), f"{what}: late by {delays}")
        expect(delays or least == 0, f"{what}: no delay was reported")


    # A command that ends at once when all has been sent.
    path = f"{FOLDER}/dump.syx"
    with open(path, "wb") as file:
        file.write(b"\xf0" + bytes(value % 128 for value in range(5_000)) + b"\xf7")
    for _ in range(3):
        ears = start("ears", "monitor", "--rtp", "ears", "--json")
        until(is_open, "nobody listens")
        sent = run("send", "-p", HERE, "syf", path, "on", "60", "100")
        expect(sent.returncode == 0, f"send ended with {sent.returncode}: {sent.stderr}")
        until(lambda: begun("ears"), "the note behind the SysEx is missing", 5)
        stop(ears)
        expect([len(x["bytes"]) for x in lines("ears") if x["type"] == "sysex"] == [5_002], "no SysEx")


def record_song():
    """What is recorded is what was played, one way: who records invites."""
    path, made = song(300)
    mouth = start("mouth", "play", path, "--rtp", "mouth", "--wait", "--quiet")
    until(is_open, "nobody listens")
    taken = start("taken", "record", "-p", HERE, "-o", f"{FOLDER}/take.mid", "--quiet")
    mouth.wait(LIMIT)
    expect(mouth.returncode == 0, f"play ended with {mouth.returncode}: {said('mouth', 'err')}")
    time.sleep(0.5)
    stop(taken)
    again = run("info", "--json", f"{FOLDER}/take.mid")
    expect(again.returncode == 0, f"no take: {again.stderr} {said('taken', 'err')}")
    if again.returncode == 0:
        text = json.dumps(json.loads(again.stdout))
        expect(f'"noteOns": {len(made)}' in text, f"not {len(made)} notes: {text[:300]}")


def clocks():
    """MIDI clock and time code pass, and a filter between sessions does what it does between ports."""
    ears = start("ears", "monitor", "--rtp", "ears", "--json")
    until(is_open, "nobody listens")
    for words in (["clock", "send", "--bpm", "240"], ["mtc", "send", "--fps", "25"]):
        sent = run(*words, "-p", HERE, "--for", "2s")
        expect(sent.returncode == 0, f"{words} ended with {sent.returncode}: {sent.stderr}")
    time.sleep(0.3)
    text = said("ears")
    stop(ears)
    first = [line["bytes"] for line in map(json.loads, text.splitlines())]
    first = [int(b.split()[0], 16) if isinstance(b, str) else b[0] for b in first]
    print(f"{first.count(0xF8)} clocks, {first.count(0xF1)} quarter frames")
    expect(first.count(0xF8) >= 150, f"{first.count(0xF8)} clocks")
    expect(first.count(0xFA) >= 1, "no start")
    expect(first.count(0xF1) >= 150, f"{first.count(0xF1)} quarter frames")
    watch = start("watch", "clock", "watch", "--rtp", "watch", "--json", "--for", "4s")
    until(is_open, "nobody watches")
    run("clock", "send", "--bpm", "120", "-p", HERE, "--for", "2s")
    watch.wait(LIMIT)
    expect('"tempo":12' in said("watch") or '"tempo":11' in said("watch"), said("watch")[-300:])
    follow = start("follow", "clock", "follow", "--rtp", "follow", "--json")
    until(is_open, "nobody follows")
    run("clock", "send", "--bpm", "120", "-p", HERE, "--for", "2s")
    until(lambda: len(lines("follow")) >= 2, "no beat of a followed clock")
    stop(follow)
    refused = run("clock", "follow", "--rtp", "follow", "--sync", "midi:x")
    expect(refused.returncode == 64, f"a session and a port: {refused.stderr}")


def thru():
    """What comes of one session goes to another, changed."""
    ears = start("ears", "monitor", "--rtp", "ears", "--json")
    until(is_open, "nobody listens")
    mouth = start("mouth", "send", "--rtp", "mouth", "--wait", "wait", "1s", "on", "C4", "100", "wait", "200ms", "off", "C4", "0", "wait", "300ms")
    until(lambda: is_open(5007), "nobody sends")
    between = start("thru", "thru", "--from", "rtp:127.0.0.1:5006", "--to", HERE, "--transpose", "12")
    until(lambda: begun("ears"), "nothing has come")
    expect(begun("ears") == [(0, 72, 100)], f"{begun('ears')}")
    mouth.wait(LIMIT)
    for process in (between, ears):
        stop(process)


def synth():
    """A synth on the network sounds what comes."""
    organ = start("organ", "synth", "--rtp", "organ", "--audio", "null", "-s", FONT, "--json")
    until(is_open, "no synth")
    sent = run("send", "-p", HERE, "on", "C4", "100", "wait", "200ms", "off", "C4", "0")
    expect(sent.returncode == 0, sent.stderr)
    time.sleep(0.5)
    stop(organ)
    documents = lines("organ")
    expect(documents[0].get("port") == "rtp:organ", f"{documents[:1]}")
    expect(documents[-1].get("event") == "end", f"{documents[-1:]}")
    print(documents[-1])


def bad():
    """What is not there, or may not be, is told of."""
    path, _ = song(4)
    for words, status, sentence in (
        (["play", path, "-p", "rtp:127.0.0.1:5998"], 69, "rtp:127.0.0.1:5998"),
        (["play", path, "-p", "rtp:nobody"], 69, "rtp:nobody"),
        (["send", "-p", "rtp:nowhere.invalid:5004", "on", "C4", "1"], 69, "unknown host"),
        (["monitor", "-p", "rtp:127.0.0.1:0"], 69, "rtp:127.0.0.1:0"),
        (["monitor", "--rtp", "a", "-p", "b"], 64, "--rtp: waits for others to join its session"),
        (["monitor", "--rtp", ""], 64, "--rtp"),
        (["monitor", "--rtp-allow", "10.0.0.0/8"], 64, "--rtp"),
        (["monitor", "--rtp", "a", "--rtp-allow", "10.0.0.0/99"], 64, "10.0.0.0/99"),
        (["send", "--rtp", "a", "--virtual", "b", "on", "C4", "1"], 64, "--virtual"),
        (["synth", "--rtp", "a", "--name", "b"], 64, "--name"),
        (["ports", "--network"], 69, "Avahi"),
        (["ports", "--network", "--sources"], 64, "--network"),
    ):
        done = run(*words)
        expect(
            done.returncode == status and sentence in done.stderr,
            f"{words} {done.returncode} {done.stderr}")
        expect(done.stderr.count("\n") <= 4, f"{words} said {done.stderr}")
    ears = start("ears", "monitor", "--rtp", "ears", "--rtp-allow", "10.9.9.9")
    until(is_open, "nobody listens")
    done = run("send", "-p", HERE, "on", "C4", "100")
    expect(done.returncode == 77 and "invitation rejected" in done.stderr, f"{done.returncode} {done.stderr}")
    until(lambda: "(add --rtp-allow" in said("ears", "err"), "nobody is told who was turned away")
    stop(ears)


def datagrams():
    """Broken datagrams change nothing, and a session goes on beside them."""
    ears = start("ears", "monitor", "--rtp", "ears", "--json")
    until(is_open, "nobody listens")
    random.seed(21)
    here = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
    invitation = b"\xff\xffIN" + bytes([0, 0, 0, 2, 1, 2, 3, 4, 5, 6, 7, 8]) + b"x\x1b[2J\0"
    music = bytes.fromhex("8061000300018" + "8f801020304c00690435019" + "485021000100")
    for index in range(20_000):
        octets = bytearray(random.choice((invitation, music, b"\xff\xffCK", random.randbytes(40))))
        for _ in range(random.randrange(1, 6)):
            octets[random.randrange(len(octets))] = random.randrange(256)
        here.sendto(octets[: random.randrange(len(octets) + 1)], ("127.0.0.1", 5004 + index % 2))
        if index % 500 == 0:
            time.sleep(0.01)
    time.sleep(1.5)
    sent = run("send", "-p", HERE, "on", "C4", "100", "wait", "100ms", "off", "C4", "0")
    expect(sent.returncode == 0, sent.stderr)
    until(lambda: begun("ears"), "nothing has come")
    expect(begun("ears") == [(0, 60, 100)], f"{begun('ears')}")
    expect(ears.poll() is None, "the monitor has ended")
    expect("\x1b" not in said("ears", "err"), "a name steers the terminal")
    stop(ears)


def names():
    """A session is announced, found, listed and played to by its name."""
    folder = private_avahi.enter()
    running.append(private_avahi.start_bus(folder))
    until(lambda: os.path.exists(f"{folder}/bus"), "no bus")
    running.append(private_avahi.start_daemon(folder))

    def found():
        listed = run("ports", "--network", "--json")
        return listed.returncode == 0 and "rtp:big organ" in listed.stdout

    ears = start("ears", "monitor", "--rtp", "big organ", "--json")
    until(found, "nobody finds it")
    table = run("ports", "--network")
    expect("rtp:big organ" in table.stdout, table.stdout + table.stderr)
    sent = run("send", "-p", "rtp:big", "on", "C4", "100", "wait", "100ms", "off", "C4", "0")
    expect(sent.returncode == 0, sent.stderr)
    until(lambda: begun("ears"), "nothing has come")
    print(run("ports", "--network", "--json").stdout, end="")
    stop(ears)
    until(lambda: not found(), "it has gone, and is still found")
    missing = run("send", "-p", "rtp:big", "on", "C4", "100")
    expect(missing.returncode == 69, f"{missing.returncode} {missing.stderr}")
    late = start("late", "send", "-p", "rtp:late", "--wait", "on", "C4", "100", "wait", "100ms", "off", "C4", "0")
    time.sleep(1)
    ears = start("ears", "monitor", "--rtp", "late", "--json")
    late.wait(LIMIT)
    until(lambda: begun("ears"), "what was waited for has not come")
    stop(ears)


SCENES = {
    "song": play_song, "dumps": dumps, "record": record_song, "clocks": clocks, "thru": thru, "synth": synth,
    "bad": bad, "datagrams": datagrams, "names": names,
}
try:
    SCENES[sys.argv[1]]()
finally:
    for process in running:
        if process.poll() is None:
            process.kill()
            process.wait()
if faults:
    for name in sorted(os.listdir(FOLDER)):
        if name.endswith(".err"):
            print(f"{name}: {said(name[:-4], 'err')[-600:]}", file=sys.stderr)
sys.exit(1 if faults else 0)
