# SPDX-License-Identifier: Apache-2.0
"""The suite `sound`, its part with streams: how soon one sounds, and what an hour of it keeps in memory.

A server on the loopback sends MP3. The first sound is that which an output without a device has rendered;
it is counted from when the system has taken the first 64 KB of the server. A process that is new has the
codecs' libraries to load meanwhile; its second stream has not. What else the machine does only adds to
that: the best of several counts.
"""
import http.server
import pathlib
import statistics
import subprocess
import sys
import tempfile
import threading
import time

# What the allocator keeps moves by some MiB; an hour has 57 MiB of packets, and 1.3 GB of samples.
FIRST, LIMIT_SECONDS, LIMIT_BYTES = 64 << 10, 0.1, 8 << 20


def serve(sound):
    """A server: `/file` gives the sound, its first part at once; `/radio` gives it for ever."""
    sent = []

    class Handler(http.server.BaseHTTPRequestHandler):
        def do_GET(self):
            self.send_response(200)
            self.send_header("Content-Type", "audio/mpeg")
            if self.path == "/radio":
                self.send_header("icy-name", "bench")
            else:
                self.send_header("Content-Length", str(len(sound)))
            self.end_headers()
            try:
                self.wfile.write(sound[:FIRST])
                sent.append(time.monotonic())
                time.sleep(0 if self.path == "/radio" else 1)
                self.wfile.write(sound[FIRST:])
                while self.path == "/radio":
                    self.wfile.write(sound)
            except OSError:
                pass

        def log_message(self, *_):
            pass

    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    server.daemon_threads = True
    threading.Thread(target=server.serve_forever, daemon=True).start()
    return server, sent


def main(options, program):
    with tempfile.TemporaryDirectory() as folder:
        path = pathlib.Path(folder) / "stream.mp3"
        try:
            subprocess.run(
                ["ffmpeg", "-v", "error", "-f", "lavfi", "-i",
                 "anoisesrc=d=120:a=0.3:r=44100,aformat=channel_layouts=stereo", "-c:a", "libmp3lame",
                 "-b:a", "128k", str(path)], check=True)
        except (OSError, subprocess.CalledProcessError) as error:
            print(f"left out: streams ({error})", file=sys.stderr)
            return True
        server, sent = serve(path.read_bytes())
        host = f"http://127.0.0.1:{server.server_address[1]}"
        waits, again = [], []
        for _ in range(options.rounds * 3):
            done = subprocess.run([str(program), "first", host + "/file"], check=True,
                                  capture_output=True, text=True)
            for times, told, instant in zip((waits, again), map(float, done.stdout.split()), sent[-2:]):
                times.append(told - instant)
        done = subprocess.run([str(program), "memory", host + "/radio", "3600"], check=True,
                              capture_output=True, text=True)
        early, late = map(int, done.stdout.split())
    wait, growth = min(waits), late - early
    print(f"\n{'streams on the loopback':42}{'':>9}{'aim':>12}")
    for name, value, aim, met in [
            ("first sound after 64 KB, ms", f"{1000 * wait:.1f}",
             f"<= {1000 * LIMIT_SECONDS:.0f}", wait <= LIMIT_SECONDS),
            ("the median of all, ms", f"{1000 * statistics.median(waits):.1f}", "", True),
            ("the same of a second stream, ms", f"{1000 * min(again):.1f}", "", True),
            ("in memory after 15 minutes, MiB", f"{early / 2**20:.1f}", "", True),
            ("more after an hour, MiB", f"{growth / 2**20:.2f}", f"<= {LIMIT_BYTES >> 20}",
             growth <= LIMIT_BYTES)]:
        print(f"{name:42}{value:>9}{aim:>12}{'' if met else '  MISSED'}")
    return wait <= LIMIT_SECONDS and growth <= LIMIT_BYTES
