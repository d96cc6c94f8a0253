// SPDX-License-Identifier: Apache-2.0
import CSoundFontVoices
import MIDIMessages
import SoundFontFiles
import TestSupport
import Testing

@testable import SoundFontVoices

/// Samples of 24 bits, so soft that most of their content is in the lower eight bits.
@Suite struct LowByteTests {
  private typealias Cue = Duet.Cue
  private let scratch: ScratchFolder

  init() throws { scratch = try ScratchFolder() }

  /// A font whose sample is a sawtooth of a few 24-bit steps, looped for ever or not at all.
  private func font(loops: Bool = true) -> FontBuilder {
    var font = FontBuilder(instrument: [FontBuilder.Zone([(54, loops ? 1 : 0), (53, 0)])])
    let frames = (0..<1046).map { $0 < 1000 ? $0 % 100 * 9 - 450 : 0 }
    font.data = frames.flatMap { frame in
      let word = UInt16(truncatingIfNeeded: frame >> 8)
      return [UInt8(word & 0xFF), UInt8(word >> 8)]
    }
    font.lowBytes = frames.map { UInt8($0 & 0xFF) }
    font.minorVersion = 4
    return font
  }

  private let cues = [
    Cue(0, 0x90, 60, 100), Cue(0, 0x90, 67, 60), Cue(0, 0x90, 100, 127), Cue(80, 0x80, 60),
    Cue(90, 0x80, 67), Cue(100, 0x80, 100),
  ]

  @Test(.enabled(if: Duet.isThere, "needs libfluidsynth3"), arguments: [true, false])
  func `samples of 24 bits sound as in FluidSynth`(loops: Bool) throws {
    let duet = try Duet(
      scratch.write("font.sf2", font(loops: loops).bytes), gain: 10)
    #expect(try duet.difference(cues, quanta: 200) < -30)
  }

  @Test(.enabled(if: Duet.isThere, "needs libfluidsynth3"))
  func `lower bytes that FluidSynth rejects are ignored`() throws {
    var old = font()
    old.minorVersion = 1
    var short = font()
    short.lowBytes.removeLast(2)
    for (name, font) in [("old.sf2", old), ("short.sf2", short)] {
      let duet = try Duet(scratch.write(name, font.bytes), gain: 10)
      #expect(unsafe duet.bank.lowBytes == nil)
      #expect(try duet.difference(cues, quanta: 200) < -30, "\(name)")
    }
  }

  @Test func `next to a font of 24 bits one of 16 sounds as it does alone`() throws {
    let long = try PatchBank.Layer(path: scratch.write("long.sf2", font().bytes), bankOffset: 1)
    let path = try scratch.write("words.sf2", FontBuilder().bytes)
    let both = try PatchBank([PatchBank.Layer(path: path), long], programs: nil)
    #expect(unsafe both.lowBytes != nil)
    let sounds = try [PatchBank(fontAt: path), both].map { bank in
      try Duet(path, bank: bank).ours(cues, quanta: 200)
    }
    #expect(sounds[0] == sounds[1])
    #expect(sounds[0][0].contains { abs($0) > 0.001 })
  }

  @Test func `both kinds of loops give the same samples of 24 bits`() throws {
    let duet = try Duet(scratch.write("font.sf2", font().bytes), gain: 10)
    defer { _ = cvoices_choose(1) }
    _ = cvoices_choose(0)
    let plain = duet.ours(cues, quanta: 200)
    guard cvoices_choose(1) != 0 else { try Test.cancel("no wide registers") }
    #expect(duet.ours(cues, quanta: 200) == plain)
  }
}
