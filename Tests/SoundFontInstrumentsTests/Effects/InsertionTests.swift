// SPDX-License-Identifier: Apache-2.0
import AudioProcessing
import AudioTestSupport
import CAllocationCounter
import MIDIMessages
import MusicalTime
import SoundFontInstruments
import TestSupport
import Testing

/// The four insertion effects of XG.
@Suite struct InsertionTests {
  private static let reset = xg(0, 0, 0x7E, 0)
  /// Delay L,R repeats on the left after 250 ms.
  private static let echo = 1280 + 12_000 + 480..<1280 + 12_000 + 4000

  private static func xg(_ body: UInt8...) -> [UInt8] { [0x43, 0x10, 0x4C] + body }

  /// Assigns a part to an insertion effect.
  private static func insertion(_ number: UInt8, _ type: UInt8, _ part: UInt8) -> [[UInt8]] {
    [xg(3, number, 0, type, 0), xg(3, number, 0x0C, part)]
  }

  private static func rig() throws -> InstrumentRig {
    try BothEngines.$engine.withValue(.downbeat) { try InstrumentRig(effects: true) }
  }

  /// A note of 0.1 s after messages, without reverb and chorus; one second.
  private static func heard(
    _ orders: [[UInt8]], on channel: UInt8 = 0, controls: [Message] = []
  ) throws -> [Float] {
    let rig = try rig()
    for order in orders { rig.send(sysEx: order, frame: 0) }
    let channel = Channel(index: channel)
    rig.send([
      (640, .control(channel, Controller(91), value: 0)),
      (640, .control(channel, Controller(93), value: 0)),
    ])
    rig.send(controls.map { (frame: 960, message: $0) })
    rig.send([
      (1280, .noteOn(channel, Key(69), velocity: 100)),
      (1280 + 4800, .noteOff(channel, Key(69), velocity: 64)),
    ])
    return try rig.render(upTo: 48_000)
  }

  private static func level(_ samples: [Float]) -> Float { Array(samples[echo]).rms }
  private func level(_ samples: [Float]) -> Float { Self.level(samples) }

  @Test(arguments: 0..<4 as Range<UInt8>)
  func `each insertion effect has its type, values and part`(number: UInt8) throws {
    let plain = try Self.heard([Self.reset])
    let echoes = try Self.heard([Self.reset] + Self.insertion(number, 6, 0))
    #expect(level(plain) < 1e-4 && level(echoes) > 0.005, "\(level(plain)) \(level(echoes))")
    #expect(try Self.heard([Self.reset] + Self.insertion(number, 6, 0), on: 1) == plain)
    // Half a second on the left.
    let later = try Self.heard(
      [Self.reset] + Self.insertion(number, 6, 0) + [Self.xg(3, number, 0x30, 39, 8)])
    #expect(level(later) < 0.5 * level(echoes), "\(level(later)) \(level(echoes))")
  }

  @Test func `four parts use four effects, and each sounds as it does alone`() throws {
    let types: [UInt8] = [6, 0x4A, 0x46, 0x4C]
    var orders = [Self.reset]
    for (number, type) in zip(UInt8(0)..., types) {
      orders += Self.insertion(number, type, number)
    }
    for (number, type) in zip(UInt8(0)..., types) {
      let alone = try Self.heard([Self.reset] + Self.insertion(0, type, number), on: number)
      #expect(try Self.heard(orders, on: number) == alone, "\(number)")
    }
  }

  /// The controllers of a part: modulation, bend, pressure, and controllers 16 and 17.
  private static let controls: [Message] = {
    let first = Channel(index: 0)
    return [
      .control(first, Controller(1), value: 127), .bend(first, 16_383),
      Message(status: 0xD0, data1: 127), .control(first, Controller(16), value: 127),
      .control(first, Controller(17), value: 127),
    ]
  }()

