// SPDX-License-Identifier: Apache-2.0
import AudioProcessing
import Glibc
import MIDIMessages
import MusicalTime
import SoundFontInstruments
import TestSupport
import Testing

/// Messages for the parts and drum notes of GS, XG and GM2, played by Downbeat's voices: key 69 of
/// the tiny soundfont sounds at 441 Hz.
@Suite struct PartParameterTests {
  private static let one = Channel(index: 0)
  private static let note = Message.noteOn(one, Key(69), velocity: 100)
  private static let drum = Message.noteOn(.percussion, Key(69), velocity: 100)
  private static let xgOn: [UInt8] = [0x43, 0x10, 0x4C, 0, 0, 0x7E, 0]

  private static func gs(_ body: UInt8...) -> [UInt8] {
    let sum = body.reduce(0) { $0 + Int($1) }
    return [0x41, 0x10, 0x42, 0x12] + body + [UInt8((128 - sum % 128) % 128)]
  }

  private static func xg(_ body: UInt8...) -> [UInt8] { [0x43, 0x10, 0x4C] + body }

  /// Half a second after some SysEx messages and then channel messages.
  private func render(
    _ orders: [[UInt8]], _ messages: [Message], font: [UInt8] = TinySoundFont.bytes
  ) throws -> [Float] {
    try BothEngines.$engine.withValue(.downbeat) {
      let rig = try InstrumentRig(font: font)
      for order in orders { rig.send(sysEx: order, frame: 0) }
      rig.send(messages.map { (0, $0) })
      return try rig.render(upTo: 24_000)
    }
  }

  private func cents(
    _ orders: [[UInt8]], _ messages: [Message], font: [UInt8] = TinySoundFont.bytes
  ) throws -> Double {
    let samples = try render(orders, messages, font: font)
    return 1200 * log2(try #require(samples.pitch(hertz: 48_000)) / 441)
  }

  private func level(_ orders: [[UInt8]], _ messages: [Message]) throws -> Double {
    let samples = try render(orders, messages)[4800...]
    return sqrt(samples.reduce(0) { $0 + Double($1) * Double($1) } / Double(samples.count))
  }

  private static func entry(
    _ channel: Channel, _ coarse: UInt8, _ fine: UInt8, _ value: UInt8
  ) -> [Message] {
    [(99, coarse), (98, fine), (6, value)].map {
      .control(channel, Controller($0.0), value: $0.1)
    }
  }

  @Test func `the level of a part is its volume`() throws {
    let plain = try level([], [Self.note])
    for order in [Self.gs(0x40, 0x11, 0x19, 25), Self.xg(8, 0, 0x0B, 25)] {
      #expect(abs(try level([order], [Self.note]) / plain - 0.0625) < 0.002)
    }
  }

  @Test func `key shifts of GS and XG are in semitones`() throws {
    #expect(abs(try cents([Self.gs(0x40, 0x11, 0x16, 0x45)], [Self.note]) - 500) < 1.5)
    #expect(abs(try cents([Self.xgOn, Self.xg(8, 0, 8, 0x45)], [Self.note]) - 500) < 1.5)
    let reset = Self.gs(0x40, 0x00, 0x7F, 0x00)
    #expect(abs(try cents([Self.gs(0x40, 0x11, 0x16, 0x45), reset], [Self.note])) < 1.5)
    #expect(abs(try cents([Self.xg(8, 0, 8, 0x45), Self.xgOn], [Self.note])) < 1.5)
    #expect(
      abs(try cents([Self.xg(8, 0, 8, 0x45), [0x7E, 0x7F, 9, 1]], [Self.note])) < 1.5)
  }

  @Test func `a tone number is a bank and a program`() throws {
    let font = TinySoundFont.with([TinySoundFont.Extra(8, 48)])
    let heard = try cents([Self.gs(0x40, 0x11, 0x00, 8, 48)], [Self.note], font: font)
    #expect(abs(heard - 1200) < 1.5)
  }

