# SPDX-License-Identifier: Apache-2.0
"""A SoundFont whose only note is a click that goes to the reverb whole."""
import struct

AT = 480


def write(path, rate):
    frames = [0] * 4096
    frames[AT] = 32767

    def chunk(name, body):
        return name + struct.pack("<I", len(body)) + body + b"\0" * (len(body) % 2)

    def name(text):
        return text.encode().ljust(20, b"\0")

    info = chunk(b"ifil", struct.pack("<HH", 2, 1)) + chunk(b"INAM", b"click\0")
    sound = chunk(b"smpl", struct.pack(f"<{len(frames) + 46}h", *frames, *[0] * 46))
    sample = struct.pack("<5IBbHH", 0, len(frames), 8, len(frames) - 8, rate, 60, 0, 0, 1)
    tables = [
        (b"phdr", name("click") + struct.pack("<3H3I", 0, 0, 0, 0, 0, 0)
         + name("EOP") + struct.pack("<3H3I", 0, 0, 1, 0, 0, 0)),
        (b"pbag", struct.pack("<4H", 0, 0, 1, 0)), (b"pmod", bytes(10)),
        (b"pgen", struct.pack("<4H", 41, 0, 0, 0)),
        (b"inst", name("click") + struct.pack("<H", 0) + name("EOI") + struct.pack("<H", 1)),
        (b"ibag", struct.pack("<4H", 0, 0, 2, 0)), (b"imod", bytes(10)),
        # 100 % to the reverb, and the sample.
        (b"igen", struct.pack("<6H", 16, 1000, 53, 0, 0, 0)),
        (b"shdr", name("click") + sample + name("EOS") + bytes(26)),
    ]
    lists = [(b"INFO", info), (b"sdta", sound), (b"pdta", b"".join(chunk(*t) for t in tables))]
    body = b"sfbk" + b"".join(chunk(b"LIST", kind + inner) for kind, inner in lists)
    path.write_bytes(chunk(b"RIFF", body))
