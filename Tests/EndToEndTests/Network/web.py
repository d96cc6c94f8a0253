# SPDX-License-Identifier: Apache-2.0
"""Looks at the clock that the command shows to browsers: by curl, by Python's websockets, by sockets of
its own, and by Chromium. TOOL, SONG, FONT and FOLDER are paths; the argument names what is tried. It
runs in a network of its own.
"""
import asyncio, base64, json, os, random, re, resource, signal, socket, subprocess, sys, time

TOOL, SONG, FONT, FOLDER = (os.environ[name] for name in ("TOOL", "SONG", "FONT", "FOLDER"))
PORT = 8120
PAGE = f"http://127.0.0.1:{PORT}/"
SOCKET = f"ws://127.0.0.1:{PORT}/clock"
# For what must happen at all; how long it takes is up to the machine.
LIMIT = 600
HARD = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
faults = []


def expect(truth, what):
    if not truth:
        faults.append(what)
        print("wrong:", what, file=sys.stderr)


class Tool:
    """The command while it shows a clock; `errors` has the lines that it said."""

    def __init__(self, *words):
        self.process = subprocess.Popen(
            [TOOL, *words], stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
            stderr=subprocess.PIPE, text=True)
        self.lines = []

    def __enter__(self):
        return self

    def __exit__(self, *_):
        if self.process.poll() is None:
            self.process.terminate()
        self.lines += self.process.communicate()[1].splitlines()

    def line(self, words):
        """The next line that has some words."""
        for line in self.process.stderr:
            self.lines.append(line.strip())
            if words in line:
                return line.strip()
        expect(False, f"no '{words}': {self.lines}")
        return ""


def served(*words):
    tool = Tool("clock", "serve", "studio", "--bpm", "120", "--meter", "3/4", "--web", *words)
    return tool


def curl(*words):
    run = subprocess.run(["curl", "-s", "-i", "--max-time", str(LIMIT), *words], capture_output=True, text=True)
    head, _, body = run.stdout.partition("\n\n")
    return head, body


def page():
    with served() as tool:
        expect(tool.line("view page:").endswith(f"view page: {PAGE}"), f"{tool.lines}")
        token = tool.line("control page").rpartition("#")[2]
        expect(re.fullmatch("[0-9a-f]{32}", token), f"token {token}")
        head, body = curl(PAGE)
        expect(head.startswith("HTTP/1.1 200 OK"), head)
        expect("<!DOCTYPE html>" in body and "new WebSocket" in body, body[:200])
        # It asks for nothing elsewhere, keeps nothing, and does not hold the token.
        expect(not re.search(r'(src|href)="(?!data:)|url\(|@import|cookie|localStorage', body), "a page of its own")
        expect(token not in body and "Set-Cookie" not in head, "the token is in the page")
        for words, status in [
            ((PAGE, "-H", "Host: evil.example"), 421), ((PAGE + "x",), 404),
            ((PAGE, "-X", "POST"), 405), ((PAGE, "-I"), 200), ((PAGE, "-H", "Host: localhost"), 200),
            ((PAGE + "clock",), 426), ((f"http://[::1]:{PORT}/",), 200),
            ((PAGE, "-H", "X: " + "x" * 9000), 431),
        ]:
            head, _ = curl(*words)
            expect(head.startswith(f"HTTP/1.1 {status} "), f"{words[:3]}: {head[:80]}")


async def message(client, kind, holds=lambda message: True):
    """The next message of a kind for which something holds; those before it are of no interest."""
    last = None
    try:
        async with asyncio.timeout(LIMIT):
            while True:
                found = json.loads(await client.recv())
                if found["type"] == kind:
                    last = found
                    if holds(found):
                        return found
    except TimeoutError:
        raise SystemExit(f"no {kind} as expected, the last one is {last}")


