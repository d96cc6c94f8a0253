// SPDX-License-Identifier: Apache-2.0
import MIDIMessages
import MusicalTime
import SoundFontInstruments
import TestSupport
import Testing

/// An instrument whose time limit allows few voices; the least is sixteen.
@Suite(.bothEngines) struct VoiceSheddingTests {
  private static let channel = Channel(index: 0)
  /// The time in which released voices fade.
  private static let fading: Int64 = 64 * 16

  private func rig() throws -> InstrumentRig { try InstrumentRig(workShare: 1e-9) }

  private func on(_ key: Int, _ velocity: UInt8 = 100) -> Message {
    .noteOn(Self.channel, Key(UInt8(key)), velocity: velocity)
  }

  private func off(_ key: Int) -> Message {
    .noteOff(Self.channel, Key(UInt8(key)), velocity: 64)
  }

  @Test func `of many held notes the loudest continue`() throws {
    let rig = try rig()
    // All at once, loud and quiet in turn.
    for group in 0..<3 {
      let frame = Int64(group) * Self.fading
      rig.send(
        (0..<12).map { (frame, on(40 + 12 * group + $0, UInt8($0 % 2 == 0 ? 120 - group : 20))) })
      _ = try rig.render(upTo: frame + Self.fading)
    }
    #expect(rig.instrument.activeVoiceCount == 16)
    #expect(rig.instrument.shedVoiceCount == 20)
    // The notes not released here were shed: all the quiet ones, and two of the last.
    rig.send(stride(from: 40, to: 76, by: 2).map { (4 * Self.fading, off($0)) })
    _ = try rig.render(upTo: 6 * Self.fading)
    #expect(rig.instrument.activeVoiceCount == 0)
  }

  @Test func `the limit is never exceeded, except by fading voices`() throws {
    let rig = try rig()
    var random = SplitMix(seed: 7)
    for quantum in 0..<200 {
      let frame = Int64(quantum * 64)
      rig.send(
        (0..<40).map { _ in
          let key = 30 + Int(random.next() % 60)
          let velocity = UInt8(1 + random.next() % 127)
          return (frame, random.next() % 3 == 0 ? off(key) : on(key, velocity))
        })
      _ = try rig.render(upTo: frame + 64)
      // Sixteen that sound; further notes fade in the next quantum.
      #expect(rig.instrument.activeVoiceCount <= 32)
    }
    _ = try rig.render(upTo: 200 * 64 + Self.fading)
    #expect(rig.instrument.activeVoiceCount <= 16)
    rig.send((30..<90).map { (200 * 64 + Self.fading, off($0)) })
    _ = try rig.render(upTo: 200 * 64 + 3 * Self.fading)
    #expect(rig.instrument.activeVoiceCount == 0)
  }

  @Test func `voices held only by a pedal are shed before held keys, however quiet`() throws {
    let rig = try rig()
    rig.send([(0, Message(status: 0xB0, data1: 64, data2: 127))])
    rig.send((0..<8).map { (0, on(40 + $0, 20)) })
    rig.send((8..<16).map { (0, on(40 + $0, 127)) })
    rig.send((8..<16).map { (Self.fading, off(40 + $0)) })
    rig.send((16..<24).map { (2 * Self.fading, on(40 + $0, 127)) })
    _ = try rig.render(upTo: 4 * Self.fading)
    #expect(rig.instrument.activeVoiceCount == 16)
    // None of the sixteen is held by the pedal.
    rig.send((0..<8).map { (4 * Self.fading, off(40 + $0)) })
    rig.send((16..<24).map { (4 * Self.fading, off(40 + $0)) })
    _ = try rig.render(upTo: 5 * Self.fading)
    #expect(rig.instrument.activeVoiceCount == 16)
    rig.send([(5 * Self.fading, Message(status: 0xB0, data1: 64, data2: 0))])
    _ = try rig.render(upTo: 7 * Self.fading)
    #expect(rig.instrument.activeVoiceCount == 0)
    #expect(rig.instrument.shedVoiceCount == 8)
  }

  @Test func `if there is time for all voices, the sound is the same`() throws {
    let heard = try [nil, 1].map { (share: Double?) in
      let rig = try InstrumentRig(effects: true, workShare: share)
      rig.send((0..<12).map { (Int64($0) * 40, on(50 + $0)) })
      rig.send((0..<12).map { (1000 + Int64($0) * 40, off(50 + $0)) })
      return try rig.render(upTo: 9600)
    }
    #expect(heard[0] == heard[1])
    #expect(heard[0].contains { $0 != 0 })
  }
}
