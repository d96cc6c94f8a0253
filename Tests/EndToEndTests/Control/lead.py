# SPDX-License-Identifier: Apache-2.0
"""Leads the command by its socket as another program would; says what is not as it should be.

TOOL, SONG and FONT are paths, FOLDER is one of our own; the argument names what is tried. What
passes over the socket is printed, to be held to its schema.
"""
import http.server, json, os, random, resource, signal, socket, stat, subprocess, sys, threading, time

TOOL, SONG, FONT, FOLDER = (os.environ[name] for name in ("TOOL", "SONG", "FONT", "FOLDER"))
SOUND = os.environ["SOUND"]
SOCKET = FOLDER + "/player"
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
            return
        time.sleep(0.02)
    expect(False, what)


class Player:
    def __init__(self, *words, song=SONG, path=SOCKET, audio=("--audio", "null"),
                 command=("play", "-s", FONT)):
        songs = [song] if isinstance(song, str) else song
        self.process = subprocess.Popen(
            [TOOL, *command, *songs, *audio, "--ipc", path, *words],
            stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
        self.path = path

    def __enter__(self):
        until(lambda: os.path.exists(self.path) or self.process.poll() is not None, "no socket")
        return self

    def __exit__(self, *_):
        if self.process.poll() is None:
            self.process.kill()
        self.errors = self.process.communicate()[1]

    def end(self, number=None):
        """Waits for the end, after a signal; what subprocess says of it."""
        if number:
            self.process.send_signal(number)
        try:
            status = self.process.wait(LIMIT)
        except subprocess.TimeoutExpired:
            expect(False, f"it does not end by {number}")
            self.process.kill()
            status = self.process.wait()
        expect(not os.path.exists(self.path), f"the socket is left behind after {number}")
        return status


class Client:
    def __init__(self, path=SOCKET):
        self.socket = socket.socket(socket.AF_UNIX)
        self.socket.settimeout(LIMIT)
        until(lambda: self.connects(path), "no connection")
        self.file = self.socket.makefile("rb")
        self.events = []
        self.number = 0

    def connects(self, path):
        try:
            self.socket.connect(path)
            return True
        except BlockingIOError:
            return False

    def line(self):
        line = self.file.readline()
        if line:
            print(line.decode(), end="")
        return json.loads(line) if line else None

    def send(self, text):
        self.socket.sendall(text if isinstance(text, bytes) else text.encode())

    def ask(self, *command):
        """The whole answer to a command."""
        self.number += 1
        self.send(json.dumps({"command": command, "request_id": self.number}) + "\n")
        return self.answer(self.number)

    def answer(self, number):
        while True:
            message = self.line()
            if message is None:
                expect(False, "the player hangs up")
                return {"error": "gone"}
            if message["type"] == "event":
                self.events.append(message)
            elif message["request_id"] == number:
                return message

    def do(self, *command):
        print(json.dumps({"command": command, "request_id": self.number}))
        answer = self.ask(*command)
        expect(answer["error"] == "success", f"{command}: {answer}")

    def refuse(self, words, *command):
        answer = self.ask(*command)
        expect(words in answer["error"], f"{command}: {answer}")

    def get(self, name):
        answer = self.ask("get_property", name)
        expect(answer["error"] == "success", f"{name}: {answer}")
        return answer.get("data")

    def event(self, name, limit=LIMIT):
        """The next event of a name."""
        end = time.monotonic() + limit
        while time.monotonic() < end:
            while self.events:
                event = self.events.pop(0)
                if event["event"] == name:
                    return event
            message = self.line()
            if message is None:
                break
            self.events.append(message)
        expect(False, f"no event {name}")
        return {}


def near(value, wanted, by=0.4):
    return value is not None and abs(value - wanted) <= by


def commands():
    with Player() as player:
        client = Client()
        expect(stat.S_IMODE(os.stat(SOCKET).st_mode) == 0o600, "the socket's mode")
        until(lambda: client.get("time-pos") > 0.2, "it does not play")
        client.do("pause")
        expect(client.get("pause") is True and client.get("state") == "paused", "pause")
        client.do("pause")
        client.do("play")
        expect(client.get("pause") is False, "play")
        client.do("toggle")
        expect(client.get("pause") is True, "toggle")
        places = [
            (("1:30",), 90), ((60,), 60), (("+10",), 70), (("-5s",), 65), (("31.1.0",), 45),
            (("bar", "21"), 30), (("45", "s"), 45),
            (("50%",), 90), (("@Part 3",), 90), (("10", "relative"), 100), (("-3|0|0",), 95.5),
            (("5", "absolute"), 5), (("-99",), 0), (("9:00:00",), 180), (("0",), 0),
        ]
        for words, place in places:
            client.do("seek", *words)
            expect(near(client.get("time-pos"), place, 0.01), f"{words}: {client.get('time-pos')}")
        for words, reason in [
            (("nonsense",), "time 'nonsense'"), (("1:30", "around"), "neither absolute"),
            ((), "wrong number of arguments: 0"), (("@nowhere",), "nowhere"), ((None,), "a string or a number"),
            (("1", "relative", "x"), "wrong number of arguments: 3"),
        ]:
            client.refuse(reason, "seek", *words)
        client.do("bars", 4)
        expect(client.get("bar") == "5.1.000", f"bars: {client.get('bar')}")
        client.do("bars", "-2")
        expect(client.get("bar") == "3.1.000", "bars back")
        client.do("marker", 1)
        expect(client.get("marker") == "Part 2", "marker")
        expect([m["name"] for m in client.get("markers")][-1] == "Part 4", "markers")
        client.do("restart")
        expect(client.get("tick") == 0, "restart")
        client.do("set_property", "time-pos", 33.5)
        expect(near(client.get("time-pos"), 33.5, 0.01), "time-pos set")
        client.do("set_property", "percent-pos", 25)
        expect(near(client.get("percent-pos"), 25, 0.01), "percent-pos set")
        expect(near(client.get("duration"), 180, 0.01), "duration")
        expect(near(client.get("time-remaining"), 135, 0.01), "time-remaining")
        client.do("speed", "80%")
        expect(client.get("speed") == 0.8, "speed")
        expect(near(client.get("tempo"), 96, 0.01), f"tempo {client.get('tempo')}")
        client.do("play")
        client.do("tempo", "150")
        until(lambda: near(client.get("tempo"), 150, 0.01), "a tempo")
        expect(near(client.get("speed"), 1.25, 0.001), f"speed of a tempo {client.get('speed')}")
        client.do("pause")
        expect(near(client.get("tempo"), 150, 0.01), "a tempo stays during a pause")
        client.do("tempo", "90")
        expect(near(client.get("tempo"), 90, 0.01), "a tempo during a pause")
        expect(near(client.get("speed"), 0.75, 0.001), "its speed")
        client.do("play")
        until(lambda: not client.get("pause"), "playing again")
        until(lambda: near(client.get("tempo"), 90, 0.01), "the tempo after the pause")
        expect(near(client.get("speed"), 0.75, 0.001), "its speed")
        client.do("pause")
        client.do("seek", "45")
        client.do("normal")
        client.do("speed", "80%")
        client.do("faster")
        expect(near(client.get("speed"), 0.9, 0.001), "faster")
        client.do("slower")
        client.do("normal")
        expect(client.get("speed") == 1, "normal")
        client.do("set_property", "speed", 1.5)
        expect(client.get("speed") == 1.5, "speed set")
        client.refuse("not a speed in 0.1…8", "speed", 9)
        client.refuse("not a speed in 0.1…8", "speed", -1)
        client.refuse("not a factor", "speed", "1e400")
        client.do("transpose", -3)
        expect(client.get("transpose") == -3, "transpose")
        client.do("higher")
        client.do("lower")
        client.do("lower")
        expect(client.get("transpose") == -4, "lower")
        client.refuse("-48…48", "transpose", 49)
        client.do("volume", "-3dB")
        expect(client.get("volume") == -3, "volume")
        client.do("volume", "50%")
        expect(client.get("volume") == -6, "volume as a factor")
        client.do("set_property", "volume", -1.5)
        expect(client.get("volume") == -1.5, "volume set")
        client.do("louder")
        client.do("softer")
        client.do("volume", "0")
        expect(client.get("volume") == 0, "0 dB is normal")
        client.do("volume", "-6")
        expect(client.get("volume") == -6, "decibels without a unit")
        client.do("volume", "0%")
        expect(client.get("volume") == -60, "silence")
        client.refuse("−60…12", "volume", 13)
        client.do("mute", "2,10")
        expect(client.get("mute") == [1, 9], "mute")
        client.do("unmute", 1)
        expect(client.get("mute") == [9], "unmute")
        client.do("set_property", "mute", [])
        expect(client.get("mute") == [], "mute set")
        client.do("solo", [0])
        expect(client.get("solo") == [0], "solo")
        client.do("unsolo")
        client.do("solo", "1-3")
        client.do("hear-all")
        expect(client.get("solo") == [], "hear-all")
        for bad in (256, -1, "0", "-", "", "x", [999], {}, None, [[]]):
            expect(client.ask("mute", bad)["error"] != "success", f"mute {bad}")
        client.do("loop", "1:00", "1:10")
        expect((client.get("loop-a"), client.get("loop-b")) == (60, 70), "loop")
        client.refuse("B must be after A", "loop", "1:00", "1:00")
        client.do("no-loop")
        expect(client.get("loop-a") is None, "no-loop")
        client.do("loop-song")
        expect(near(client.get("loop-b"), 180, 0.01), "loop-song")
        client.do("no-loop")
        client.do("panic")
        client.do("play")
        client.do("tap")
        client.do("stop")
        expect(client.get("state") == "stopped" and client.get("tick") == 0, "stop")
        client.do("toggle")
        expect(client.get("state") == "playing", "toggle after stop")
        status = client.ask("status")["data"]
        expect(status["path"] == SONG and status["pid"] == player.process.pid, f"{status}")
        expect([(s["path"], s["current"]) for s in client.ask("list")["data"]] == [(SONG, True)],
               "list")
        client.refuse("did you mean volume?", "volumen")
        client.refuse("did you mean time-pos?", "get_property", "timepos")
        client.refuse("cannot be set", "set_property", "duration", 1)
        client.refuse("yes or no", "set_property", "pause", 3)
        client.refuse("not in the list, which has 1 file", "go", 2)
        client.do("quit")
        expect(player.end() == 0, "quit")


def observed():
    with Player(song=[SONG, SONG]) as player:
        client = Client()
        client.do("observe_property", 7, "pause")
        change = client.event("property-change")
        expect((change["id"], change["name"], change["data"]) == (7, "pause", False), f"{change}")
        other = Client()
        other.do("pause")
        expect(client.event("pause"), "pause")
        expect(client.event("property-change")["data"] is True, "pause observed")
        other.do("seek", 30)
        expect(near(client.event("seek")["time-pos"], 30, 0.01), "seek")
        other.do("play")
        client.event("unpause")
        client.do("unobserve_property", 7)
        client.events.clear()
        client.do("observe_property", 8, "time-pos")
        times = [client.event("property-change")["data"] for _ in range(5)]
        expect(times == sorted(set(times)) and times[0] >= 30, f"{times}")
        client.do("unobserve_property", 8)
        client.events.clear()
        client.do("observe", 9, "playlist-pos")
        expect(client.event("property-change")["data"] == 0, "the first")
        other.do("next")
        end = client.event("end-file")
        expect((end["reason"], end["playlist-pos"]) == ("stop", 0), f"{end}")
        expect(client.event("start-file")["playlist-pos"] == 1, "the second")
        expect(client.event("property-change")["data"] == 1, "its number")
        other.do("previous")
        expect(client.event("start-file")["playlist-pos"] == 0, "the first again")
        other.do("set_property", "playlist-pos", 1)
        expect(client.event("start-file")["playlist-pos"] == 1, "the second again")
        for number in range(64):
            client.do("observe", 100 + number, "pause") if number < 63 else None
        client.refuse("too many observed properties", "observe", 999, "pause")
        other.do("seek", "100%")
        expect(client.event("end-file")["reason"] == "eof", "the end")
        client.event("shutdown")
        expect(player.end() == 0, "the end")


def sounds():
    with Player(song=[SOUND, SOUND], command=("sound", "play")) as player:
        client = Client()
        until(lambda: client.get("time-pos") > 0.1, "it does not play")
        expect(client.get("kind") == "sound" and client.get("duration") == 20, "what it is")
        until(lambda: near(client.get("level")[0], -18.06, 0.1), f"level {client.get('level')}")
        client.do("pause")
        expect((client.get("pause"), client.get("state")) == (True, "paused"), "pause")
        for word, place in [("12.5", 12.5), ("50%", 10), ("+2", 12), ("8000smp", 1), ("3.1.0", 4),
                            ("-99", 0), ("9:00", 20), ("0", 0)]:
            client.do("seek", word)
            expect(near(client.get("time-pos"), place, 0.01), f"{word}: {client.get('time-pos')}")
        client.refuse("time 'nonsense'", "seek", "nonsense")
        client.do("set_property", "time-pos", 3)
        client.do("play")
        until(lambda: client.get("time-pos") > 3.3, "it does not go on")
        client.do("loop", 5, 5.5)
        for _ in range(20):
            expect(5 <= client.get("time-pos") <= 5.6, f"loop: {client.get('time-pos')}")
            time.sleep(0.05)
        expect((client.get("loop-a"), client.get("loop-b")) == (5, 5.5), "loop")
        client.refuse("B must be after A", "loop", 5, 5)
        expect(client.get("loop-a") is None, "a loop that is none")
        client.do("loop-song")
        expect((client.get("loop-a"), client.get("loop-b")) == (0, 20), "loop-song")
        client.do("no-loop")
        client.do("volume", "-6dB")
        expect(client.get("volume") == -6, "volume")
        until(lambda: near(client.get("level")[0], -24.06, 0.1), f"level {client.get('level')}")
        client.do("louder")
        client.do("softer")
        client.do("speed", "200%")
        expect(client.get("speed") == 2, "speed")
        client.do("faster")
        client.do("slower")
        client.do("normal")
        expect(client.get("speed") == 1, "normal")
        for words in [("transpose", 2), ("mute", 1), ("panic",), ("tap",), ("bars", 1),
                      ("program", 1, 1), ("set", "repeat", "one")]:
            answer = client.ask(*words)["error"]
            expect("not available for a sound (available: play, pause, " in answer, answer)
        other = Client()
        other.do("next")
        end = client.event("end-file")
        expect((end["reason"], end["playlist-pos"]) == ("stop", 0), f"{end}")
        expect(client.event("start-file")["playlist-pos"] == 1, "next")
        other.do("previous")
        other.do("previous")
        expect(client.event("start-file")["playlist-pos"] == 0, "previous")
        other.do("go", 2)
        expect(client.get("playlist-pos") == 1, "go")
        client.refuse("not in the list, which has 2 files", "go", 3)
        client.do("set", "playlist-pos", 0)
        client.do("restart")
        client.do("seek", "99%")
        while client.event("end-file")["reason"] != "eof":
            pass
        expect(client.get("playlist-pos") == 1, "the second by itself")
        player.process.send_signal(signal.SIGUSR1)
        client.event("pause")
        client.do("toggle")
        client.do("stop")
        expect(client.get("state") == "stopped" and client.get("time-pos") == 0, "stop")
        expect([one["current"] for one in client.ask("list")["data"]] == [False, True], "list")
        expect(client.ask("status")["data"]["playlist-count"] == 2, "status")
        player.process.send_signal(signal.SIGUSR2)
        while client.event("end-file")["reason"] != "quit":
            pass
        client.event("shutdown")
        expect(player.end() == 0, "USR2 at the last file")
    for number in (signal.SIGTERM, signal.SIGINT):
        with Player(song=SOUND, command=("sound", "play")) as player:
            client = Client()
            until(lambda: client.get("time-pos") > 0.1, "it does not play")
            expect(player.end(number) == -number, f"{number}")
            client.event("shutdown")
    with Player("--together", song=[SOUND, SOUND], command=("sound", "play")) as player:
        expect(player.end() == 64, "sounds at once")


class Station(http.server.BaseHTTPRequestHandler):
    """A file of MP3 with parts and without, and a station of the same, which never ends."""
    protocol_version = "HTTP/1.1"
    asked = []

    def do_GET(self):
        start = self.headers.get("Range", "bytes=0-")[6:].rstrip("-")
        Station.asked.append((self.path, int(start)))
        if self.path == "/live":
            self.send_response(200)
            self.send_header("icy-name", "Test FM")
            self.send_header("Content-Type", "audio/mpeg")
            self.end_headers()
            try:
                while True:
                    self.wfile.write(MP3)
            except OSError:
                self.close_connection = True
            return
        whole = MP3[int(start):]
        self.send_response(206)
        self.send_header("Content-Type", "audio/mpeg")
        self.send_header("ETag", '"1"')
        self.send_header("Content-Range", f"bytes {start}-{len(MP3) - 1}/{len(MP3)}")
        self.send_header("Content-Length", str(len(whole)))
        self.end_headers()
        try:
            self.wfile.write(whole)
        except OSError:
            self.close_connection = True

    def log_message(self, *_):
        pass


def streams():
    global MP3
    made = subprocess.run(
        ["ffmpeg", "-v", "error", "-f", "lavfi", "-i", "sine=f=441:r=44100:d=60", "-af", "volume=8",
         "-c:a", "libmp3lame", "-b:a", "64k", "-f", "mp3", "-"], capture_output=True, timeout=LIMIT)
    MP3 = made.stdout
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Station)
    server.daemon_threads = True
    # A player hangs up when it goes elsewhere.
    server.handle_error = lambda *_: None
    threading.Thread(target=server.serve_forever, daemon=True).start()
    os.environ["no_proxy"] = "*"
    host = f"http://127.0.0.1:{server.server_address[1]}"
    with Player(song=[host + "/a.mp3", host + "/live", SOUND], command=("sound", "play")) as player:
        client = Client()
        until(lambda: client.get("time-pos") > 0.1, "it does not play")
        expect(client.get("kind") == "sound" and client.get("path") == host + "/a.mp3", "what it is")
        expect(near(client.get("duration"), 60, 0.2), f"length {client.get('duration')}")
        until(lambda: client.get("level")[0] > -20, "level")
        client.do("pause")
        expect((client.get("pause"), client.get("state")) == (True, "paused"), "pause")
        time.sleep(0.1)
        place = client.get("time-pos")
        time.sleep(0.3)
        expect(client.get("time-pos") == place, "it goes on while it is paused")
        client.do("seek", "50%")
        expect(near(client.get("time-pos"), 30, 0.1), f"seek: {client.get('time-pos')}")
        client.do("play")
        until(lambda: client.get("time-pos") > 30.3, "it does not go on")
        expect(client.get("time-pos") < 40, f"place: {client.get('time-pos')}")
        expect(any(path == "/a.mp3" and start > 200_000 for path, start in Station.asked),
               f"no part was asked for: {Station.asked}")
        client.do("set_property", "time-pos", 3)
        until(lambda: 3.1 < client.get("time-pos") < 10, "time-pos set")
        client.do("volume", "-6dB")
        expect(client.get("volume") == -6, "volume")
        answer = client.ask("speed", "200%")["error"]
        expect("not available for a sound (available: play, pause, " in answer, answer)
        client.do("next")
        until(lambda: client.get("title") == "Test FM", "the station's name")
        until(lambda: client.get("time-pos") > 0.3, "it does not play")
        expect(client.get("playlist-pos") == 1 and client.get("duration") is None, "the station")
        client.refuse("cannot seek in a live stream", "seek", "10")
        end = client.event("end-file")
        expect((end["reason"], end["playlist-pos"]) == ("stop", 0), f"{end}")
        before = sum(path == "/live" for path, _ in Station.asked)
        client.do("restart")
        until(lambda: sum(path == "/live" for path, _ in Station.asked) == before + 1, "joined anew")
        client.do("go", 3)
        until(lambda: client.get("time-pos") > 0.1, "the file")
        expect(client.get("duration") == 20 and client.get("path") == SOUND, "the file")
        client.do("seek", "19.5")
        expect(player.end() == 0, "the end")
    with Player(song=host + "/live", command=("sound", "play")) as player:
        client = Client()
        until(lambda: client.get("time-pos") > 0.1, "it does not play")
        player.process.send_signal(signal.SIGUSR1)
        client.event("pause")
        client.do("toggle")
        client.do("next")
        while client.event("end-file")["reason"] != "quit":
            pass
        client.event("shutdown")
        expect(player.end() == 0, "next at the last")
    expect(player.errors.count("\n") == 1, player.errors)


