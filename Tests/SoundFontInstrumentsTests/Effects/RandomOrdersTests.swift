// SPDX-License-Identifier: Apache-2.0
import AudioProcessing
import AudioTestSupport
import MIDIMessages
import MusicalTime
import SoundFontInstruments
import TestSupport
import Testing

/// Random SysEx messages and NRPNs of GS, XG and GM2 to a synthesiser during playback; a million of
/// them in `make test-long`.
@Suite struct RandomOrdersTests {
  /// Random messages, some of them damaged or truncated.
  private struct Orders {
    var random: SplitMix

    mutating func byte(_ count: UInt64 = 128) -> UInt8 { UInt8(random.next() % count) }

    mutating func bytes() -> [UInt8] {
      (0..<(random.next() % 8 == 0 ? 40 : 1 + random.next() % 4)).map { _ in byte() }
    }

    /// A SysEx message without F0 and F7.
    mutating func sysEx() -> [UInt8] {
      let order: [UInt8] =
        switch random.next() % 19 {
        case 0...2: gs([0x40, 3, byte(32)])
        case 3: gs([0x40, 1 + byte(2), byte(96)])
        case 4...6: gs([0x40, [0x10, 0x20, 0x40][Int(byte(3))] | byte(16), byte()])
        case 7: gs([0x41, byte(32), byte()])
        case 8, 9: [0x43, 0x10, 0x4C, 2 + byte(2), byte(2), byte()] + bytes()
        case 10...12: [0x43, 0x10, 0x4C, 8, byte(16), byte()] + bytes()
        case 13: [0x43, 0x10, 0x4C, 0x30 + byte(4), byte(), byte()] + bytes()
        case 14: [0x7F, 0x7F, [4, 8, 9, 10][Int(byte(4))], 1 + byte(9)] + bytes() + bytes()
        case 15: gs([0x40, 1, 0x30 + byte(17)])
        case 16: [0x43, 0x10, 0x4C, 2, 1, byte(0x36)] + bytes()
        case 17: [0x7F, 0x7F, 4, 5, 1, 1, 1, 1, 1 + byte(2), byte(4), byte()] + bytes()
        default: bytes()
        }
      guard random.next() % 32 == 0 else { return order }
      return Array(order.prefix(1 + Int(byte(12))))
    }

    private mutating func gs(_ address: [UInt8]) -> [UInt8] {
      let body = address + bytes()
      let sum = body.reduce(0) { $0 + Int($1) }
      return [0x41, 0x10, 0x42, 0x12] + body + [UInt8((128 - sum % 128) % 128)]
    }

    /// An NRPN of a part or a drum note, with its value.
    mutating func parameter() -> [Message] {
      let channel = Channel(index: byte(16))
      let coarse: UInt8 = random.next() % 2 == 0 ? 1 : 0x14 + byte(12)
      return [(99, coarse), (98, byte()), (6, byte())].map {
        .control(channel, Controller($0.0), value: $0.1)
      }
    }

    /// A reset of GS, XG, GM2 or GM.
    mutating func reset() -> [UInt8] {
      switch random.next() % 4 {
      case 0: [0x41, 0x10, 0x42, 0x12, 0x40, 0, 0x7F, 0, 0x41]
      case 1: [0x43, 0x10, 0x4C, 0, 0, 0x7E, 0]
      case 2: [0x7E, 0x7F, 9, 3]
      default: [0x7E, 0x7F, 9, 1]
      }
    }
  }

  @Test func `the sound stays bounded and every sample is finite`() throws {
    let rounds = LongTests.areWanted ? 10_000 : 200
    let rig = try BothEngines.$engine.withValue(.downbeat) {
      try InstrumentRig(effects: true, polyphony: 64)
    }
    let renderer = OfflineRenderer(plan: try rig.plan(), rate: rig.rate, clamps: false)
    var orders = Orders(random: SplitMix(seed: 1_000_047))
    var frame: Int64 = 0
    var peak: Float = 0
    for round in 0..<rounds {
      for count in 0..<100 {
        if count % 4 == 3 {
          rig.send(orders.parameter().map { (frame, $0) })
        } else {
          rig.send(sysEx: orders.sysEx(), frame: frame)
        }
      }
      if round % 64 == 0 { rig.send(sysEx: orders.reset(), frame: frame) }
      let channel = Channel(index: orders.byte(16))
      rig.send([
        (frame, .control(channel, Controller(91), value: orders.byte())),
        (frame, .control(channel, Controller(93), value: orders.byte())),
        (frame, .control(channel, Controller(94), value: orders.byte())),
        (frame, .program(channel, orders.byte())),
        (frame, .noteOn(channel, Key(20 + orders.byte(90)), velocity: 1 + orders.byte(127))),
        (frame + 128, .noteOn(.percussion, Key(orders.byte()), velocity: 100)),
      ])
      frame += 256
      var highest: Float = 0
      try renderer.render(upTo: SampleTime(frames: frame)) { _ in
        true
      } take: { samples in
        for index in samples.indices { highest = max(highest, abs(samples[index])) }
      }
      peak = max(peak, highest)
      guard highest < 1000 else {
        Issue.record("round \(round): \(highest)")
        return
      }
    }
    #expect(renderer.faultySampleCount == 0)
    #expect(peak > 0.01, "nothing sounded")
    if LongTests.areWanted { print("\(rounds * 100) messages, highest sample \(peak)") }
  }
}
