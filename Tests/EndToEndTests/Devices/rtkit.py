# SPDX-License-Identifier: Apache-2.0
"""A RealtimeKit that keeps a list: on a bus of its own, as strict as the real one.

rtkit.py FOLDER COMMAND WORD... runs the command without the right to a priority and says, a line a
call, which thread was given what; the last line is the command's status.
"""
import json
import os
import subprocess
import sys
import threading

import dbus
import dbus.mainloop.glib
import dbus.service
from gi.repository import GLib

NAME, PATH = "org.freedesktop.RealtimeKit1", "/org/freedesktop/RealtimeKit1"
HIGHEST, LONGEST = 20, 200_000


class Refused(dbus.DBusException):
    _dbus_error_name = "org.freedesktop.DBus.Error.AccessDenied"


class RealtimeKit(dbus.service.Object):
    calls = []

    @dbus.service.method(dbus.PROPERTIES_IFACE, in_signature="ss", out_signature="v")
    def Get(self, interface, name):
        assert interface == NAME
        return {"MaxRealtimePriority": dbus.Int32(HIGHEST), "RTTimeUSecMax": dbus.Int64(LONGEST)}[name]

    @dbus.service.method(NAME, in_signature="tu", out_signature="", sender_keyword="sender")
    def MakeThreadRealtime(self, thread, priority, sender):
        process = pid_of(self.connection, sender)
        task = f"/proc/{process}/task/{thread}"
        with open(f"/proc/{process}/limits") as limits:
            line = next(line for line in limits if line.startswith("Max realtime timeout"))
        hard = line.split()[4]
        if hard == "unlimited" or int(hard) > LONGEST or priority > HIGHEST:
            self.calls.append({"refused": line.strip()})
            raise Refused("the limit of run time is too high")
        os.sched_setscheduler(thread, os.SCHED_RR | os.SCHED_RESET_ON_FORK, os.sched_param(priority))
        with open(task + "/comm") as comm, open(task + "/stat") as stat:
            policy = stat.read().rsplit(")", 1)[1].split()[38]
            self.calls.append(
                {"name": comm.read().strip(), "priority": int(priority), "policy": int(policy),
                 "isMain": thread == process})


def pid_of(bus, sender):
    return bus.get_object("org.freedesktop.DBus", "/org/freedesktop/DBus").GetConnectionUnixProcessID(
        sender, dbus_interface="org.freedesktop.DBus")


def main():
    folder, words = sys.argv[1], sys.argv[2:]
    address = f"unix:path={folder}/bus"
    with open(folder + "/bus.conf", "w") as config:
        config.write(
            f"<busconfig><type>system</type><listen>{address}</listen><auth>EXTERNAL</auth>"
            "<policy context='default'><allow send_destination='*'/><allow receive_sender='*'/>"
            "<allow own='*'/><allow user='*'/></policy></busconfig>")
    daemon = subprocess.Popen(
        ["dbus-daemon", "--nofork", "--print-address=1", f"--config-file={folder}/bus.conf"],
        stdout=subprocess.PIPE)
    try:
        daemon.stdout.readline()
        dbus.mainloop.glib.DBusGMainLoop(set_as_default=True)
        bus = dbus.bus.BusConnection(address)
        name = dbus.service.BusName(NAME, bus)
        kit = RealtimeKit(bus, PATH)
        loop = GLib.MainLoop()
        environment = dict(os.environ, DBUS_SYSTEM_BUS_ADDRESS=address)
        # Root's right to any priority is taken away.
        child = subprocess.Popen(
            ["setpriv", "--bounding-set=-sys_nice", "--inh-caps=-sys_nice",
             "prlimit", "--rtprio=0:0", *words], env=environment)

        def wait():
            child.wait()
            GLib.idle_add(loop.quit)

        threading.Thread(target=wait).start()
        loop.run()
        for call in kit.calls:
            print(json.dumps(call, sort_keys=True))
        print(child.returncode)
        del name
    finally:
        daemon.kill()
        daemon.wait()


main()