def hostile():
    with Player() as player:
        good = Client()
        until(lambda: good.get("time-pos") > 0.1, "it does not play")
        # Garbage is answered, each line by itself.
        chance = random.Random(7)
        rubbish = Client()
        lines = [b"", b"[]", b"{}", b"\xff\xfe", b'{"command":"pause"}', b'{"command":[]}',
                 b'{"command":["seek","\xff"]}', b'{"command":[1]}', b"[" * 9000,
                 b'{"command":["get_property","pause"],"request_id":"x"}', b'\x00\x00',
                 b'{"command":["get_property","pause"],"request_id":99999999999999999999}']
        lines += [bytes(chance.randrange(256) for _ in range(200)).replace(b"\n", b"") or b"x"
                  for _ in range(200)]
        rubbish.send(b"\n".join(lines) + b"\n")
        rubbish.do("get", "pause")
        # A line without an end is refused, and its sender let go.
        endless = Client()
        sent = 0
        try:
            while sent < 1 << 30:
                sent += endless.socket.send(b"x" * 65536)
        except OSError:
            pass
        expect(sent < 1 << 24, f"{sent} bytes of a line were taken")
        # Many that never read, and ask and observe all the time.
        deaf = []
        for _ in range(8):
            one = Client()
            deaf.append(one)
            one.socket.setblocking(False)
            for number in range(64):
                one.send(json.dumps({"command": ["observe", number, "time-pos"]}) + "\n")
            try:
                while True:
                    one.send(b'{"command":["status"]}\n' * 100)
            except OSError:
                pass
        # Some that vanish in the middle of a line, and some that shut one way only.
        for _ in range(200):
            one = Client()
            one.send(b'{"command":["get_prop')
            one.socket.close()
        half = Client()
        half.send(b'{"command":["get","pid"],"request_id":5}\n')
        half.socket.shutdown(socket.SHUT_WR)
        expect(half.answer(5)["data"] == player.process.pid, "half a connection")
        expect(half.line() is None, "it is let go")
        # More than are let in: the others are told so.
        crowd = []
        for _ in range(40):
            one = socket.socket(socket.AF_UNIX)
            one.setblocking(False)
            try:
                one.connect(SOCKET)
            except OSError:
                pass
            crowd.append(one)

        def keeps_pace():
            # On a busy machine this program may be held up between two looks.
            before, clock = good.get("time-pos"), time.monotonic()
            time.sleep(1)
            after, clock = good.get("time-pos"), time.monotonic() - clock
            return near(after - before, clock, 0.5)

        until(keeps_pace, "it does not play on at its pace")
        with open(f"/proc/{player.process.pid}/status") as status:
            kilobytes = int(next(l for l in status if l.startswith("VmRSS")).split()[1])
        expect(kilobytes < 400_000, f"it has grown to {kilobytes} kB")
        for one in crowd:
            one.close()
        late = Client()
        late.do("quit")
        expect(player.end() == 0, "quit")


