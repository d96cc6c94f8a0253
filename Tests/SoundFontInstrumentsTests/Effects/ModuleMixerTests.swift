// SPDX-License-Identifier: Apache-2.0
import AudioProcessing
import AudioTestSupport
import CAllocationCounter
import Glibc
import MIDIMessages
import MusicalTime
import SoundFontInstruments
import TestSupport
import Testing

/// Delay, equaliser, insertion and variation effects of a module, by their messages and their
/// sound.
@Suite struct ModuleMixerTests {
  private static let channel = Channel(index: 0)
  private static let gsReset = gs(0x40, 0, 0x7F, 0)
  private static let xgReset: [UInt8] = [0x43, 0x10, 0x4C, 0, 0, 0x7E, 0]

  private static func gs(_ body: UInt8...) -> [UInt8] {
    let sum = body.reduce(0) { $0 + Int($1) }
    return [0x41, 0x10, 0x42, 0x12] + body + [UInt8((128 - sum % 128) % 128)]
  }

  private static func xg(_ body: UInt8...) -> [UInt8] { [0x43, 0x10, 0x4C] + body }

  private static func rig() throws -> InstrumentRig {
    try BothEngines.$engine.withValue(.downbeat) { try InstrumentRig(effects: true) }
  }

  /// A note of 0.1 s on channel 1 after messages, without reverb and chorus; two seconds.
  private static func heard(_ messages: [[UInt8]], send: UInt8 = 0) throws -> [Float] {
    let rig = try rig()
    for message in messages { rig.send(sysEx: message, frame: 0) }
    rig.send([
      (640, .control(channel, Controller(91), value: 0)),
      (640, .control(channel, Controller(93), value: 0)),
      (640, .control(channel, Controller(94), value: send)),
      (1280, .noteOn(channel, Key(69), velocity: 100)),
      (1280 + 4800, .noteOff(channel, Key(69), velocity: 64)),
    ])
    return try rig.render(upTo: 96_000)
  }

  private static func insertion(_ type: (UInt8, UInt8), _ part: UInt8 = 0x41) -> [[UInt8]] {
    [gsReset, gs(0x40, 3, 0, type.0, type.1), gs(0x40, part, 0x22, 1), gs(0x40, 3, 0x17, 0)]
  }

  private func level(_ samples: [Float], _ range: Range<Int>) -> Float { Array(samples[range]).rms }

  @Test func `the system delay repeats a note by the time of its macro`() throws {
    let plain = try Self.heard([Self.gsReset])
    let echo = try Self.heard([Self.gsReset], send: 127)
    // 340 ms after the note.
    let start = 1280 + 16_320
    #expect(level(plain, start + 480..<start + 4000) < 1e-4)
    let note = level(plain, 1280 + 480..<1280 + 4000)
    let repeated = level(echo, start + 480..<start + 4000)
    #expect(abs(repeated / note - 1) < 0.1, "\(repeated / note)")
    #expect(level(echo, start - 2000..<start - 100) < 0.1 * note)
    // A second repeat, since the feedback is a quarter.
    let second = level(echo, start + 16_800..<start + 20_320)
    #expect(abs(second / repeated - 0.25) < 0.05, "\(second / repeated)")
  }

  @Test func `the chorus sends to the delay`() throws {
    func heard(_ messages: [[UInt8]]) throws -> [Float] {
      let rig = try Self.rig()
      for message in [Self.gsReset] + messages { rig.send(sysEx: message, frame: 0) }
      rig.send([
        (640, .control(Self.channel, Controller(91), value: 0)),
        (640, .control(Self.channel, Controller(93), value: 127)),
        (1280, .noteOn(Self.channel, Key(69), velocity: 100)),
        (1280 + 4800, .noteOff(Self.channel, Key(69), velocity: 64)),
      ])
      return try rig.render(upTo: 48_000)
    }
    // 340 ms after the note, plus 25 ms of the chorus.
    let range = 1280 + 16_320 + 1200..<1280 + 16_320 + 4000
    let plain = try heard([])
    let note = level(plain, 1280 + 1200..<1280 + 4000)
    #expect(level(plain, range) < 1e-4)
    let half = level(try heard([Self.gs(0x40, 1, 0x40, 64)]), range)
    let whole = level(try heard([Self.gs(0x40, 1, 0x40, 127)]), range)
    #expect(whole > 0.05 * note && abs(half / whole - 0.504) < 0.05, "\(half) \(whole) \(note)")
  }

