// SPDX-License-Identifier: Apache-2.0
import Foundation
import TestSupport
import Testing

/// Title, markers and loop of a song in the rendered sound file, as found by a separate reader.
@Suite struct RenderedNameTests {
  /// Reads the chunks of WAV and RF64 files, and the comments of FLAC and Ogg files.
  private static let witness = #"""
    import struct, sys
    data = open(sys.argv[1], 'rb').read()
    def chunks(data, at, end):
        while at + 8 <= end:
            name, size = data[at:at+4], struct.unpack_from('<I', data, at + 4)[0]
            if name == b'data' and size == 0xFFFFFFFF: size = long
            if name == b'ds64':
                globals()['total'], globals()['long'] = struct.unpack_from('<QQ', data, at + 8)
            yield name, at + 8, size
            at += 8 + size + size % 2
    def comments(at):
        vendor = struct.unpack_from('<I', data, at)[0]
        at += 4 + vendor
        count = struct.unpack_from('<I', data, at)[0]
        at += 4
        for _ in range(count):
            size = struct.unpack_from('<I', data, at)[0]
            print(data[at+4:at+4+size].decode())
            at += 4 + size
    if data[:4] in (b'RIFF', b'RF64'):
        total = struct.unpack_from('<I', data, 4)[0]
        found, names = {}, {}
        for name, at, size in chunks(data, 12, len(data)):
            if name == b'cue ':
                for i in range(struct.unpack_from('<I', data, at)[0]):
                    number, _, chunk, _, _, place = struct.unpack_from('<II4sIII', data, at + 4 + 24 * i)
                    found[number] = (place, chunk.decode())
            if name == b'smpl':
                period, = struct.unpack_from('<I', data, at + 8)
                count, = struct.unpack_from('<I', data, at + 28)
                for i in range(count):
                    print('loop', struct.unpack_from('<IIIIII', data, at + 36 + 24 * i)[1:4], period)
            if name == b'LIST' and data[at:at+4] == b'adtl':
                for kind, place, length in chunks(data, at + 4, at + size):
                    number, = struct.unpack_from('<I', data, place)
                    names[number] = data[place+4:place+length-1].decode()
            if name == b'LIST' and data[at:at+4] == b'INFO':
                for kind, place, length in chunks(data, at + 4, at + size):
                    print(kind.decode(), data[place:place+length].rstrip(b'\0').decode())
        for number in sorted(found): print('cue', *found[number], names.get(number))
        print('size', 'right' if total + 8 == len(data) else 'wrong')
    elif data[:4] == b'fLaC':
        at = 4
        while data[at] & 0x7F != 4: at += 4 + int.from_bytes(data[at+1:at+4], 'big')
        comments(at + 4)
    elif b'OpusTags' in data[:65536]: comments(data.index(b'OpusTags') + 8)
    else: comments(data.index(b'\x03vorbis') + 7)
    """#

  /// A song with a name, two markers, a cue point and a loop, at 120 beats a minute.
  private let song = SongBytes.file([
    (0, [0xFF, 0x03, 5] + Array("Étud".utf8)), (0, [0xFF, 0x06, 1] + Array("A".utf8)),
    (0, [0x90, 60, 100]), (480, [0xFF, 0x06, 9] + Array("loopStart".utf8)),
    (0, [0xFF, 0x07, 4] + Array("door".utf8)), (0, [0x80, 60, 64]),
    (480, [0xFF, 0x06, 7] + Array("loopEnd".utf8)),
  ])

  private func said(_ suffix: String) throws -> [Substring] {
    let folder = try ScratchFolder()
    let path = try folder.write("song.mid", song)
    let sound = folder.path("song.\(suffix)")
    let font = ToolRun.packageFolder.appendingPathComponent("Soundfonts/Downbeat.sf2").path
    let run = try CommandRun(["render", path, "-o", sound, "--soundfont", font])
    try #require(run.status == 0, "\(run.errors)")
    let info = try CommandRun(["sound", "info", sound])
    #expect(info.status == 0 && info.text.contains("Étud"), "\(info.text)\(info.errors)")
    let witness = try ToolRun(
      ["-c", Self.witness, sound], environment: ["PYTHONIOENCODING": "utf-8"],
      command: "python3")
    #expect(witness.status == 0, "\(witness.errors)")
    return witness.text.split(separator: "\n")
  }

  @Test(arguments: ["wav", "rf64"])
  func `a WAV file names its markers and has its loop`(suffix: String) throws {
    let said = try said(suffix)
    for line in [
      "cue 0 data A", "cue 24000 data loopStart", "cue 24000 data door",
      "cue 48000 data loopEnd", "loop (0, 24000, 47999) 20833", "size right",
    ] {
      #expect(said.contains { $0 == line }, "\(line): \(said)")
    }
    #expect(suffix == "rf64" || said.contains("INAM Étud"), "\(said)")
  }

  @Test(arguments: ["flac", "ogg", "opus"])
  func `comments have the title and the loop that players of games' music read`(
    suffix: String
  ) throws {
    let said = try said(suffix)
    for line in ["TITLE=Étud", "LOOPSTART=24000", "LOOPLENGTH=24000"] {
      #expect(said.contains { $0.uppercased() == line.uppercased() }, "\(line): \(said)")
    }
    #expect(!said.contains { $0.hasPrefix("LICENSE") })
  }
}