def full():
    """32 clients that say nothing: the next is told why it is refused."""
    with Player() as player:
        idle = [Client() for _ in range(32)]
        idle[0].get("time-pos")
        run = subprocess.run(
            [TOOL, "ctl", "--socket", SOCKET, "pause"], capture_output=True, text=True, timeout=LIMIT)
        expect(run.returncode == 1 and "too many connected programs, 32" in run.stderr, run)
        idle.pop().socket.close()

        def serves():
            return subprocess.run([TOOL, "ctl", "--socket", SOCKET, "pause"], timeout=LIMIT,
                                  stderr=subprocess.DEVNULL).returncode == 0
        until(serves, "it serves no more")
        idle[0].do("quit")
        expect(player.end() == 0, "quit")


def spent():
    """A player without a free descriptor rests, and accepts its clients once it has one."""
    with Player() as player:
        one = Client()
        until(lambda: one.get("time-pos") > 0.1, "it does not play")
        number = player.process.pid
        taken = set(map(int, os.listdir(f"/proc/{number}/fd")))
        free = next(place for place in range(1 << 20) if place not in taken)
        before = resource.prlimit(number, resource.RLIMIT_NOFILE)
        resource.prlimit(number, resource.RLIMIT_NOFILE, (free, before[1]))
        other = socket.socket(socket.AF_UNIX)
        other.settimeout(LIMIT)
        other.connect(SOCKET)
        other.sendall(b'{"command":["get","kind"]}\n')


        # A thread that finds the socket readable all the time never sleeps.
        def seconds():
            with open(f"/proc/{number}/task/{number}/stat") as stat:
                ticks = stat.read().rsplit(")", 1)[1].split()[11:13]
            return sum(map(int, ticks)) / os.sysconf("SC_CLK_TCK")
        used, clock, place = seconds(), time.monotonic(), one.get("time-pos")
        time.sleep(2)
        used, clock = seconds() - used, time.monotonic() - clock
        expect(one.get("time-pos") > place, "it stands")
        expect(used < 0.06 * clock, f"{used} s of {clock} s used")
        resource.prlimit(number, resource.RLIMIT_NOFILE, before)
        expect(b'"song"' in other.recv(9999), "no answer once there is room")
        one.do("quit")
        expect(player.end() == 0, "quit")


