# SPDX-License-Identifier: Apache-2.0
"""A bus and an Avahi of a test's own, on an interface of a network of its own: `enter()`, then
`start_bus()` and `start_daemon()`."""

import os
import subprocess
import sys
import tempfile

ADDRESS = "10.9.9.1"
BUS = """<!DOCTYPE busconfig PUBLIC "-//freedesktop//DTD D-Bus Bus Configuration 1.0//EN"
 "http://www.freedesktop.org/standards/dbus/1.0/busconfig.dtd">
<busconfig><type>system</type><listen>unix:path={folder}/bus</listen>
<auth>EXTERNAL</auth><policy context="default"><allow send_destination="*" eavesdrop="true"/>
<allow eavesdrop="true"/><allow own="*"/></policy></busconfig>
"""
AVAHI = """[server]
use-ipv6=no
host-name=judge
allow-interfaces=wire
[wide-area]
enable-wide-area=no
[publish]
publish-workstation=no
[rlimits]
"""


def enter():
    """Gives this process, started anew, a folder /run that nobody else sees; returns one for files."""
    if "DOWNBEAT_PRIVATE_RUN" not in os.environ:
        os.environ["DOWNBEAT_PRIVATE_RUN"] = "1"
        os.execvp("unshare", ["unshare", "--mount", sys.executable, *sys.argv])
    subprocess.run(["mount", "-t", "tmpfs", "none", "/run"], check=True)
    os.makedirs("/run/avahi-daemon")
    for words in (["add", "wire", "type", "veth", "peer", "name", "far"], ["set", "far", "up"],
                  ["set", "wire", "up", "multicast", "on"]):
        subprocess.run(["ip", "link", *words], check=True)
    subprocess.run(["ip", "addr", "add", f"{ADDRESS}/24", "dev", "wire"], check=True)
    subprocess.run(["ip", "route", "replace", "224.0.0.0/4", "dev", "wire"], check=True)
    folder = tempfile.mkdtemp(dir="/run")
    for name, text in (("bus.conf", BUS.format(folder=folder)), ("avahi.conf", AVAHI)):
        with open(f"{folder}/{name}", "w") as file:
            file.write(text)
    os.environ["DBUS_SYSTEM_BUS_ADDRESS"] = f"unix:path={folder}/bus"
    return folder


def start_bus(folder):
    return subprocess.Popen(["dbus-daemon", f"--config-file={folder}/bus.conf", "--nofork"])


def start_daemon(folder):
    return subprocess.Popen(
        ["avahi-daemon", "-f", f"{folder}/avahi.conf", "--no-drop-root", "--no-chroot",
         "--no-rlimits"])
