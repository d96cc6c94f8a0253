# SPDX-License-Identifier: Apache-2.0
# Reads packets, a line of hexadecimal digits each, with python-osc, and writes them anew with it.
import sys

from pythonosc.osc_bundle import OscBundle
from pythonosc.osc_bundle_builder import IMMEDIATELY, OscBundleBuilder
from pythonosc.osc_message import OscMessage
from pythonosc.osc_message_builder import OscMessageBuilder
from pythonosc.parsing import osc_types


def message(read):
    _, index = osc_types.get_string(read.dgram, 0)
    types, _ = osc_types.get_string(read.dgram, index)
    builder = OscMessageBuilder(read.address)
    assert len(read.params) == len(types) - 1
    for kind, value in zip(types[1:], read.params):
        builder.add_arg(value, kind)
    return builder.build()


def bundle(read):
    is_now = read.dgram[8:16] == IMMEDIATELY
    builder = OscBundleBuilder(IMMEDIATELY if is_now else read.timestamp)
    for element in read:
        builder.add_content(packet(element))
    return builder.build()


def packet(read):
    return message(read) if isinstance(read, OscMessage) else bundle(read)


for line in sys.stdin:
    data = bytes.fromhex(line)
    kind = OscBundle if OscBundle.dgram_is_bundle(data) else OscMessage
    print(packet(kind(data)).dgram.hex())
