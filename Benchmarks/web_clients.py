# SPDX-License-Identifier: Apache-2.0
"""The suite `web`: a hundred browsers that look at a clock, paired with a server of Python's
`websockets` that tells as many as much as often.

What is measured is the processor time of each server while the same clients look at it, less what it
uses with none, as for the clock itself: each asks for the time every two seconds, as the page does,
and is told the clock twice a second. Ours and theirs alternate; the gate is their ratio.
"""
import asyncio
import json
import os
import re
import statistics
import subprocess
import sys
import time

CLIENTS, SECONDS, IDLE, SETTLING = 100, 20, 8, 3


def used(process):
    """The processor time of a process so far, in seconds."""
    with open(f"/proc/{process.pid}/stat") as file:
        fields = file.read().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def start(command):
    """A server and the port that it says it has."""
    process = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
                               stderr=subprocess.PIPE, text=True)
    for line in process.stderr:
        match = re.search(r"http://127\.0\.0\.1:(\d+)/", line)
        if match:
            return process, int(match[1])
    raise RuntimeError(f"{command[0]} does not say where it is")


def share(process, before, begin):
    """The part of a core that a process has used since."""
    return (used(process) - before) / (time.monotonic() - begin)


async def look(port, process):
    """What the clients cost a server, as a part of a core, and how often each is told a second."""
    import websockets
    counts = {"clock": 0, "pong": 0}
    await asyncio.sleep(1)
    before, begin = used(process), time.monotonic()
    await asyncio.sleep(IDLE)
    idle = share(process, before, begin)

    async def client(number):
        async with websockets.connect(f"ws://127.0.0.1:{port}/clock", compression=None) as socket:
            async def ask():
                await asyncio.sleep(2 * number / CLIENTS)
                while True:
                    await socket.send('{"type":"ping","id":1}')
                    await asyncio.sleep(2)
            asking = asyncio.create_task(ask())
            try:
                async for text in socket:
                    counts[json.loads(text)["type"]] += 1
            finally:
                asking.cancel()
    clients = [asyncio.create_task(client(number)) for number in range(CLIENTS)]
    await asyncio.sleep(SETTLING)
    counts.update(clock=0, pong=0)
    before, begin = used(process), time.monotonic()
    await asyncio.sleep(SECONDS)
    cost, passed = share(process, before, begin) - idle, time.monotonic() - begin
    failed = sum(task.done() for task in clients)
    for task in clients:
        task.cancel()
    await asyncio.gather(*clients, return_exceptions=True)
    if failed:
        raise RuntimeError(f"{failed} clients were let go")
    return cost, [count / CLIENTS / passed for count in counts.values()]


def serve():
    """The peer: the same document twice a second to each, and the time to those who ask."""
    from websockets.asyncio.server import serve as listen
    beats = [[1e6 + 500 * index, 1 + index // 4, 1 + index % 4, 4] for index in range(16)]
    document = {
        "v": 1, "type": "clock", "title": "studio", "source": "", "now": 1e6, "running": True,
        "lock": None, "uncertain": False, "bpm": 120.0, "at": [1, 1, 4], "meter": "4/4",
        "beats": beats, "seconds": 1.5, "frames": 37.5, "fps": 25.0, "nominal": 25, "drop": False,
        "speed": 1.0, "marker": None, "next": None, "nextAt": None}
    sockets = set()

    async def answer(socket):
        sockets.add(socket)
        try:
            async for text in socket:
                asked = json.loads(text)
                await socket.send(json.dumps(
                    {"v": 1, "type": "pong", "id": asked["id"], "now": time.monotonic() * 1e3}))
        finally:
            sockets.discard(socket)

    async def run():
        async with listen(answer, "127.0.0.1", 0, compression=None) as server:
            port = server.sockets[0].getsockname()[1]
            print(f"http://127.0.0.1:{port}/", file=sys.stderr, flush=True)
            while True:
                await asyncio.sleep(0.5)
                text = json.dumps(document)
                for socket in list(sockets):
                    await socket.send(text)
    asyncio.run(run())


def main(options):
    try:
        import websockets
    except ImportError:
        print("left out: web (pip install websockets)", file=sys.stderr)
        return True
    tool = options.tool
    servers = {
        "downbeat": [tool, "clock", "serve", f"bench-{os.getpid()}", "--web", "0"],
        f"websockets {websockets.__version__}": [sys.executable, __file__, "serve"]}
    shares = {name: [] for name in servers}
    rates = {}
    for _ in range(options.rounds):
        for name, command in servers.items():
            process, port = start(command)
            try:
                share, rates[name] = asyncio.run(look(port, process))
                shares[name].append(share)
            finally:
                process.kill()
                process.communicate()
    ours, theirs = (statistics.median(values) for values in shares.values())
    print(f"\n{f'{CLIENTS} browsers, {SECONDS} s':34}{'of a core':>10}{'told/s':>9}{'asked/s':>9}")
    for name, values in shares.items():
        told, asked = rates[name]
        print(f"{name:34}{100 * statistics.median(values):9.2f}%{told:9.2f}{asked:9.2f}")
    verdict = "" if theirs >= ours else "  MISSED"
    print(f"{'theirs beside ours':34}{theirs / ours:10.1f}{verdict}")
    print(f"{'aim: 2 % of a core':34}{'met' if ours <= 0.02 else 'below':>10}")
    return theirs >= ours


if __name__ == "__main__" and sys.argv[1:] == ["serve"]:
    serve()