  @Test func `a part's addresses set bend range, scale and pressure`() throws {
    let bend = Message.bend(Self.one, 16_383)
    #expect(abs(try cents([Self.gs(0x40, 0x21, 0x10, 0x4C)], [bend, Self.note]) - 1200) < 2)
    #expect(abs(try cents([Self.xg(8, 0, 0x23, 0x4C)], [bend, Self.note]) - 1200) < 2)
    // Key 69 is an A: the tenth pitch class.
    #expect(abs(try cents([Self.gs(0x40, 0x11, 0x49, 0x60)], [Self.note]) - 32) < 1.5)
    #expect(abs(try cents([Self.xg(8, 0, 0x4A, 0x20)], [Self.note]) + 32) < 1.5)
    let pressed = Message(status: 0xD0, data1: 127)
    for order in [
      Self.gs(0x40, 0x21, 0x20, 0x47), Self.xg(8, 0, 0x4D, 0x47),
      [0x7F, 0x7F, 9, 1, 0, 0, 0x47],
    ] {
      #expect(abs(try cents([order], [pressed, Self.note]) - 700) < 4)
    }
    let wheel = Message.control(Self.one, Controller(16), value: 127)
    #expect(
      abs(try cents([[0x7F, 0x7F, 9, 3, 0, 16, 0, 0x47]], [wheel, Self.note]) - 700) < 1.5)
  }

  @Test func `a part receives another channel, none, or only some messages`() throws {
    let five = Message.noteOn(Channel(index: 4), Key(69), velocity: 100)
    let moved = [Self.gs(0x40, 0x11, 0x02, 4), Self.gs(0x40, 0x11, 0x16, 0x45)]
    let off = Self.gs(0x40, 0x15, 0x02, 0x10)
    #expect(abs(try cents(moved + [off], [five]) - 500) < 1.5)
    #expect(try level(moved, [Self.note]) == 0)
    #expect(try level([Self.gs(0x40, 0x11, 0x08, 0)], [Self.note]) == 0)
    #expect(try level([Self.xg(8, 0, 0x04, 0x7F)], [Self.note]) == 0)
    let bend = Message.bend(Self.one, 16_383)
    #expect(abs(try cents([Self.gs(0x40, 0x11, 0x03, 0)], [bend, Self.note])) < 1.5)
    #expect(abs(try cents([Self.xg(8, 0, 0x30, 0)], [bend, Self.note])) < 1.5)
  }

  @Test func `samples are read for every part that receives the channel of a note`() throws {
    // Part 2 receives channel 1 and plays another program.
    let orders = [
      Self.gs(0x40, 0x12, 0x02, 0), Self.gs(0x40, 0x12, 0, 0, 1), Self.gs(0x40, 0x11, 0x02, 0x10),
    ]
    func sound(programs: Set<Int>?) throws -> [Float] {
      try BothEngines.$engine.withValue(.downbeat) {
        let rig = try InstrumentRig(programs: programs)
        var bytes: [UInt8] = []
        var events: [TimedEvent] = []
        for order in orders {
          let place = PayloadRange(offset: UInt32(bytes.count), count: UInt32(order.count))
          events.append(TimedEvent(time: .zero, payload: .sysEx(place)))
          bytes += order
        }
        events.append(TimedEvent(time: .zero, payload: .message(Self.note)))
        try rig.instrument.prepare(events.span, payloads: bytes.span)
        _ = rig.instrument.send(events.span, payloads: bytes.span)
        return try rig.render(upTo: 24_000)
      }
    }
    let all = try sound(programs: nil)
    #expect(all.contains { $0 != 0 })
    #expect(try sound(programs: [0, 1]) == all)
  }

  @Test func `parameters and addresses set the pitch of a drum note`() throws {
    let coarse = Self.entry(.percussion, 0x18, 69, 69)
    #expect(abs(try cents([], coarse + [Self.drum]) - 500) < 1.5)
    #expect(abs(try cents([Self.gs(0x41, 0x01, 69, 65)], [Self.drum]) - 500) < 1.5)
    #expect(abs(try cents([Self.xg(0x30, 69, 0, 69)], [Self.drum]) - 500) < 1.5)
    // The second map is for parts that use it.
    #expect(abs(try cents([Self.gs(0x41, 0x11, 69, 65)], [Self.drum])) < 1.5)
    let second = Self.gs(0x40, 0x10, 0x15, 2)
    #expect(abs(try cents([second, Self.gs(0x41, 0x11, 69, 65)], [Self.drum]) - 500) < 1.5)
    // Both reset the drum setup: XG's message, and the player's.
    for order in [Self.xg(0, 0, 0x7D, 0), [0x7D, 0x44, 0x42, 3, 0]] {
      #expect(abs(try cents([Self.xg(0x30, 69, 0, 69), order], [Self.drum])) < 1.5)
    }
  }

  @Test func `a sound controller, a parameter and an address set the same value`() throws {
    // A vibrato of 40 cents hardly changes the mean pitch, but its peaks by 40 cents.
    func swing(_ orders: [[UInt8]], _ messages: [Message]) throws -> Float {
      let samples = try render(orders, messages + [Self.note])
      let plain = try render([], [Self.note])
      return zip(samples, plain).reduce(0) { max($0, abs($1.0 - $1.1)) }
    }
    let control = try swing([], [.control(Self.one, Controller(77), value: 104)])
    #expect(control > 0.001)
    #expect(try swing([], Self.entry(Self.one, 1, 9, 104)) == control)
    #expect(try swing([Self.gs(0x40, 0x11, 0x31, 104)], []) == control)
    #expect(try swing([Self.xg(8, 0, 0x16, 104)], []) == control)
  }

  @Test func `random messages leave the sound bounded`() throws {
    var random = SplitMix(seed: 22)
    try BothEngines.$engine.withValue(.downbeat) {
      let rig = try InstrumentRig()
      for round in 0..<40 {
        for _ in 0..<50 {
          let value = UInt8.random(in: 0...127, using: &random)
          let low = UInt8.random(in: 0...127, using: &random)
          let part = UInt8.random(in: 0...15, using: &random)
          let order =
            switch Int.random(in: 0..<4, using: &random) {
            case 0: Self.gs(0x40, [0x10, 0x20, 0x40][Int(low) % 3] | part, low, value)
            case 1: Self.gs(0x41, UInt8.random(in: 0...0x1F, using: &random), low, value, value)
            case 2: Self.xg(8, part, low, value)
            default: Self.xg(0x30 | part, low, UInt8.random(in: 0...15, using: &random), value)
            }
          rig.send(sysEx: order, frame: Int64(round) * 256)
        }
        rig.send([(Int64(round) * 256, Self.note), (Int64(round) * 256, Self.drum)])
        let samples = try rig.render(upTo: Int64(round + 1) * 256)
        #expect(samples.allSatisfy { $0.isFinite && abs($0) < 64 })
      }
    }
  }
}