async def connected(**options):
    """A client of the web socket. Nothing in it is given up because a busy machine is slow; the server
    lets a visitor go that has not asked within seconds, which then tries again."""
    import websockets
    end = time.monotonic() + LIMIT
    while True:
        try:
            return await websockets.connect(
                SOCKET, open_timeout=None, ping_interval=None, max_queue=None, **options)
        except websockets.InvalidStatus as refusal:
            if refusal.response.status_code != 408 or time.monotonic() > end:
                raise
        except (OSError, EOFError, websockets.InvalidMessage):
            if time.monotonic() > end:
                raise
        await asyncio.sleep(0.1)


def sockets():
    import websockets

    async def ask(client, **members):
        await client.send(json.dumps(members))

    async def look(token):
        async with await connected() as client:
            # The first scene may be of a clock that has yet to start.
            scene = await message(client, "clock", lambda scene: scene["running"])
            expect(scene["bpm"] == 120 and scene["meter"] == "3/4", f"{scene}")
            # Each beat is half a second after the one before, and is counted in threes.
            beats = scene["beats"]
            expect(sum(beat[0] >= scene["now"] for beat in beats) >= 8, f"{scene['now']} {beats}")
            for (first, bar, beat, _), (second, *place) in zip(beats, beats[1:]):
                expect(abs(second - first - 500) < 0.01, f"{first} {second}")
                expect(place[:2] == ([bar, beat + 1] if beat < 3 else [bar + 1, 1]), f"{place}")
            # And where another program finds it.
            bar, beat = beats[-1][1:3]
            found = await asyncio.to_thread(
                subprocess.run,
                [TOOL, "convert", "--clock", "studio", f"{bar}.{beat}.0", "--to", "host"],
                capture_output=True, text=True)
            expect(abs(int(found.stdout) / 1e6 - beats[-1][0]) < 0.01, f"{found.stdout} {beats[-1]}")
            before = time.monotonic_ns() / 1e6
            await ask(client, type="ping", id=7)
            pong = await message(client, "pong")
            after = time.monotonic_ns() / 1e6
            # The server's time has three digits.
            expect(pong["id"] == 7 and before - 0.001 <= pong["now"] <= after, f"{before} {pong} {after}")
            # Without the token nothing is led, with another neither.
            await ask(client, type="command", command=["toggle"])
            expect("only the control page" in (await message(client, "error"))["error"], "no token")
            await ask(client, type="token", token="0" * 32)
            expect("open the control page" in (await message(client, "error"))["error"], "another token")
            await ask(client, type="token", token=token)
            can = (await message(client, "lead"))["can"]
            expect("toggle" in can and "quit" not in can, f"{can}")
            for command, holds in [
                (["toggle"], lambda scene: not scene["running"]),
                (["seek", "17.2.0"], lambda scene: scene["at"] == [17, 2, 3]),
                (["stop"], lambda scene: scene["at"] == [1, 1, 3]),
                (["play"], lambda scene: scene["running"]),
                (["tempo", "90"], lambda scene: scene["bpm"] == 90),
            ]:
                await ask(client, type="command", command=command)
                await message(client, "clock", holds)
            for bad in ["quit", "volume", "nonsense", None]:
                await ask(client, type="command", command=[bad])
                expect("is not available" in (await message(client, "error"))["error"], f"{bad}")
            await client.send("{")
            await message(client, "error")
        for origin, works in [("http://evil.example", False), (f"http://127.0.0.1:{PORT}", True)]:
            try:
                async with await connected(origin=origin) as client:
                    await message(client, "clock")
                    expect(works, f"{origin} is let in")
            except websockets.InvalidStatus as refusal:
                expect(not works and refusal.response.status_code == 403, f"{origin}: {refusal}")

    with served() as tool:
        token = tool.line("control page").rpartition("#")[2]
        asyncio.run(look(token))
    # A clock that is followed is shown and not led.
    with Tool("clock", "show", "--sync", "link", "--web", "--for", "3600s") as tool:
        tool.line("view page:")

        async def watch():
            async with await connected() as client:
                scene = await message(client, "clock")
                expect(scene["title"] == "link", f"{scene}")
                await ask(client, type="command", command=["toggle"])
                await message(client, "error")
        asyncio.run(watch())
    expect(not any("control page" in line for line in tool.lines), "a page leads what follows")
    # A file after the flag is none of its ports.
    with Tool("play", "-s", FONT, "--audio", "null", "--no-remote", "--web", SONG) as tool:
        token = tool.line("control page").rpartition("#")[2]

        async def song():
            async with await connected() as client:
                first = await message(client, "clock")
                # Four parts of thirty bars; the song plays on meanwhile.
                part = (first["at"][0] - 1) // 30 + 1
                expect(first["title"] == "Long Song", f"{first}")
                expect(first["next"] == (f"Part {part + 1}" if part < 4 else None), f"{first}")
                await ask(client, type="token", token=token)
                # Back to the beginning, so that the next marker is more than a moment away.
                await ask(client, type="command", command=["restart"])
                start = await message(client, "clock", lambda scene: scene["seconds"] < 44)
                await ask(client, type="command", command=["marker", 1])

                def has_jumped(scene):
                    return (scene["seconds"] - start["seconds"] - (scene["now"] - start["now"]) / 1000 > 0.5
                            and scene["marker"] == "Part 2" and scene["at"][0] >= 31)
                await message(client, "clock", has_jumped)
        asyncio.run(song())


