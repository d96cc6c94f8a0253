#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Zeroconf in Python finds our session, which Avahi announces, and we find one of Zeroconf's:
`zeroconf-judge.py PROBE`, in a network of its own. The bus, the daemon and what they write are
private."""

import os
import socket
import subprocess
import sys
import time

sys.path.insert(0, os.path.join(os.path.dirname(__file__), "../TestSupport"))
import private_avahi

TYPE = "_apple-midi._udp.local."


def until(holds, seconds=20):
    end = time.monotonic() + seconds
    while not holds():
        if time.monotonic() > end:
            return False
        time.sleep(0.05)
    return True


class Ears:
    def __init__(self):
        self.names = {}

    def add_service(self, zeroconf, kind, name):
        info = zeroconf.get_service_info(kind, name)
        if info:
            self.names[name] = (info.port, socket.inet_ntoa(info.addresses[0]))

    update_service = add_service

    def remove_service(self, zeroconf, kind, name):
        self.names.pop(name, None)


def main():
    folder = private_avahi.enter()
    from zeroconf import ServiceBrowser, ServiceInfo, Zeroconf

    bus = private_avahi.start_bus(folder)
    party = subprocess.Popen(
        [sys.argv[1], "rtp", "organ"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, bufsize=1)

    def ask(words):
        party.stdin.write(words + "\n")
        return party.stdout.readline().strip()

    daemon = None
    try:
        # Ours looks for a daemon that comes later.
        port = ask("status").split()[0]
        party.stdin.write("announce\n")
        until(lambda: os.path.exists(f"{folder}/bus"))
        daemon = private_avahi.start_daemon(folder)
        witness = Zeroconf(interfaces=["10.9.9.1"])
        ears = Ears()
        ServiceBrowser(witness, TYPE, ears)
        if not until(lambda: f"organ.{TYPE}" in ears.names):
            print("fault: zeroconf does not find ours:", ears.names)
            return 1
        print("found by zeroconf:", ears.names)
        if ears.names[f"organ.{TYPE}"] != (int(port), "10.9.9.1"):
            print("fault: another port or address")
            return 1
        theirs = ServiceInfo(
            TYPE, f"Élan & studio.{TYPE}", addresses=[socket.inet_aton("10.9.9.1")], port=7004,
            server="elan.local.")
        witness.register_service(theirs)
        if not until(lambda: "studio 10.9.9.1:7004;" in ask("services")):
            print("fault: we do not find zeroconf's:", repr(ask("services")))
            return 1
        print("found by us:", repr(ask("services")))
        witness.unregister_service(theirs)
        if not until(lambda: ask("services").startswith("true")):
            print("fault: it is gone, and still found:", repr(ask("services")))
            return 1
        # Where the daemon goes, nothing is found; where it returns, all is announced again.
        daemon.terminate()
        daemon.wait(10)
        if not until(lambda: f"organ.{TYPE}" not in ears.names):
            print("fault: the daemon has gone, and ours is still found")
            return 1
        daemon = subprocess.Popen(daemon.args)
        if not until(lambda: f"organ.{TYPE}" in ears.names):
            print("fault: the daemon is back, and ours is not found")
            return 1
        print("found again")
        party.stdin.write("quit\n")
        if not until(lambda: f"organ.{TYPE}" not in ears.names) or party.wait(10) != 0:
            print("fault: we have ended, and ours is still found")
            return 1
        witness.close()
        return 0
    finally:
        for process in (party, daemon, bus):
            if process and process.poll() is None:
                process.terminate()
                process.wait(10)


sys.exit(main())