def places():
    with Player() as player:
        Client().do("pause")
        second = subprocess.run(
            [TOOL, "play", SONG, "-s", FONT, "--audio", "null", "--ipc", SOCKET],
            capture_output=True, text=True, stdin=subprocess.DEVNULL, timeout=LIMIT)
        expect(second.returncode == 73, f"a second player: {second.returncode}")
        expect(SOCKET in second.stderr and f"process {player.process.pid}" in second.stderr,
               second.stderr)
        expect(Client().get("pid") == player.process.pid, "the first is still there")
        player.process.kill()
        player.process.wait()
    expect(os.path.exists(SOCKET), "KILL leaves the socket")
    with Player() as player:
        until(lambda: answers(), "no new socket")
        Client().do("quit")
        player.end()
    expect("replaced an unused socket" in player.errors, player.errors)
    # What is no socket is refused, and stays; so does a link to one.
    file = FOLDER + "/file"
    with open(file, "w") as text:
        text.write("kept")
    os.symlink(SOCKET, FOLDER + "/link")
    os.mkdir(FOLDER + "/open", 0o777)
    os.chmod(FOLDER + "/open", 0o777)
    long = FOLDER + "/" + "d" * 120
    os.mkdir(long, 0o700)
    for path, status, words in [
        (file, 73, "is not your socket"), (FOLDER + "/link", 73, "is not your socket"),
        (FOLDER + "/none/x", 73, "no such file"), (FOLDER + "/open/x", 77, "other users can write"),
        (FOLDER + "/" + "x" * 200, 64, "80 bytes"), (FOLDER, 73, "is not your socket"),
        (FOLDER + "/", 64, "80 bytes"),
    ]:
        run = subprocess.run(
            [TOOL, "play", SONG, "-s", FONT, "--audio", "null", "--ipc", path],
            capture_output=True, text=True, stdin=subprocess.DEVNULL, timeout=LIMIT)
        expect(run.returncode == status and words in run.stderr, f"{path}: {run}")
    with open(file) as text:
        expect(text.read() == "kept", "the file was touched")
    expect(os.path.islink(FOLDER + "/link"), "the link was touched")
    with Player(path=long + "/s") as player:
        run = subprocess.run([TOOL, "ctl", "--socket", long + "/s", "quit"], timeout=LIMIT)
        expect(run.returncode == 0, "a socket in a deep folder")
        player.end()


