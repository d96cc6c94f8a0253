# SPDX-License-Identifier: Apache-2.0
"""Leads the command by Open Sound Control with liblo's tools and python-osc, and hears what it tells.

TOOL, SONG, SOUND, FONT and FOLDER are as for lead.py; the argument names what is tried. It runs in a
network of its own.
"""
import json, os, random, re, socket, subprocess, sys, time

TOOL, SONG, FONT, FOLDER = (os.environ[name] for name in ("TOOL", "SONG", "FONT", "FOLDER"))
SOUND = os.environ["SOUND"]
SOCKET, PORT, TOLD = FOLDER + "/player", 9000, 9001
LIMIT = 60
faults = []


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


class Player:
    """A player with an OSC port, asked what it does by its socket."""

    def __init__(self, *words, command=("play", "-s", FONT, SONG)):
        self.process = subprocess.Popen(
            [TOOL, *command, "--audio", "null", "--ipc", SOCKET, "--osc", str(PORT), *words],
            stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)

    def __enter__(self):
        until(lambda: os.path.exists(SOCKET) or self.process.poll() is not None, "no socket")
        self.socket = socket.socket(socket.AF_UNIX)
        self.socket.settimeout(LIMIT)
        self.socket.connect(SOCKET)
        self.file = self.socket.makefile("rb")
        # Its OSC port is open once it answers here.
        self.get("kind")
        return self

    def __exit__(self, *_):
        if self.process.poll() is None:
            self.process.kill()
        self.errors = self.process.communicate()[1]

    def get(self, name):
        self.socket.sendall((json.dumps({"command": ["get", name]}) + "\n").encode())
        while True:
            answer = json.loads(self.file.readline())
            if answer["type"] == "reply":
                return answer.get("data")


def osc(address, *words):
    """Sends a message with liblo's tool: types, then values."""
    subprocess.run(["oscsend", "127.0.0.1", str(PORT), address, *words], check=True)


def near(value, wanted, by=0.01):
    return value is not None and abs(value - wanted) <= by


def message(address, types=",", *values):
    """A message's bytes, by hand."""
    def padded(data):
        return data + bytes(4 - len(data) % 4)
    return padded(address.encode()) + padded(types.encode()) + b"".join(values)


def words():
    with Player() as player:
        until(lambda: player.get("time-pos") > 0.2, "it does not play")
        steps = [
            (("pause",), "pause", True), (("play",), "pause", False), (("toggle",), "pause", True),
            (("pause", "f", "0"), "pause", True), (("toggle", "f", "1"), "pause", False),
            (("toggle", "T"), "pause", True), (("toggle", "F"), "pause", True),
            (("stop",), "state", "stopped"), (("seek", "s", "1:30"), "time-pos", 90),
            (("seek", "f", "60"), "time-pos", 60), (("seek", "s", "+10"), "time-pos", 70),
            (("seek", "i", "-5"), "time-pos", 65), (("locate", "s", "31.1.0"), "time-pos", 45),
            (("bars", "i", "4"), "bar", "35.1.000"), (("bars", "i", "-2"), "bar", "33.1.000"),
            (("marker", "i", "1"), "marker", "Part 3"), (("restart",), "tick", 0),
            (("set", "sf", "time-pos", "33.5"), "time-pos", 33.5),
            (("speed", "s", "80%"), "speed", 0.8), (("faster",), "speed", 0.9),
            (("slower",), "speed", 0.8), (("normal",), "speed", 1), (("speed", "f", "1.5"), "speed", 1.5),
            (("speed", "d", "1"), "speed", 1), (("transpose", "i", "-3"), "transpose", -3),
            (("higher",), "transpose", -2), (("lower",), "transpose", -3),
            (("volume", "s", "-3dB"), "volume", -3), (("volume", "f", "0.5"), "volume", -6),
            (("louder",), "volume", -5), (("softer", "I"), "volume", -6),
            (("mute", "i", "2"), "mute", [1]), (("mute", "iT", "10"), "mute", [1, 9]),
            (("mute", "iF", "2"), "mute", [9]), (("unmute",), "mute", []),
            (("solo", "s", "1-3"), "solo", [0, 1, 2]), (("solo", "ii", "2", "0"), "solo", [0, 2]),
            (("hear-all",), "solo", []), (("loop", "ss", "1:00", "1:10"), "loop-a", 60),
            (("no-loop",), "loop-a", None), (("loop-song",), "loop-b", 180),
            (("set", "ss", "repeat", "list"), "repeat", "list"),
            (("{louder,higher}",), "transpose", -2), (("volume", "f", "1"), "volume", 0),
            (("no-loop",), "loop-b", None), (("play",), "pause", False),
            (("tempo", "d", "97.5"), "tempo", 97.5), (("normal",), "tempo", 120),
            (("tap",), "pause", False), (("panic",), "pause", False),
            (("set", "sT", "pause"), "pause", True),
        ]
        expect(len(steps) >= 40, "fewer than 40 messages")
        for (name, *rest), key, wanted in steps:
            osc("/downbeat/" + name, *rest)

            def holds():
                value = player.get(key)
                return near(value, wanted) if isinstance(wanted, (int, float)) and not isinstance(
                    wanted, bool) else value == wanted
            until(holds, f"{name} {rest}: {key} is not {wanted}", 10)
        osc("/downbeat/quit")
        expect(player.process.wait(LIMIT) == 0, "quit")


