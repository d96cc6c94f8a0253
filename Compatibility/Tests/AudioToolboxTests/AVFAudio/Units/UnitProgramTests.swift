// SPDX-License-Identifier: Apache-2.0
import Foundation
import TestSupport
import Testing

/// A program with effects and a sampler, written as for macOS and compiled unchanged.
@Suite struct UnitProgramTests {
  @Test func `A sampler plays a song through an equaliser and a reverb`() throws {
    let folder = try ScratchFolder()
    try folder.write(TinySoundFont.bytes, to: "tiny.sf2")
    // A chord of two quarter notes at 120 BPM.
    let events: [(delta: Int, bytes: [UInt8])] = [
      (0, [0xC0, 0]), (0, [0x90, 60, 100]), (0, [0x90, 64, 100]), (960, [0x80, 60, 64]),
      (0, [0x80, 64, 64]),
    ]
    try folder.write(SongBytes.file(events), to: "song.mid")
    let program = try MacProgram("PlaySong")
    let lines = try program.lines([folder.path("song.mid"), folder.path("tiny.sf2")])
    #expect(lines == ["playing true true", "audible true", "missing -43"])
  }
}
