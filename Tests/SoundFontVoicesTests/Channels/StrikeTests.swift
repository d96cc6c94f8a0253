// SPDX-License-Identifier: Apache-2.0
import MIDIMessages
import SoundFontFiles
import Testing

@testable import SoundFontVoices

/// Notes that are recorded instead of played.
@Suite struct StrikeTests {
  private static let bank = Result { try PatchBank(fontAt: Duet.own) }

  private func synth() throws -> VoiceSynth {
    VoiceSynth(
      try Self.bank.get(),
      .init(hertz: 48_000, polyphony: 1, busCount: 1, gain: 0.2, hasSends: false))
  }

  private func send(_ synth: inout VoiceSynth, _ bytes: [UInt8]) -> Bool {
    synth.apply(Message(status: bytes[0], data1: bytes[1], data2: bytes[2]), at: 0)
  }

  @Test func `without recording the notes are nil`() throws {
    var synth = try synth()
    _ = send(&synth, [0x90, 60, 100])
    let notes = synth.struckNotes(of: 0)
    #expect(notes == nil)
  }

  @Test func `every note is recorded, however few voices there are, and none sounds`() throws {
    var synth = try synth()
    let isRecording = synth.recordStrikes()
    #expect(isRecording)
    var expected = NoteSet()
    for key in [0, 60, 127] as [UInt8] {
      let isStruck = send(&synth, [0x90, key, 64])
      #expect(isStruck)
      expected.insert(key: key, velocity: 64)
    }
    let (count, patch) = (synth.activeVoiceCount, synth.preset(of: 0).patch)
    #expect(count == 0)
    let notes = synth.struckNotes(of: patch)
    #expect(notes == expected)
    #expect(notes?.contains(key: 60, velocity: 63) == false)
    let others = synth.struckNotes(of: patch + 1)
    #expect(others == nil)
  }

  @Test(arguments: [0, 60, 127] as [UInt8], [0, 63, 64, 127] as [UInt8])
  func `a set contains the inserted note and no other`(key: UInt8, velocity: UInt8) {
    var notes = NoteSet()
    #expect(notes.isEmpty)
    notes.insert(key: key, velocity: velocity)
    for other in UInt8(0)..<128 {
      #expect(notes.contains(key: other, velocity: velocity) == (other == key))
      #expect(notes.contains(key: key, velocity: other) == (other == velocity))
    }
    #expect(!notes.contains(key: 200, velocity: 200))
  }
}