def answers():
    with Player() as player:
        own = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
        own.settimeout(LIMIT)
        own.connect(("127.0.0.1", PORT))
        own.send(message("/downbeat/get", ",s", b"kind\0\0\0\0"))
        expect(own.recv(9999) == message("/property", ",ss", b"kind\0\0\0\0", b"song\0\0\0\0"), "get")
        for bad, words in [
            (message("/downbeat/muet"), b"did you mean /downbeat/mute?"),
            (message("/downbeat/seek", ",s", b"nowhere\0"), b"nowhere"),
            (message("/downbeat/mute", ",i", (17).to_bytes(4, "big")), b"17"),
            (message("/downbeat/mute", ",[i]", (1).to_bytes(4, "big")), b"type '['"),
            (b"#bundle\0" + bytes(7) + b"\1" + b"\0\0\1\0", b"invalid size 256"),
            (b"nonsense", b"an address must begin with"), (b"/downbeat/[a\0\0\0\0,\0\0\0", b"brackets"),
            (bytes(9000), b"longer than 8192 bytes"),
        ]:
            own.send(bad)
            answer = own.recv(9999)
            expect(answer.startswith(b"/error") and words in answer, f"{bad[:40]}: {answer}")
        own.send(message("/downbeat/status"))
        expect(own.recv(65535).startswith(b"#bundle\0"), "status")
        # What is foreign has no answer: the next one is to the question after it.
        own.send(message("/error", ",s", b"loop\0\0\0\0"))
        own.send(message("/downbeat/get", ",s", b"pause\0\0\0"))
        expect(own.recv(9999) == message("/property", ",sF", b"pause\0\0\0"), "foreign")
        # Noise, and more than may come in a second.
        chance = random.Random(1)
        for _ in range(3000):
            own.send(bytes(chance.randrange(256) for _ in range(chance.randrange(64))) or b"x")
        try:
            own.settimeout(1)
            while True:
                own.recv(65535)
        except OSError:
            own.settimeout(LIMIT)

        def answered():
            own.send(message("/downbeat/get", ",s", b"volume\0\0"))
            try:
                own.settimeout(1)
                return own.recv(65535).startswith(b"/property")
            except OSError:
                return False
        until(answered, "it answers no more")
        second = subprocess.run(
            [TOOL, "play", "-s", FONT, SONG, "--audio", "null", "--osc", str(PORT)],
            capture_output=True, text=True, timeout=LIMIT)
        expect(second.returncode == 69 and f"127.0.0.1:{PORT}: in use" in second.stderr, second.stderr)
    expect("too fast" in player.errors and "begin with /downbeat/" in player.errors, player.errors)


def bursts():
    """What comes with /next waits for the next song, which begins at once."""
    def bundle(*messages):
        return b"#bundle\0" + bytes(7) + b"\1" + b"".join(
            len(data).to_bytes(4, "big") + data for data in messages)
    moves = [message("/downbeat/next"), message("/downbeat/previous"), message("/downbeat/restart"),
             message("/downbeat/go", ",i", (1).to_bytes(4, "big"))]
    with Player(command=("play", "-s", FONT, SONG, SONG, SONG)) as player:
        until(lambda: player.get("time-pos") is not None, "it does not play")
        own = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
        own.connect(("127.0.0.1", PORT))
        own.send(bundle(message("/downbeat/next"), message("/downbeat/volume", ",s", b"-5dB\0\0\0\0")))
        until(lambda: player.get("playlist-pos") == 1 and player.get("volume") == -5, "next, -5 dB")
        own.send(message("/downbeat/next"))
        own.send(message("/downbeat/volume", ",s", b"-7dB\0\0\0\0"))
        until(lambda: player.get("playlist-pos") == 2 and player.get("volume") == -7, "next, -7 dB")
        own.send(bundle(message("/downbeat/previous"), *moves[1:], message("/downbeat/pause")))
        until(lambda: player.get("pause") is True, "pause")
        expect(player.process.poll() is None, "it has ended")