def answers():
    try:
        Client().socket.close()
        return True
    except OSError:
        return False


def signals():
    names = ["INT", "TERM", "HUP", "PIPE", "QUIT"]
    for name in names:
        number = getattr(signal, "SIG" + name)
        with Player() as player:
            client = Client()
            until(lambda: client.get("time-pos") > 0.1, "it does not play")
            expect(player.end(number) == -number, f"{name}")
            client.event("shutdown")
    with Player() as player:
        expect(player.end(signal.SIGTERM) == -signal.SIGTERM, "TERM at once")
    with Player("--from", "2:59") as player:
        expect(player.end() == 0, "the end of the song")
    with Player(song=[FOLDER + "/none"]) as player:
        expect(player.end() == 66, "no song")
    with Player(song=[SONG, SONG]) as player:
        client = Client()
        client.do("observe", 1, "playlist-pos")
        client.event("property-change")
        player.process.send_signal(signal.SIGUSR1)
        client.event("pause")
        player.process.send_signal(signal.SIGUSR1)
        client.event("unpause")
        player.process.send_signal(signal.SIGUSR2)
        expect(client.event("start-file")["playlist-pos"] == 1, "USR2")
        player.process.send_signal(signal.SIGUSR2)
        client.event("shutdown")
        expect(player.end() == 0, "USR2 at the last file")