  /// A dry delay, until a controller makes it wet.
  @Test(arguments: 0..<5)
  func `a controller moves dry and wet by its depth alone`(place: Int) throws {
    for (low, isInsertion) in [(UInt8(0x0D), true), (0x5C, false)] {
      let place = UInt8(place)
      let base: [[UInt8]] =
        isInsertion
        ? Self.insertion(0, 6, 0) + [Self.xg(3, 0, 0x42, 0, 1)]
        : [Self.xg(2, 1, 0x40, 6, 0), Self.xg(2, 1, 0x54, 0, 1), Self.xg(2, 1, 0x5B, 0)]
      let depth = isInsertion ? Self.xg(3, 0, low + place, 127) : Self.xg(2, 1, low + place, 127)
      let control = Self.controls[Int(place)]
      let dry = try Self.heard([Self.reset] + base, controls: [control])
      let moved = try Self.heard([Self.reset] + base + [depth], controls: [control])
      let still = try Self.heard([Self.reset] + base + [depth])
      #expect(level(moved) > 0.005, "\(place): \(level(moved))")
      #expect(max(level(dry), level(still)) < 0.1 * level(moved), "\(place): \(level(dry))")
    }
  }

  @Test func `another part's controllers, and a reset of controllers, move nothing`() throws {
    let base = Self.insertion(0, 6, 0) + [Self.xg(3, 0, 0x42, 0, 1), Self.xg(3, 0, 0x0D, 127)]
    let still = try Self.heard([Self.reset] + base)
    let other = Message.control(Channel(index: 3), Controller(1), value: 127)
    #expect(try Self.heard([Self.reset] + base, controls: [other]) == still)
    let channel = Channel(index: 0)
    let controls = [
      Message.control(channel, Controller(1), value: 127),
      .control(channel, Controller(121), value: 0),
    ]
    #expect(try Self.level(Self.heard([Self.reset] + base, controls: controls)) < 1e-3)
  }

  @Test func `a part assigned to two effects uses the first`() throws {
    let both = [Self.reset] + Self.insertion(2, 0x4A, 0) + Self.insertion(1, 6, 0)
    #expect(try Self.heard(both) == (try Self.heard([Self.reset] + Self.insertion(1, 6, 0))))
  }

  @Test func `a part without a type uses the distortion that is set by a reset`() throws {
    let set = try Self.heard([Self.reset] + Self.insertion(1, 0x49, 0))
    #expect(try Self.heard([Self.reset, Self.xg(3, 1, 0x0C, 0)]) == set)
    #expect(set != (try Self.heard([Self.reset])))
  }

  @Test func `a reset, and its default values, disable the effects`() throws {
    let plain = try Self.heard([Self.reset])
    for number in 0..<4 as Range<UInt8> {
      let set = [Self.reset] + Self.insertion(number, 6, 0)
      #expect(try Self.heard(set + [Self.reset]) == plain)
      #expect(try Self.heard(set + Self.insertion(number, 0x49, 0x7F)) == plain)
    }
  }

  @Test func `numbers above the fourth, and the GS module, do not have these effects`() throws {
    let plain = try Self.heard([Self.reset])
    #expect(try Self.heard([Self.reset] + Self.insertion(4, 6, 0)) == plain)
    let gsReset: [UInt8] = [0x41, 0x10, 0x42, 0x12, 0x40, 0, 0x7F, 0, 0x41]
    let gs = try Self.heard([gsReset])
    #expect(try Self.heard([gsReset] + Self.insertion(1, 6, 0)) == gs)
  }

  @Test(.enabled(if: callocationcounter_works(), "a sanitizer replaces the allocator"))
  func `switching four effects allocates nothing`() throws {
    let rig = try Self.rig()
    let plan = try rig.plan()
    rig.send(sysEx: Self.reset, frame: 0)
    for channel in 0..<4 as Range<UInt8> {
      rig.send([(0, .noteOn(Channel(index: channel), Key(69), velocity: 100))])
    }
    for (place, type) in ([6, 0x4A, 0x46, 0x4C, 0x45, 5, 0x50] as [UInt8]).enumerated() {
      for number in 0..<4 as Range<UInt8> {
        for order in Self.insertion(number, type, number) {
          rig.send(sysEx: order, frame: Int64(640 + place * 640))
        }
      }
    }
    plan.render(at: 0)
    callocationcounter_begin()
    for block in 1..<80 { plan.render(at: SampleTime(frames: Int64(block * 64))) }
    let counts = callocationcounter_end()
    // FluidSynth's reverb and chorus may lock within OpenMP.
    #expect(counts.allocations == 0 && counts.frees == 0)
  }
}
