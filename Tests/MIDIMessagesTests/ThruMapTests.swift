// SPDX-License-Identifier: Apache-2.0
import MIDIMessages
import Testing

@Suite struct ThruMapTests {
  private let one = Channel(index: 0)

  private func on(_ channel: Channel, _ key: UInt8, _ velocity: UInt8 = 100) -> Message {
    .noteOn(channel, Key(key), velocity: velocity)
  }

  private func off(_ channel: Channel, _ key: UInt8) -> Message {
    .noteOff(channel, Key(key))
  }

  @Test func `a filter looks at kind, channel, key and velocity`() {
    let filter = MessageFilter(
      kinds: [.notes, .clock], channels: 1 << 0, keys: NumberRange(from: 40, through: 60),
      velocities: NumberRange(from: 20, through: 90))
    #expect(filter.passes(on(one, 40, 20)))
    #expect(!filter.passes(on(one, 39, 50)))
    #expect(!filter.passes(on(one, 50, 91)))
    #expect(!filter.passes(on(Channel(index: 1), 50, 50)))
    #expect(!filter.passes(.control(one, .volume, value: 1)))
    #expect(filter.passes(Message(status: 0xF8)))
    #expect(!filter.passes(Message(status: 0xFE)))
  }

  @Test func `a range written high to low is what lies outside`() {
    let range = NumberRange(from: 80, through: 40)
    #expect(
      [0, 40, 41, 79, 80, 127].map { range.contains($0) } == [
        true, true, false, false, true, true,
      ])
  }

  @Test func `every message has exactly one kind`() {
    for status in UInt8(0x80)...0xFF {
      let kinds = MessageFilter.Kinds(of: Message(status: status))
      let isUndefined = [0xF4, 0xF5, 0xF9, 0xFD].contains(status)
      #expect(kinds.rawValue.nonzeroBitCount == (isUndefined ? 0 : 1))
    }
  }

  @Test func `transposition spares drums and drops what leaves the keys`() {
    var transform = MessageTransform()
    transform.transposition = 7
    #expect(transform.apply(on(one, 60)) == on(one, 67))
    #expect(transform.apply(on(.percussion, 36)) == on(.percussion, 36))
    #expect(transform.apply(on(one, 121)) == nil)
    transform.transposition = .min
    #expect(transform.apply(on(one, 60)) == nil)
  }

  @Test(
    arguments: [
      (ValueTransform.none, 64, 64), (.add(10), 120, 127), (.add(-70), 64, 0), (.add(.max), 1, 127),
      (.scale(by4096ths: 2048), 101, 51), (.scale(by4096ths: .max), 100, 127),
      (.scale(by4096ths: .min), 100, 0), (.scale(by4096ths: -4096), 1, 0), (.atLeast(200), 5, 127),
      (.atMost(90), 100, 90), (.map([9, 200]), 1, 127), (.map([9, 8]), 2, 2),
    ] as [(ValueTransform, UInt8, UInt8)])
  func `a value is altered and held to its range`(
    change: ValueTransform, value: UInt8, result: UInt8
  ) {
    #expect(change.apply(value) == result)
  }

  @Test func `a velocity never becomes a release`() {
    var transform = MessageTransform()
    transform.velocity = .add(-127)
    #expect(transform.apply(on(one, 60, 5)) == on(one, 60, 1))
    transform.velocity = .drop
    #expect(transform.apply(on(one, 60, 5)) == nil)
  }

  @Test(
    arguments: [
      (.add(1), 5, 6), (.add(20_000), 5, 16383), (.scale(by4096ths: 2048), 101, 51),
      (.atLeast(9000), 5, 9000), (.atMost(9000), 16383, 9000), (.map([64]), 100, 8192),
      (.sequence([.scale(by4096ths: 8192), .add(1), .atMost(150)]), 70, 141),
      (.sequence([.drop, .add(1)]), 1, nil),
    ] as [(ValueTransform, UInt16, UInt16?)])
  func `a fine value is altered in its own range`(
    change: ValueTransform, value: UInt16, result: UInt16?
  ) {
    #expect(change.apply(fine: value) == result)
  }

  @Test func `a bend is scaled about its centre, and keys may be looked up, drums as well`() {
    var transform = MessageTransform()
    transform.bend = .scale(by4096ths: 2048)
    #expect(transform.apply(.bend(one, 8192)) == .bend(one, 8192))
    #expect(transform.apply(.bend(one, 0)) == .bend(one, 4096))
    transform.bend = .scale(by4096ths: .max)
    #expect(transform.apply(.bend(one, 0)) == .bend(one, 0))
    #expect(transform.apply(.bend(one, 16383)) == .bend(one, 16383))
    transform.key = .sequence([.atLeast(40), .atMost(50)])
    transform.transposition = 12
    #expect(transform.apply(on(.percussion, 36)) == on(.percussion, 40))
    #expect(transform.apply(on(one, 60)) == on(one, 62))
    transform.key = .drop
    #expect(transform.apply(on(one, 60)) == nil)
  }

  @Test func `channels are renumbered`() {
    var transform = MessageTransform()
    transform.channelMap[0] = Channel(index: 4)
    transform.channelMap[1] = nil
    #expect(
      transform.apply(.control(one, .modulation, value: 5))
        == .control(Channel(index: 4), .modulation, value: 5))
    #expect(transform.apply(.program(Channel(index: 1), 3)) == nil)
    #expect(transform.apply(.bend(one, 100)) == .bend(Channel(index: 4), 100))
    #expect(transform.apply(Message(status: 0xF8)) == Message(status: 0xF8))
  }

  @Test func `a release follows its note when the settings change in between`() {
    var map = ThruMap()
    map.transform.transposition = 12
    #expect(map.apply(on(one, 60)) == on(one, 72))
    map.transform.transposition = 0
    map.transform.channelMap[0] = nil
    map.filter.kinds = []
    #expect(map.apply(on(one, 61)) == nil)
    #expect(map.apply(off(one, 61)) == nil)
    #expect(map.apply(off(one, 60)) == off(one, 72))
    #expect(map.apply(off(one, 60)) == nil)
  }

  @Test func `a pedal or bend is released on the channel that it was sent to`() {
    var map = ThruMap()
    map.transform.channelMap[0] = Channel(index: 1)
    #expect(
      map.apply(.control(one, .sustain, value: 127))
        == .control(Channel(index: 1), .sustain, value: 127))
    #expect(map.apply(.bend(one, 0)) == .bend(Channel(index: 1), 0))
    map.transform.channelMap[0] = Channel(index: 2)
    map.filter.kinds = .notes
    #expect(
      map.apply(.control(one, .sustain, value: 0))
        == .control(Channel(index: 1), .sustain, value: 0))
    #expect(map.apply(.bend(one, 8192)) == .bend(Channel(index: 1), 8192))
    map.filter.kinds = .all
    #expect(
      map.apply(.control(one, .sustain, value: 127))
        == .control(Channel(index: 2), .sustain, value: 127))
    #expect(map.apply(.bend(one, 8192)) == .bend(Channel(index: 2), 8192))
  }

  @Test func `a key struck twice is released twice at one place`() {
    var map = ThruMap()
    #expect(map.apply(on(one, 60)) == on(one, 60))
    map.transform.transposition = 5
    #expect(map.apply(on(one, 60)) == on(one, 60))
    #expect(map.apply(off(one, 60)) == off(one, 60))
    #expect(map.apply(off(one, 60)) == off(one, 60))
    #expect(map.apply(on(one, 60)) == on(one, 65))
  }
}