def ctl():
    folder = os.environ["XDG_RUNTIME_DIR"] + "/downbeat"

    def listens(player):
        return f"player-{player.process.pid}.socket" in os.listdir(folder)

    def run(*words, status=0):
        run = subprocess.run(
            [TOOL, "ctl", *words], capture_output=True, text=True, timeout=LIMIT,
            stdin=subprocess.DEVNULL)
        expect(run.returncode == status, f"{words}: {run}")
        return run.stdout.strip() if status == 0 else run.stderr.strip()

    expect("downbeat play" in run("pause", status=69), "no player")
    expect("no player" in run("--socket", SOCKET, "pause", status=69), "no player there")
    expect("did you mean pause?" in run("puase", status=64), "a command that is none")
    expect("(try play)" in run("resume", status=64), "a word of another player")
    expect(run("xyzzy", status=64) ==
           "downbeat: unknown command 'xyzzy' (downbeat ctl --help lists them)", "no list of all")
    with Player(song=[SONG, SONG]) as player:
        until(lambda: float(run("get", "time-pos")) > 0.1, "it does not play")
        run("pause")
        expect(run("get", "pause", "state") == "yes\npaused", "get")
        run("seek", "bar", "31")
        expect(run("get", "time-pos") == "45.000", "a time of two words")
        run("seek", "bar", "31", "absolute")
        run("set", "time-pos", "bar", "33")
        expect(run("get", "time-pos") == "48.000", "a value of two words")
        run("loop", "bar", "33", "bar", "35")
        expect(run("get", "loop-a", "loop-b") == "48.000\n51.000", "a loop in bars")
        run("no-loop")
        past = subprocess.run(
            [TOOL, "ctl", "seek", "99:00"], capture_output=True, text=True, timeout=LIMIT)
        expect(past.stderr == "downbeat: seek: past the end; now at 3:00\n", f"{past}")
        run("seek", "1:30")
        run("seek", "+10")
        run("seek", "-5")
        expect(run("get", "time-pos") == "95.000", run("get", "time-pos"))
        run("volume", "-3dB")
        expect(run("get", "volume") == "-3 dB", "volume")
        expect(run("get", "volume", "--json") == "-3.000", "volume in JSON")
        run("set", "speed", "80%")
        run("mute", "2,10")
        expect(run("get", "mute", "speed") == "2,10\n0.8", "mute")
        expect(json.loads(run("status", "--json"))["mute"] == [1, 9], "status in JSON")
        text = run("status")
        for words in ["state     paused", "Long Song", "1:35 / 3:00", "mute      2,10"]:
            expect(words in text, f"{words}: {text}")
        expect(run() == text, "status without a word")
        expect(run("list").splitlines()[0] == f"* 1  {SONG}  Long Song", "list")
        run("set", "pause", "no")
        expect("cannot be set" in run("set", "pid", "1", status=64), "set")
        watch = subprocess.Popen(
            [TOOL, "ctl", "observe", "pause", "playlist-pos"], stdout=subprocess.PIPE, text=True)
        lines = [watch.stdout.readline(), watch.stdout.readline()]
        expect(lines == ["pause no\n", "playlist-pos 0\n"], f"{lines}")
        run("next")
        run("observe", "nothing", status=64)
        with Player(song=SONG, path=FOLDER + "/second") as second:
            until(lambda: listens(second), "two sockets")
            sentence = run("status", status=64)
            expect("2 players are running" in sentence, "two players")
            expect(sentence.count(" plays Long Song") == 2, f"what they play: {sentence}")
            run("--socket", SOCKET, "get", "playlist-pos")
        with Player(song=SOUND, path=FOLDER + "/second", command=("sound", "play")) as sound:
            until(lambda: listens(sound), "two sockets")
            expect("2 players are running" in run("pause", status=64), "a sound and a song")
            run("transpose", "1")
            expect(run("--socket", SOCKET, "get", "transpose") == "1", "what a song alone can do")
            run("--socket", FOLDER + "/second", "quit")
            sound.end()
        until(lambda: run("get", "playlist-pos") == "1", "next")
        player.process.send_signal(signal.SIGSTOP)
        start = time.monotonic()
        sentence = run("pause", status=69)
        expect("the player is suspended (fg in its shell, or: kill -CONT " in sentence, sentence)
        expect(time.monotonic() - start < 3, "a player that is stopped is waited for")
        player.process.send_signal(signal.SIGCONT)
        expect(run("get", "pause") == "no", "a command is done after the stop")
        run("quit")
        expect(player.end() == 0, "quit")
        rest = watch.communicate(timeout=LIMIT)[0].splitlines()
        expect(rest[-1] == "shutdown" and "playlist-pos 1" in rest, f"{rest}")
        expect(watch.returncode == 0, "observe ends")
    expect(os.listdir(folder) == [], f"left behind: {os.listdir(folder)}")
    with Player("--no-remote") as player:
        expect("no player is running" in run("pause", status=69), "--no-remote")
        run("--socket", SOCKET, "quit")
        player.end()


