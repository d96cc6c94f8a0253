// SPDX-License-Identifier: Apache-2.0
import Glibc
import MusicalTime
import SoundFontFiles
import SoundFontInstruments
import TestSupport
import Testing

@Suite struct SoundFontTests {
  @Test func `a complete soundfont is accepted`() throws {
    let folder = try ScratchFolder()
    try folder.write(TinySoundFont.bytes, to: "a.sf2")
    #expect(try SoundFont(path: folder.path("a.sf2")).byteCount == TinySoundFont.bytes.count)
  }

  @Test func `a DLS file is accepted by its content, with its length field`() throws {
    let folder = try ScratchFolder()
    let bytes = TinyDLS().bytes
    try folder.write(bytes, to: "a.dls")
    try folder.write(bytes, to: "a.sf2")
    for name in ["a.dls", "a.sf2"] {
      let path = folder.path(name)
      #expect(SoundFont.isSoundFont(path: path))
      let font = try SoundFont(path: path)
      #expect(font.byteCount == bytes.count)
      #expect(font.tables.format == .dls(level: 1))
      try font.tryOut()
    }
    try folder.write(Array(bytes.dropLast(100)), to: "cut.dls")
    #expect(throws: InstrumentError.self) { try SoundFont(path: folder.path("cut.dls")) }
  }

  @Test func `a missing file and a folder are named with the remedy`() throws {
    let folder = try ScratchFolder()
    let missing = #expect(throws: InstrumentError.self) { try SoundFont(path: "/no.sf2") }
    #expect(missing == .cannotOpen(path: "/no.sf2", code: ENOENT))
    #expect(
      missing?.description
        == "/no.sf2: no such file"
        + " (apt install fluid-soundfont-gm, or choose another)")
    #expect(throws: InstrumentError.cannotOpen(path: folder.path, code: EISDIR)) {
      try SoundFont(path: folder.path)
    }
    #expect(throws: InstrumentError.self) { try SoundFont(path: "/dev/null") }
  }

  @Test func `an empty file and another kind of file are refused`() throws {
    let folder = try ScratchFolder()
    try folder.write("", to: "empty.sf2")
    try folder.write("MThd and so on, no soundfont", to: "song.sf2")
    try folder.write("RIFF", to: "four.sf2")
    for name in ["empty.sf2", "song.sf2", "four.sf2"] {
      let error = #expect(throws: InstrumentError.self) { try SoundFont(path: folder.path(name)) }
      guard case .notSoundFont = error else {
        Issue.record("\(name): \(String(describing: error))")
        continue
      }
    }
  }

  @Test func `a file cut anywhere is refused`() throws {
    let folder = try ScratchFolder()
    let whole = TinySoundFont.bytes
    for count in stride(from: 12, to: whole.count, by: 97) {
      try folder.write(Array(whole[..<count]), to: "cut.sf2")
      let path = folder.path("cut.sf2")
      #expect(
        throws: InstrumentError.truncated(path: path, byteCount: count, expected: whole.count)
      ) { try SoundFont(path: path) }
    }
  }

  /// A wrong byte may leave a playable font; otherwise the font must be refused.
  @Test func `a damaged file is refused with a reason or still works`() throws {
    let folder = try ScratchFolder()
    let rate = try #require(SampleRate(hertz: 48_000))
    let whole = TinySoundFont.bytes
    var refusals = 0
    for place in stride(from: 12, to: whole.count, by: 61) {
      var bytes = whole
      bytes[place] ^= 0xFF
      try folder.write(bytes, to: "bad.sf2")
      do {
        let font = try SoundFont(path: folder.path("bad.sf2"))
        _ = try InstrumentUnit(font, configuration: InstrumentConfiguration(rate: rate))
      } catch {
        refusals += 1
        #expect(error.description.hasPrefix(folder.path("bad.sf2")))
      }
    }
    #expect(refusals > 0)
  }

  @Test func `lists in the wrong place are named`() throws {
    let folder = try ScratchFolder()
    var bytes = TinySoundFont.bytes
    bytes[20] = UInt8(ascii: "X")
    try folder.write(bytes, to: "bad.sf2")
    let error = #expect(throws: InstrumentError.self) {
      try SoundFont(path: folder.path("bad.sf2"))
    }
    #expect(error?.description.contains("the list INFO was expected at byte 12") == true)
  }

  @Test func `a rate that cannot be rendered is refused`() throws {
    let folder = try ScratchFolder()
    try folder.write(TinySoundFont.bytes, to: "a.sf2")
    let font = try SoundFont(path: folder.path("a.sf2"))
    for hertz in [7999, 96_001, 192_000] {
      let rate = try #require(SampleRate(hertz: hertz))
      #expect(throws: InstrumentError.rateOutOfRange(hertz: hertz)) {
        try InstrumentUnit(font, configuration: InstrumentConfiguration(rate: rate))
      }
    }
  }
}
