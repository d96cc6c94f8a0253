// SPDX-License-Identifier: Apache-2.0
import AudioProcessing
import AudioTestSupport
import MIDIMessages
import MusicalTime
import SoundFontInstruments
import TestSupport
import Testing

/// Sends of drum notes to the delay of GS and to the variation effect of XG.
@Suite struct DrumSendTests {
  private static let gsReset = gs(0x40, 0, 0x7F, 0)
  /// A variation effect with sends from drum parts: a delay of 300 ms on both sides.
  private static let variation = [
    xg(0, 0, 0x7E, 0), xg(2, 1, 0x40, 6, 0), xg(2, 1, 0x42, 23, 56, 23, 56), xg(2, 1, 0x5A, 1),
  ]
  /// Delay 1 of GS repeats after 340 ms.
  private static let echo = 1280 + 16_320 + 480..<1280 + 16_320 + 4000
  private static let xgEcho = 1280 + 14_400 + 480..<1280 + 14_400 + 3500

  private static func gs(_ body: UInt8...) -> [UInt8] {
    let sum = body.reduce(0) { $0 + Int($1) }
    return [0x41, 0x10, 0x42, 0x12] + body + [UInt8((128 - sum % 128) % 128)]
  }

  private static func xg(_ body: UInt8...) -> [UInt8] { [0x43, 0x10, 0x4C] + body }

  private static func parameter(_ key: UInt8, _ value: UInt8) -> [Message] {
    [(99, 0x1F), (98, key), (6, value)].map {
      .control(.percussion, Controller($0.0), value: $0.1)
    }
  }

  /// A drum of 0.1 s at key 69 after messages, without reverb and chorus; one second.
  private static func heard(
    _ orders: [[UInt8]], _ messages: [Message] = [], key: UInt8 = 69, send: UInt8 = 127
  ) throws -> [Float] {
    let rig = try BothEngines.$engine.withValue(.downbeat) { try InstrumentRig(effects: true) }
    for order in orders { rig.send(sysEx: order, frame: 0) }
    rig.send(
      [(91, 0), (93, 0), (94, send)].map {
        (640, .control(.percussion, Controller($0.0), value: $0.1))
      } + messages.map { (640, $0) } + [
        (1280, .noteOn(.percussion, Key(key), velocity: 100)),
        (1280 + 4800, .noteOff(.percussion, Key(key), velocity: 64)),
      ])
    return try rig.render(upTo: 48_000)
  }

  private func level(_ samples: [Float], _ range: Range<Int>) -> Float { Array(samples[range]).rms }

  @Test func `a GS drum note's delay send follows its parameter and its address`() throws {
    let whole = try Self.heard([Self.gsReset])
    let loud = level(whole, Self.echo)
    #expect(loud > 0.01)
    for value in [0, 64, 127] as [UInt8] {
      for samples in [
        try Self.heard([Self.gsReset], Self.parameter(69, value)),
        try Self.heard([Self.gsReset, Self.gs(0x41, 9, 69, value)]),
      ] {
        let share = level(samples, Self.echo) / loud
        #expect(abs(share - Float(value) / 127) < 0.002, "\(value): \(share)")
        // The drum itself does not change.
        #expect(zip(samples, whole).prefix(1280 + 9000).allSatisfy { abs($0 - $1) < 1e-6 })
      }
    }
  }

  @Test func `other drum notes, and other maps, use the part's send`() throws {
    let whole = try Self.heard([Self.gsReset])
    for order in [Self.gs(0x41, 9, 70, 0), Self.gs(0x41, 0x19, 69, 0)] {
      let samples = try Self.heard([Self.gsReset, order])
      #expect(zip(samples, whole).allSatisfy { abs($0 - $1) < 1e-5 })
    }
    // If the part's send is zero, so are those of its notes.
    let dry = try Self.heard([Self.gsReset], send: 0)
    #expect(try Self.heard([Self.gsReset, Self.gs(0x41, 9, 69, 64)], send: 0) == dry)
  }

  @Test func `a drum note of XG sends to a variation effect that is a system effect`() throws {
    let loud = level(try Self.heard(Self.variation), Self.xgEcho)
    #expect(loud > 0.01)
    for value in [0, 64, 127] as [UInt8] {
      for samples in [
        try Self.heard(Self.variation, Self.parameter(69, value)),
        try Self.heard(Self.variation + [Self.xg(0x30, 69, 7, value)]),
      ] {
        let share = level(samples, Self.xgEcho) / loud
        #expect(abs(share - Float(value) / 127) < 0.002, "\(value): \(share)")
      }
    }
    let inserted = Self.variation + [Self.xg(2, 1, 0x5A, 0, 9)]
    #expect(
      try Self.heard(inserted + [Self.xg(0x30, 69, 7, 0)]) == (try Self.heard(inserted)))
  }

  @Test func `the part's dry level and the equaliser stay in effect`() throws {
    let quiet = Self.xg(8, 9, 0x11, 0)
    let one = try Self.heard(Self.variation + [quiet, Self.xg(0x30, 70, 7, 0)])
    let all = try Self.heard(Self.variation + [quiet])
    #expect(level(all, 1280..<6000) < 1e-4 && level(all, Self.xgEcho) > 0.01)
    #expect(zip(one, all).allSatisfy { abs($0 - $1) < 1e-5 })
    let raised = [Self.gsReset, Self.gs(0x40, 2, 0, 1, 0x4C, 1, 0x40)]
    let both = zip(
      try Self.heard(raised + [Self.gs(0x41, 9, 70, 0)]), try Self.heard(raised))
    #expect(both.allSatisfy { abs($0 - $1) < 1e-5 })
  }

  @Test func `a reset of the drum notes also resets their delay send`() throws {
    let whole = try Self.heard([Self.gsReset])
    let set = [Self.gsReset, Self.gs(0x41, 9, 69, 0)]
    #expect(try Self.heard(set + [Self.gsReset]) == whole)
    #expect(try Self.heard(set + [[0x7D, 0x44, 0x42, 3, 0]]) == whole)
    let back = try Self.heard(set, Self.parameter(69, 127))
    #expect(zip(back, whole).allSatisfy { abs($0 - $1) < 1e-5 })
    let all = try Self.heard(Self.variation)
    #expect(
      try Self.heard(Self.variation + [Self.xg(0x30, 69, 7, 0), Self.xg(0, 0, 0x7D, 0)]) == all)
  }

  @Test func `a send that changes during drum notes keeps the sound bounded`() throws {
    let rig = try BothEngines.$engine.withValue(.downbeat) { try InstrumentRig(effects: true) }
    rig.send(sysEx: Self.gsReset, frame: 0)
    rig.send(sysEx: Self.gs(0x41, 9, 70, 0), frame: 0)
    for frame in stride(from: Int64(1280), to: 40_000, by: 640) {
      rig.send([
        (frame, .control(.percussion, Controller(94), value: frame % 1280 == 0 ? 0 : 127)),
        (frame, .noteOn(.percussion, Key(60 + UInt8(frame / 640 % 12)), velocity: 100)),
      ])
      if frame % 3200 == 0 {
        rig.send(sysEx: [0x7D, 0x44, 0x42, 3, 0], frame: frame + 64)
        rig.send(sysEx: Self.gs(0x41, 9, 70, 0), frame: frame + 128)
      }
    }
    let samples = try rig.render(upTo: 48_000)
    #expect(samples.allSatisfy { $0.isFinite && abs($0) < 100 } && samples.rms > 0.01)
  }
}