def media():
    """On a bus of our own, as desktops lead it; then on one that is dead, deaf, or goes away."""
    address = "unix:path=" + FOLDER + "/bus"
    with open(FOLDER + "/bus.conf", "w") as config:
        config.write(
            "<busconfig><type>session</type><listen>" + address + "</listen>"
            "<auth>EXTERNAL</auth><policy context='default'><allow send_destination='*'/>"
            "<allow receive_sender='*'/><allow own='*'/></policy></busconfig>")
    os.environ["DBUS_SESSION_BUS_ADDRESS"] = address
    bus = subprocess.Popen(
        ["dbus-daemon", "--nofork", "--config-file=" + FOLDER + "/bus.conf"],
        stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    try:
        until(lambda: os.path.exists(FOLDER + "/bus"), "no bus")
        led_by_media_keys(bus)
    finally:
        bus.kill()
        bus.wait()
    deaf = socket.socket(socket.AF_UNIX)
    deaf.bind(FOLDER + "/deaf")
    deaf.listen(8)
    for address in ["unix:path=" + FOLDER + "/bus", "unix:path=" + FOLDER + "/deaf", "autolaunch:",
                    "unix:path=" + FOLDER + "/none", "nonsense"]:
        os.environ["DBUS_SESSION_BUS_ADDRESS"] = address
        with Player("--from", "2:58.5") as player:
            expect(player.end() == 0, f"with {address}")
        expect("ended" not in player.errors and "bus" not in player.errors, player.errors)
    deaf.close()


def unbussed():
    """Where the library of the bus is none, nobody hears of it. FluidSynth needs it too."""
    folder = FOLDER + "/libraries"
    os.mkdir(folder)
    for name in ("libsystemd.so.0", "libelogind.so.0", "libbasu.so.0"):
        open(f"{folder}/{name}", "w").close()
    os.environ["LD_LIBRARY_PATH"] = folder
    os.environ["DBUS_SESSION_BUS_ADDRESS"] = "unix:path=" + FOLDER + "/bus"
    with Player(song=SOUND, command=("sound", "play")) as player:
        client = Client()
        until(lambda: client.get("time-pos") > 0.1, "it does not play")
        with open(f"/proc/{player.process.pid}/maps") as maps:
            expect("libsystemd" not in maps.read(), "the library is there")
        client.do("quit")
        expect(player.end() == 0, "quit")
    expect(player.errors == f"downbeat: playing {SOUND}, 0:20\n", player.errors)


def led_by_media_keys(bus):
    def keys(*words, player="downbeat"):
        run = subprocess.run(["playerctl", "-p", player, *words], capture_output=True, text=True,
                             timeout=LIMIT)
        return (run.stdout or run.stderr).strip()

    def call(method, *words):
        run = subprocess.run(
            ["dbus-send", "--session", "--print-reply", "--dest=org.mpris.MediaPlayer2.downbeat",
             "/org/mpris/MediaPlayer2", method, *words], capture_output=True, text=True,
            timeout=LIMIT)
        return run.stdout + run.stderr

    with Player(song=[SONG, SONG]) as player:
        until(lambda: keys("status") == "Playing", "no player on the bus")
        follower = subprocess.Popen(
            ["playerctl", "-p", "downbeat", "--follow", "status"], stdout=subprocess.PIPE, text=True)
        expect(follower.stdout.readline() == "Playing\n", "the first status")
        watch = subprocess.Popen(
            ["dbus-monitor", "--session", "type='signal',path='/org/mpris/MediaPlayer2'"],
            stdout=subprocess.PIPE, text=True)
        client = Client()
        for word, status in [("pause", "Paused"), ("play", "Playing"), ("play-pause", "Paused"),
                             ("play-pause", "Playing"), ("stop", "Stopped"), ("play", "Playing")]:
            keys(word)
            until(lambda: keys("status") == status, f"{word}: {keys('status')}")
        # What other programs do is told to the desktop.
        follower.kill()
        shown = follower.communicate()[0].split()
        expect(shown[:2] == ["Paused", "Playing"], f"{shown}")
        client.do("pause")
        keys("position", "90")
        until(lambda: near(client.get("time-pos"), 90, 0.01), "position")
        expect(near(float(keys("position")), 90, 0.01), keys("position"))
        keys("position", "10-")
        until(lambda: near(client.get("time-pos"), 80, 0.01), "position back")
        keys("volume", "0.5")
        until(lambda: client.get("volume") == -6, "volume")
        keys("loop", "Playlist")
        until(lambda: client.get("repeat") == "list" and keys("loop") == "Playlist", "loop")
        keys("loop", "None")
        expect(keys("shuffle") == "Off", "shuffle")
        expect(keys("metadata", "xesam:url") == "file://" + os.path.realpath(SONG)
               or keys("metadata", "xesam:url") == "file://" + SONG, keys("metadata"))
        expect("Long Song" == keys("metadata", "title"), keys("metadata"))
        expect(near(int(keys("metadata", "mpris:length")), 180e6, 1e4), keys("metadata"))
        expect("NotSupported" in call("org.mpris.MediaPlayer2.Player.OpenUri", "string:file:///x"),
               "OpenUri")
        expect("UnknownMethod" in call("org.mpris.MediaPlayer2.Player.Fly"), "Fly")
        expect("Rate" in call("org.freedesktop.DBus.Introspectable.Introspect"), "Introspect")
        expect("Downbeat" in call("org.freedesktop.DBus.Properties.GetAll",
                                  "string:org.mpris.MediaPlayer2"), "GetAll")
        call("org.freedesktop.DBus.Properties.Set", "string:org.mpris.MediaPlayer2.Player",
             "string:Rate", "variant:double:1.5")
        until(lambda: client.get("speed") == 1.5, "Rate")
        with Player(path=FOLDER + "/second") as second:
            name = f"downbeat.instance{second.process.pid}"
            until(lambda: name in keys("-l"), f"a second player: {keys('-l')}")
            subprocess.run([TOOL, "ctl", "--socket", FOLDER + "/second", "quit"], timeout=LIMIT)
            second.end()
        with Player(song=[SOUND, SOUND], path=FOLDER + "/second", command=("sound", "play")) as sound:
            name = f"downbeat.instance{sound.process.pid}"
            until(lambda: name in keys("-l"), f"a sound: {keys('-l')}")
            led = Client(FOLDER + "/second")
            for word, what, value in [("pause", "pause", True), ("play", "pause", False),
                                      ("next", "playlist-pos", 1)]:
                keys(word, player=name)
                until(lambda: led.get(what) == value, f"{word} of a sound")
            keys("volume", "0.5", player=name)
            until(lambda: led.get("volume") == -6, "volume of a sound")
            led.do("quit")
            sound.end()
        keys("next")
        until(lambda: client.get("playlist-pos") == 1, "next")
        keys("previous")
        until(lambda: client.get("playlist-pos") == 0, "previous")
        time.sleep(2)
        watch.kill()
        told = watch.communicate()[0]
        for words in ["member=PropertiesChanged", "member=Seeked", '"PlaybackStatus"', '"Volume"',
                      '"Metadata"', '"Rate"']:
            expect(words in told, f"no {words} is told")
        expect('"Position"' not in told, "the place is told all the time")
        # The bus goes away: the song does not.
        bus.kill()
        bus.wait()
        before = client.get("time-pos")
        until(lambda: client.get("time-pos") > before + 0.3, "it stands without its bus")
        client.do("quit")
        expect(player.end() == 0, "quit")
    expect("bus" not in player.errors, player.errors)


os.environ["XDG_RUNTIME_DIR"] = FOLDER
{name: globals()[name] for name in
 ("commands", "observed", "sounds", "streams", "hostile", "full", "spent", "places", "signals",
  "ctl", "media", "unbussed")}[sys.argv[1]]()
sys.exit(1 if faults else 0)