  @Test func `another macro, and a level of zero`() throws {
    let short = try Self.heard([Self.gsReset, Self.gs(0x40, 1, 0x50, 3)], send: 127)
    let start = 1280 + 6240
    #expect(level(short, start + 480..<start + 4000) > 0.01)
    let none = try Self.heard([Self.gsReset, Self.gs(0x40, 1, 0x58, 0)], send: 127)
    #expect(none == (try Self.heard([Self.gsReset])))
  }

  @Test func `a part with an insertion effect uses it, the others do not`() throws {
    let plain = try Self.heard([Self.gsReset])
    #expect(try Self.heard(Self.insertion((1, 0x11), 0x42)) == plain)
    let driven = try Self.heard(Self.insertion((1, 0x11)))
    #expect(driven != plain && driven.allSatisfy { $0.isFinite })
    // 3-tap delay: the sound, and its echoes after 300, 200 and 235 ms.
    let echoes = try Self.heard(Self.insertion((1, 0x52)))
    #expect(level(echoes, 1280 + 14_400 + 480..<1280 + 18_000) > 0.01)
    #expect(level(plain, 1280 + 14_400 + 480..<1280 + 18_000) < 1e-4)
  }

  @Test func `type 0 passes the sound, and a missing effect leaves the part unchanged`() throws {
    let plain = try Self.heard([Self.gsReset])
    for type in [(0, 0), (4, 0)] as [(UInt8, UInt8)] {
      let passed = try Self.heard(Self.insertion(type))
      #expect(zip(passed, plain).allSatisfy { abs($0 - $1) < 1e-6 })
    }
  }

  /// Plays a note on channel 1 after some messages, with the part's sends, and returns the output
  /// of the reverb or the chorus, whose mixer strip is given, otherwise that of the delay.
  private static func wet(
    strip: Int?, _ messages: [[UInt8]], sends: [UInt8] = [0, 0, 0]
  ) throws -> [Float] {
    let rig = try rig()
    if let strip {
      for other in 0..<rig.mixer.stripCount { rig.mixer[other].isMuted = other != strip }
    }
    for message in messages { rig.send(sysEx: message, frame: 0) }
    rig.send(
      zip([91, 93, 94], sends).map { (640, .control(channel, Controller($0), value: $1)) } + [
        (1280, .noteOn(channel, Key(69), velocity: 100)),
        (1280 + 4800, .noteOff(channel, Key(69), velocity: 64)),
      ])
    return try rig.render(upTo: 48_000)
  }

  /// The difference between two sounds, in decibels.
  private static func difference(_ one: [Float], _ other: [Float]) -> Float {
    20 * log10(one.rms / max(1e-9, other.rms))
  }

  /// SC-8850 owner's manual, page 78: the insertion effect's send levels replace the part's.
  @Test(arguments: [127, 40] as [UInt8])
  func `an insertion without an effect sends at the part's level`(level: UInt8) throws {
    // 340 ms after the note: the delay.
    let echo = 1280 + 16_320 + 480..<1280 + 16_320 + 4000
    for (number, strip) in [16, 17, nil].enumerated() {
      var sends: [UInt8] = [0, 0, 0]
      sends[number] = level
      var part = try Self.wet(strip: strip, [Self.gsReset], sends: sends)
      var inserted = try Self.wet(
        strip: strip,
        Self.insertion((0, 0)) + [Self.gs(0x40, 3, 0x17, sends[0], sends[1], sends[2])])
      if strip == nil { (part, inserted) = (Array(part[echo]), Array(inserted[echo])) }
      #expect(part.rms > 1e-4)
      #expect(abs(Self.difference(inserted, part)) < 0.5, "\(Self.difference(inserted, part)) dB")
    }
  }

  /// XG Specifications 2.0: an insertion precedes the sends of its part.
  @Test(arguments: [127, 40] as [UInt8])
  func `an XG insertion without an effect sends at the part's level`(level: UInt8) throws {
    for (number, strip) in [16, 17].enumerated() {
      var sends: [UInt8] = [0, 0, 0]
      sends[number] = level
      let part = try Self.wet(strip: strip, [Self.xgReset], sends: sends)
      let through = [Self.xg(3, 0, 0, 0x40, 0), Self.xg(3, 0, 0x0C, 0)]
      let inserted = try Self.wet(strip: strip, [Self.xgReset] + through, sends: sends)
      #expect(part.rms > 1e-4)
      #expect(abs(Self.difference(inserted, part)) < 0.5, "\(Self.difference(inserted, part)) dB")
    }
  }