def hostile():
    with served() as tool:
        tool.line("view page:")

        def connect():
            client = socket.create_connection(("127.0.0.1", PORT))
            client.settimeout(LIMIT)
            return client
        def memory():
            with open(f"/proc/{tool.process.pid}/status") as file:
                return int(re.search(r"VmRSS:\s+(\d+)", file.read())[1])
        def descriptors():
            return len(os.listdir(f"/proc/{tool.process.pid}/fd"))
        def guests():
            # The server's own ends that it has not closed: established, or left by the other end.
            count = 0
            for name in ("tcp", "tcp6"):
                with open(f"/proc/net/{name}") as file:
                    for line in file.read().splitlines()[1:]:
                        _, place, _, state = line.split()[:4]
                        count += place.endswith(f":{PORT:04X}") and state in ("01", "08")
            return count
        def wait_for_leave():
            end = time.monotonic() + LIMIT
            while guests() > 0 and time.monotonic() < end:
                time.sleep(0.1)
            expect(guests() == 0, f"{guests()} connections are left")
        before, own = memory(), descriptors()
        resource.setrlimit(resource.RLIMIT_NOFILE, (min(4096, HARD), HARD))
        # A visitor too many that has asked already receives the refusal whole, and no reset.
        first = [connect() for _ in range(256)]
        # Those that say nothing are let go after five seconds, which a slow machine may need for them.
        for _ in range(10):
            if descriptors() >= own + 256:
                break
            time.sleep(0.1)
        os.kill(tool.process.pid, signal.SIGSTOP)
        asking = [connect() for _ in range(40)]
        for client in asking:
            client.sendall(b"GET / HTTP/1.1\r\nHost: 127.0.0.1:8120\r\n\r\n" + bytes(9999))
        os.kill(tool.process.pid, signal.SIGCONT)
        for client in asking:
            try:
                answer = client.recv(99)
                while client.recv(9999):
                    pass
                expect(answer.startswith((b"HTTP/1.1 503", b"HTTP/1.1 200")), f"answer {answer}")
            except OSError as error:
                expect(False, f"a visitor too many: {error}")
        for client in first + asking:
            client.close()
        wait_for_leave()
        expect(curl(PAGE)[0].startswith("HTTP/1.1 200"), "the page after a crowd")
        wait_for_leave()
        # More than are let in, none of whom says anything: they are let go, and others are served.
        begin = time.monotonic()
        crowd = [connect() for _ in range(1000)]
        refused = 0
        for client in crowd[256:]:
            refused += client.recv(99).startswith(b"HTTP/1.1 503")
        # Every five seconds, where a busy machine lets them pass, the silent make room for as many.
        room = 256 * int((time.monotonic() - begin) / 5)
        expect(744 - room <= refused <= 744, f"{refused} are refused, room for {room}")
        start = time.monotonic()
        expect(crowd[0].recv(999).startswith(b"HTTP/1.1 408"), "who says nothing is not let go")
        print("let go after", time.monotonic() - start)
        for client in crowd:
            client.close()
        chance = random.Random(1)
        request = (f"GET /clock HTTP/1.1\r\nHost: localhost\r\nUpgrade: websocket\r\nConnection: upgrade"
                   "\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: "
                   + base64.b64encode(bytes(16)).decode() + "\r\n\r\n").encode()
        for count in range(300):
            client = connect()
            data = bytearray(request + bytes(chance.randrange(256) for _ in range(200)))
            for _ in range(chance.randrange(4)):
                data[chance.randrange(len(data))] = chance.randrange(256)
            try:
                client.sendall(bytes(data))
                if count % 3:
                    client.recv(999)
            except OSError:
                pass
            client.close()
        wait_for_leave()
        expect(curl(PAGE)[0].startswith("HTTP/1.1 200"), "it serves no more")
        expect(tool.process.poll() is None, "it has ended")
        expect(memory() - before < 65_536, f"{memory() - before} KiB more")


