// SPDX-License-Identifier: Apache-2.0
import MIDIMessages
import Testing

@testable import SoundFontVoices

/// The mode messages 124 to 127; each channel is a separate basic channel.
@Suite struct ModeTests {
  private static let bank = Result { try PatchBank(fontAt: Duet.own) }

  private func synth() throws -> VoiceSynth {
    let bank = try Self.bank.get()
    for patch in 0..<bank.patchCount { bank.load(patch) }
    return VoiceSynth(
      bank, .init(hertz: 48_000, polyphony: 256, busCount: 1, gain: 0.2, hasSends: true))
  }

  private func send(_ synth: inout VoiceSynth, _ bytes: [UInt8]) {
    _ = synth.apply(Message(status: bytes[0], data1: bytes[1], data2: bytes[2]), at: 0)
  }

  /// The held keys of a channel in ascending order, each once.
  private func held(_ synth: borrowing VoiceSynth, on channel: Int) -> [Int] {
    var places = [Int32](repeating: 0, count: 256)
    let count = unsafe places.withUnsafeMutableBufferPointer { list in
      unsafe list.baseAddress.map { unsafe synth.list($0, capacity: 256) } ?? 0
    }
    var keys: Set<Int> = []
    for place in places.prefix(count).map({ Int($0) }) {
      let origin = synth.origin(of: place)
      if origin.channel == channel, synth.isHeld(place).byKey { keys.insert(origin.key) }
    }
    return keys.sorted()
  }

  @Test(arguments: [0, 1, 4, 16, 127] as [UInt8])
  func `mono affects only its channel, whatever its value`(value: UInt8) throws {
    var synth = try synth()
    send(&synth, [0xB2, 126, value])
    for channel in UInt8(0)..<16 {
      send(&synth, [0x90 | channel, 60, 100])
      send(&synth, [0x90 | channel, 67, 100])
    }
    for channel in 0..<16 where channel != 9 {
      #expect(held(synth, on: channel) == (channel == 2 ? [67] : [60, 67]))
    }
  }

  @Test func `message 127 and a reset make a channel poly again`() throws {
    for ending in [[0xB2, 127, 0], []] as [[UInt8]] {
      var synth = try synth()
      send(&synth, [0xB2, 126, 1])
      if ending.isEmpty { synth.reset() } else { send(&synth, ending) }
      send(&synth, [0x92, 60, 100])
      send(&synth, [0x92, 67, 100])
      #expect(held(synth, on: 2) == [60, 67])
    }
  }

  @Test func `a mono channel stays silent if it returns to a key without a preset`() throws {
    var synth = try synth()
    send(&synth, [0xB2, 126, 1])
    send(&synth, [0x92, 60, 100])
    send(&synth, [0x92, 67, 100])
    synth.choose(2, bank: 99, program: 99, isDrums: false)
    send(&synth, [0x82, 67, 0])
    #expect(held(synth, on: 2).count <= 1)
  }

  @Test(arguments: 123...127 as ClosedRange<UInt8>)
  func `every mode message releases the notes of its channel only`(
    number: UInt8
  ) throws {
    var synth = try synth()
    send(&synth, [0x90, 60, 100])
    send(&synth, [0x93, 60, 100])
    send(&synth, [0xB0, number, 0])
    #expect(held(synth, on: 0) == [])
    #expect(held(synth, on: 3) == [60])
  }

  @Test(arguments: [124, 125] as [UInt8])
  func `omni changes neither the receiving channels nor the number of notes`(number: UInt8) throws {
    var synth = try synth()
    send(&synth, [0xB1, number, 0])
    send(&synth, [0x91, 60, 100])
    send(&synth, [0x91, 67, 100])
    send(&synth, [0x94, 50, 100])
    #expect(held(synth, on: 1) == [60, 67])
    #expect(held(synth, on: 4) == [50])
    #expect(held(synth, on: 0) == [])
  }
}