  @Test func `sound removed by an XG insertion is not sent either`() throws {
    // A low shelf and a peak of −12 dB around the note.
    let soft = [
      Self.xg(3, 0, 0, 0x4C, 0), Self.xg(3, 0, 2, 52), Self.xg(3, 0, 3, 28, 52, 10),
      Self.xg(3, 0, 0x0C, 0),
    ]
    let part = try Self.wet(strip: 16, [Self.xgReset], sends: [127, 0, 0])
    let inserted = try Self.wet(strip: 16, [Self.xgReset] + soft, sends: [127, 0, 0])
    #expect(Self.difference(inserted, part) < -3, "\(Self.difference(inserted, part)) dB")
  }

  /// A delay at its default level returns a full send at the part's level, and its send is like the
  /// part's.
  @Test func `the delay of GS sends to the reverb at the level of a part`() throws {
    let part = try Self.wet(strip: 16, [Self.gsReset], sends: [127, 0, 0])
    let once = [Self.gs(0x40, 1, 0x59, 64), Self.gs(0x40, 1, 0x5A, 127)]
    let delayed = try Self.wet(strip: 16, [Self.gsReset] + once, sends: [0, 0, 127])
    // The strip also contains the delay itself, before the reverb is loud.
    let plain = try Self.wet(
      strip: 16, [Self.gsReset] + once.prefix(1), sends: [0, 0, 127])
    let reverb = zip(delayed, plain).map { $0 - $1 }
    #expect(abs(Self.difference(reverb, part)) < 0.5, "\(Self.difference(reverb, part)) dB")
  }

  @Test func `an XG variation effect sends to the chorus like a part of the same level`() throws {
    // A flat equaliser.
    let flat = [
      Self.xgReset, Self.xg(2, 1, 0x40, 0x4D, 0), Self.xg(2, 1, 0x44, 0, 64),
      Self.xg(2, 1, 0x48, 0, 64), Self.xg(2, 1, 0x5A, 1),
    ]
    let returned = try Self.wet(strip: 16, flat, sends: [0, 0, 127])
    let varied = try Self.wet(
      strip: 17, flat + [Self.xg(2, 1, 0x59, 127)], sends: [0, 0, 127])
    let part = try Self.wet(strip: 0, [Self.xgReset])
    let plain = try Self.wet(strip: 17, [Self.xgReset], sends: [0, 127, 0])
    let differences = [Self.difference(varied, returned), Self.difference(plain, part)]
    #expect(abs(differences[0] - differences[1]) < 0.5, "\(differences) dB")
  }

  @Test func `a flat variation effect returns a full send at the level of the part`() throws {
    let flat = [
      Self.xgReset, Self.xg(2, 1, 0x40, 0x4D, 0), Self.xg(2, 1, 0x44, 0, 64),
      Self.xg(2, 1, 0x48, 0, 64), Self.xg(2, 1, 0x5A, 1),
    ]
    let returned = try Self.wet(strip: 16, flat, sends: [0, 0, 127])
    let part = try Self.wet(strip: 0, [Self.xgReset])
    #expect(abs(Self.difference(returned, part)) < 0.5, "\(Self.difference(returned, part)) dB")
  }

  @Test func `a missing effect is reported once, by name, if a part uses it`()
    throws
  {
    let messages: [([[UInt8]], [String])] = [
      (Self.insertion((4, 0)) + Self.insertion((4, 0)), ["GTR Multi 1"]),
      (Array(Self.insertion((4, 0)).prefix(2)), []),
      (Self.insertion((1, 0x20)), []),
      (Self.insertion((9, 9)), ["09 09"]),
      ([Self.xgReset, Self.xg(2, 1, 0x40, 0x0A, 0), Self.xg(2, 1, 0x5A, 1)], ["Gate Reverb"]),
    ]
    for (list, names) in messages {
      let rig = try Self.rig()
      var events: [TimedEvent] = []
      var payloads: [UInt8] = []
      for bytes in list {
        let place = PayloadRange(offset: UInt32(payloads.count), count: UInt32(bytes.count))
        events.append(TimedEvent(time: ReferenceTime(nanoseconds: 0), payload: .sysEx(place)))
        payloads += bytes
      }
      _ = try rig.instrument.prepare(events.span, payloads: payloads.span)
      #expect(rig.instrument.missingEffects.map(\.name) == names)
    }
  }