def relay(delay):
    """Passes bytes on to the page, each way so many seconds later; its port."""
    async def carry(reader, writer):
        queue = asyncio.Queue()

        async def send():
            while True:
                due, data = await queue.get()
                await asyncio.sleep(max(0, due - time.monotonic()))
                if not data:
                    writer.close()
                    return
                writer.write(data)
        task = asyncio.create_task(send())
        while True:
            try:
                data = await reader.read(65536)
            except OSError:
                data = b""
            queue.put_nowait((time.monotonic() + delay, data))
            if not data:
                await task
                return

    async def accept(reader, writer):
        there, back = await asyncio.open_connection("127.0.0.1", PORT)
        await asyncio.gather(carry(reader, back), carry(there, writer), return_exceptions=True)

    async def run():
        server = await asyncio.start_server(accept, "127.0.0.1", PORT + 1)
        async with server:
            await server.serve_forever()
    asyncio.run(run())


class Browser:
    """Chromium without a window, led by its protocol for debuggers."""

    def __init__(self, width=1024, height=768, dark=False):
        self.words = [
            "chromium", "--headless=new", "--no-sandbox", "--disable-gpu", "--no-first-run",
            "--disable-background-networking", "--remote-debugging-port=9222",
            f"--user-data-dir={FOLDER}/chromium", f"--window-size={width},{height}", "about:blank"]
        self.size, self.dark, self.number = (width, height), dark, 0

    async def __aenter__(self):
        import urllib.request, websockets
        self.process = subprocess.Popen(
            self.words, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        for _ in range(600):
            try:
                targets = json.load(urllib.request.urlopen("http://127.0.0.1:9222/json"))
                address = next(t["webSocketDebuggerUrl"] for t in targets if t["type"] == "page")
                break
            except (OSError, StopIteration):
                await asyncio.sleep(0.1)
        self.client = await websockets.connect(address, max_size=None)
        await self.call("Emulation.setDeviceMetricsOverride", width=self.size[0], height=self.size[1],
                        deviceScaleFactor=1, mobile=False)
        await self.call("Emulation.setEmulatedMedia", features=[
            {"name": "prefers-color-scheme", "value": "dark" if self.dark else "light"}])
        return self

    async def __aexit__(self, *_):
        await self.client.close()
        self.process.terminate()
        self.process.wait()

    async def call(self, method, **parameters):
        self.number += 1
        await self.client.send(json.dumps({"id": self.number, "method": method, "params": parameters}))
        while True:
            answer = json.loads(await self.client.recv())
            if answer.get("id") == self.number:
                if "error" in answer:
                    raise RuntimeError(answer["error"])
                return answer["result"]

    async def evaluate(self, text):
        answer = await self.call("Runtime.evaluate", expression=text, awaitPromise=True, returnByValue=True)
        return answer["result"].get("value")

    async def picture(self, path):
        answer = await self.call("Page.captureScreenshot", format="png")
        with open(path, "wb") as file:
            file.write(base64.b64decode(answer["data"]))


def chrome():
    """The beat that is shown, by a network that takes 30 ms each way, beside the clock's own."""
    seconds = int(os.environ.get("SECONDS", "60"))
    way = subprocess.Popen([sys.executable, __file__, "relay", "0.03"])

    async def look():
        async with Browser() as browser:
            await browser.call("Page.navigate", url=f"http://127.0.0.1:{PORT + 1}/")
            await asyncio.sleep(4)
            # Each change of bar or beat, with the time of day; and how late pictures come, and where
            # the page believes the clock to be.
            await browser.evaluate("""
                window.seen = [], window.frames = [], window.clocks = [];
                let last = performance.now();
                requestAnimationFrame(function look() {
                  const now = performance.now();
                  frames.push(now - last);
                  last = now;
                  requestAnimationFrame(look);
                });
                setInterval(() => clocks.push(offset - performance.timeOrigin), 100);
                new MutationObserver(() => seen.push([
                  performance.timeOrigin + performance.now(),
                  +document.getElementById('bar').textContent,
                  +document.getElementById('beat').textContent]))
                  .observe(document.getElementById('place'), {childList: true, subtree: true,
                    characterData: true});""")
            # `timeOrigin` is as exact as the day's time was when the page began: the same in both.
            await asyncio.sleep(seconds)
            return await browser.evaluate("JSON.stringify([seen, frames, clocks])")
    with served() as tool:
        tool.line("view page:")
        seen, frames, clocks = json.loads(asyncio.run(look()))
        wall = time.time_ns() - time.monotonic_ns()
        names = sorted({(bar, beat) for _, bar, beat in seen})
        run = subprocess.run(
            [TOOL, "convert", "--clock", "studio", "1.1.0", "--to", "host"], capture_output=True, text=True)
        start = (int(run.stdout) + wall) / 1e6
    way.kill()
    # A bar of three half seconds; where both change, the last change counts.
    last = {(bar, beat): at for at, bar, beat in seen}
    errors = sorted(
        abs(last[name] - start - 1500 * (name[0] - 1) - 500 * (name[1] - 1)) for name in names[1:])
    def share(values, part=0.95):
        return sorted(values)[int(len(values) * part)]
    clocks = [abs(clock + wall / 1e6) for clock in clocks]
    print(f"{len(errors)} beats, off by {share(errors, 0.5):.1f} ms in the middle,"
          f" {share(errors):.1f} ms at 95 %, {errors[-1]:.1f} ms at most;"
          f" pictures every {share(frames, 0.5):.1f} ms, {share(frames):.1f} ms at 95 %;"
          f" its clock off by {share(clocks, 0.5):.1f} ms, {share(clocks):.1f} ms at 95 %")
    expect(len(errors) > seconds * 1.8 and share(clocks) < 10, f"{share(clocks)}")
    expect(share(errors) < 20, f"{share(errors)}")


def pictures():
    """Screenshots, for a person to look at."""
    async def look():
        for name, width, height, dark in [
            ("tablet-dark", 1024, 768, True), ("tablet-light", 1024, 768, False),
            ("phone-dark", 390, 844, True), ("phone-light", 844, 390, False)]:
            async with Browser(width, height, dark) as browser:
                await browser.call("Page.navigate", url=os.environ["ADDRESS"])
                await asyncio.sleep(float(os.environ.get("PAUSE", "4")))
                await browser.picture(f"{FOLDER}/{name}.png")
    asyncio.run(look())


if sys.argv[1] == "relay":
    relay(float(sys.argv[2]))
os.environ["XDG_RUNTIME_DIR"] = FOLDER
{name: globals()[name] for name in ("page", "sockets", "hostile", "chrome", "pictures")}[sys.argv[1]]()
sys.exit(1 if faults else 0)