def times():
    """Bundles of python-osc 200 ms ahead: the tag of /start says when the song began."""
    from pythonosc import osc_bundle, osc_bundle_builder, osc_message_builder
    with Player("--osc-out", f"127.0.0.1:{TOLD}") as player:
        told = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
        told.bind(("127.0.0.1", TOLD))
        own = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
        until(lambda: player.get("time-pos") > 0.1, "it does not play")
        errors = []
        for _ in range(7):
            osc("/downbeat/stop")
            until(lambda: player.get("state") == "stopped", "stop")
            told.setblocking(False)
            try:
                while True:
                    told.recv(65535)
            except OSError:
                told.settimeout(LIMIT)
            tag = time.time() + 0.2
            builder = osc_bundle_builder.OscBundleBuilder(tag)
            builder.add_content(osc_message_builder.OscMessageBuilder("/downbeat/play").build())
            own.sendto(builder.build().dgram, ("127.0.0.1", PORT))
            while True:
                bundle = osc_bundle.OscBundle(told.recv(65535))
                content = list(bundle)[0]
                if content.address == "/start":
                    break
            errors.append(1e3 * (bundle.timestamp - tag))
        print("milliseconds off:", " ".join(f"{error:.4f}" for error in errors))
        exact = sum(abs(error) <= 0.2 for error in errors)
        # A machine that stands still for as long as that may miss some.
        expect(exact >= 4, f"within 0.2 ms: {exact} of {errors}")
        osc("/downbeat/play")
        late = osc_bundle_builder.OscBundleBuilder(time.time() - 1)
        late.add_content(osc_message_builder.OscMessageBuilder("/downbeat/pause").build())
        own.sendto(late.build().dgram, ("127.0.0.1", PORT))
        until(lambda: player.get("pause") is True, "a late bundle")
    expect("ms late and was executed at once" in player.errors, player.errors)


def told():
    """What liblo's tool hears."""
    dump = subprocess.Popen(["stdbuf", "-oL", "oscdump", str(TOLD)], stdout=subprocess.PIPE, text=True)
    time.sleep(0.3)
    lines = []

    def hear(pattern, limit=LIMIT):
        end = time.monotonic() + limit
        while time.monotonic() < end:
            line = dump.stdout.readline()
            lines.append(line)
            match = re.search(pattern, line)
            if match:
                return match
        expect(False, f"no {pattern}: {lines}")

    try:
        with Player("--osc-out", f"127.0.0.1:{TOLD}") as player:
            hear(r'/song ss "Long Song" "' + re.escape(SONG))
            hear(r"/start dii 0\.0+ 1 1")
            for bar, beat in [(1, 1), (1, 2), (1, 3), (2, 1)]:
                hear(rf"/clock iid {bar} {beat} 120\.0")
            osc("/downbeat/seek", "s", "11.1.0")
            hear(r"/locate dii 15\.0+ 11 1")
            hear(r"/clock iid 11 2 120\.0")
            osc("/downbeat/speed", "f", "1.5")
            hear(r"/clock iid \d+ \d 180\.0")
            osc("/downbeat/stop")
            hear(r"/stop dii \d+\.\d+ \d+ \d")
    finally:
        dump.kill()


def others():
    """A sound, and a clock that others follow."""
    with Player(command=("sound", "play", SOUND)) as player:
        osc("/downbeat/pause")
        until(lambda: player.get("pause") is True, "a sound pauses")
        osc("/downbeat/seek", "f", "12.5")
        until(lambda: near(player.get("time-pos"), 12.5), "a sound goes elsewhere")
        osc("/downbeat/quit")
        expect(player.process.wait(LIMIT) == 0, "quit")
    clock = subprocess.Popen(
        [TOOL, "clock", "serve", "studio", "--stopped", "--osc", str(PORT), "--json",
         "--osc-out", f"127.0.0.1:{TOLD}"], stdout=subprocess.PIPE, text=True)
    events = []

    def event(name):
        for line in clock.stdout:
            events.append(json.loads(line))
            if events[-1].get("event") == name:
                return events[-1]
        expect(False, f"no {name}: {events}")
        return {}

    try:
        event("begin")
        osc("/downbeat/tempo", "d", "90.5")
        expect(near(float(event("tempo")["tempo"]), 90.5), "tempo")
        own = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
        tag = time.time() + 1
        fixed = round((tag + 2208988800) * 2**32)
        play = message("/downbeat/play")
        wall, host = time.time_ns(), time.monotonic_ns()
        own.sendto(b"#bundle\0" + fixed.to_bytes(8, "big") + len(play).to_bytes(4, "big") + play,
                   ("127.0.0.1", PORT))
        off = event("start")["host"] - (tag * 1e9 - wall + host)
        expect(abs(off) < 0.2e6, f"a clock starts {off} ns off")
        osc("/downbeat/seek", "s", "17.1.0")
        event("locate")
        osc("/downbeat/pause")
        event("stop")
        osc("/downbeat/mute", "i", "1")
        osc("/downbeat/quit")
        expect(clock.wait(LIMIT) == 0, "quit")
    finally:
        clock.kill()


os.environ["XDG_RUNTIME_DIR"] = FOLDER
{name: globals()[name] for name in ("words", "answers", "bursts", "times", "told", "others")}[sys.argv[1]]()
sys.exit(1 if faults else 0)