  @Test func `the equaliser raises and lowers by its gains`() throws {
    let plain = try Self.heard([Self.gsReset])
    // 440 Hz lies below the high shelf.
    let raised = try Self.heard([Self.gsReset, Self.gs(0x40, 2, 0, 1, 0x4C, 1, 0x40)])
    #expect(level(raised, 2000..<5000) > 1.5 * level(plain, 2000..<5000))
    let without = try Self.heard([
      Self.gsReset, Self.gs(0x40, 2, 0, 1, 0x4C, 1, 0x40), Self.gs(0x40, 0x41, 0x20, 0),
    ])
    #expect(without == plain)
  }

  @Test func `XG's variation is a system effect or an insertion`() throws {
    let delay = [Self.xgReset, Self.xg(2, 1, 0x40, 6, 0), Self.xg(2, 1, 0x42, 23, 56, 23, 56)]
    let system = try Self.heard(delay + [Self.xg(2, 1, 0x5A, 1)], send: 127)
    let inserted = try Self.heard(delay + [Self.xg(2, 1, 0x5A, 0, 0)])
    let other = try Self.heard(delay + [Self.xg(2, 1, 0x5A, 0, 1)])
    // 300 ms: 23 times 128 and 56 tenths of a millisecond.
    let range = 1280 + 14_400 + 480..<1280 + 18_000
    #expect(level(system, range) > 0.01 && level(inserted, range) > 0.01)
    #expect(level(other, range) < 1e-4)
  }

  @Test func `a reset restores all defaults`() throws {
    let plain = try Self.heard([Self.gsReset])
    #expect(try Self.heard(Self.insertion((1, 0x11)) + [Self.gsReset]) == plain)
    #expect(try Self.heard([Self.gs(0x40, 2, 1, 0x4C), Self.gsReset]) == plain)
  }

  @Test(.enabled(if: callocationcounter_works(), "a sanitizer replaces the allocator"))
  func `switching effects allocates and locks nothing`() throws {
    let rig = try Self.rig()
    let plan = try rig.plan()
    let types: [(UInt8, UInt8)] = [(1, 0x11), (1, 0x52), (1, 0x22), (1, 0x60), (2, 0), (1, 1)]
    rig.send([(0, .noteOn(Self.channel, Key(69), velocity: 100))])
    for (place, type) in types.enumerated() {
      for message in Self.insertion(type).dropFirst() {
        rig.send(sysEx: message, frame: Int64(640 + place * 640))
      }
    }
    plan.render(at: 0)
    callocationcounter_begin()
    for block in 1..<80 { plan.render(at: SampleTime(frames: Int64(block * 64))) }
    let counts = callocationcounter_end()
    // FluidSynth's reverb and chorus may lock within OpenMP.
    #expect(counts.allocations == 0 && counts.frees == 0)
  }

  @Test func `random messages of GS and XG stay bounded`() throws {
    let rig = try Self.rig()
    var random = SplitMix(seed: 47)
    func byte(_ count: UInt64 = 128) -> UInt8 { UInt8(random.next() % count) }
    var frame: Int64 = 0
    for round in 0..<400 {
      for _ in 0..<16 {
        switch random.next() % 4 {
        case 0: rig.send(sysEx: Self.gs(0x40, 3, byte(32), byte(), byte()), frame: frame)
        case 1: rig.send(sysEx: Self.gs(0x40, 1 + byte(2), byte(96), byte(), byte()), frame: frame)
        case 2:
          rig.send(sysEx: Self.gs(0x41, 9, 40 + byte(50), byte(), byte()), frame: frame)
          rig.send(
            sysEx: Self.xg(2 + byte(2), byte(4), byte(), byte(), byte(), byte()), frame: frame)
        default:
          rig.send(sysEx: Self.gs(0x40, 0x40 + byte(16), 0x20 + byte(4), byte(2)), frame: frame)
        }
      }
      if round % 50 == 0 {
        rig.send(sysEx: round % 100 == 0 ? Self.gsReset : Self.xgReset, frame: frame)
      }
      rig.send([
        (frame, .control(Channel(index: byte(16)), Controller(94), value: byte())),
        (frame, .noteOn(Channel(index: byte(16)), Key(40 + byte(50)), velocity: 1 + byte(127))),
      ])
      frame += 640
      let samples = try rig.render(upTo: frame)
      #expect(samples.allSatisfy { $0.isFinite && abs($0) < 1000 })
    }
  }
}
