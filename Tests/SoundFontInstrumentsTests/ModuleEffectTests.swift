// SPDX-License-Identifier: Apache-2.0
import AudioProcessing
import AudioTestSupport
import MIDIMessages
import MusicalTime
import SoundFontInstruments
import TestSupport
import Testing

/// Settings of reverb and chorus by GS, XG and GM2, and of programs by an MT-32, checked by
/// messages and by sound.
@Suite(.bothEngines) struct ModuleEffectTests {
  private static let channel = Channel(index: 0)
  /// After the sixteen dry buses.
  private static let (reverb, chorus) = (16, 17)

  private static func roland(_ model: UInt8, _ body: [UInt8]) -> [UInt8] {
    let sum = body.reduce(0) { $0 + Int($1) }
    return [0x41, 0x10, model, 0x12] + body + [UInt8((128 - sum % 128) % 128)]
  }

  private static func gs(_ address: UInt8, _ value: UInt8) -> [UInt8] {
    roland(0x42, [0x40, 0x01, address, value])
  }

  private static func xg(_ address: UInt8, _ values: UInt8...) -> [UInt8] {
    [0x43, 0x10, 0x4C, 0x02, 0x01, address] + values
  }

  /// GM2's global parameter control: slot 1 is the reverb, 2 the chorus.
  private static func gm2(_ slot: UInt8, _ pairs: UInt8...) -> [UInt8] {
    [0x7F, 0x7F, 4, 5, 1, 1, 1, 1, slot] + pairs
  }

  private static let reset: [UInt8] = [0x7E, 0x7F, 0x09, 0x01]

  /// Two seconds of one return, for a note of 0.1 s with a full send.
  private static func wet(_ bus: Int, _ messages: [[UInt8]]) throws -> [Float] {
    let rig = try InstrumentRig(effects: true)
    for strip in 0..<rig.mixer.stripCount { rig.mixer[strip].isMuted = strip != bus }
    for message in messages { rig.send(sysEx: message, frame: 0) }
    let send = Controller(bus == reverb ? 91 : 93)
    rig.send([
      (640, .control(channel, send, value: 127)),
      (1280, .noteOn(channel, Key(69), velocity: 64)),
      (1280 + 4800, .noteOff(channel, Key(69), velocity: 64)),
    ])
    return try rig.render(upTo: 96_000)
  }

  /// The level a second after the note, relative to the start.
  private static func ring(_ messages: [UInt8]...) throws -> Float {
    let samples = try wet(reverb, messages)
    return Array(samples[57_600..<67_200]).rms / Array(samples[7200..<16_800]).rms
  }

  @Test func `GS reverb macros and XG types decay according to their names`() throws {
    let (room, hall) = (try Self.ring(Self.gs(0x30, 0)), try Self.ring(Self.gs(0x30, 4)))
    let plate = try Self.ring(Self.gs(0x30, 5))
    #expect(hall > plate && plate > 2 * room, "\(room), \(plate), \(hall)")
    let (small, large) = (try Self.ring(Self.xg(0, 2, 0)), try Self.ring(Self.xg(0, 1, 0)))
    #expect(large > 4 * small, "\(small), \(large)")
    #expect(abs(try Self.ring(Self.gs(0x30, 4), Self.reset) / Self.ring() - 1) < 0.01)
    // An invalid or damaged macro changes nothing.
    #expect(try Self.ring(Self.gs(0x30, 9)) == Self.ring())
    #expect(try Self.ring([0x41, 0x10, 0x42, 0x12, 0x40, 1, 0x30, 4, 0]) == Self.ring())
  }

  /// A reset of GS, XG and GM2 sets a send of 40, GM On a send of 0; the same for the chorus.
  @Test(
    arguments: [
      ([0x41, 0x10, 0x42, 0x12, 0x40, 0, 0x7F, 0, 0x41], 40),
      ([0x43, 0x10, 0x4C, 0, 0, 0x7E, 0], 40), ([0x7E, 0x7F, 9, 3], 40), (reset, 0), ([], 0),
    ] as [([UInt8], Float)])
  func `parts send to the reverb and the chorus as set by their reset`(
    reset: [UInt8], send: Float
  ) throws {
    func heard(_ bus: Int, _ controller: UInt8?) throws -> Float {
      let rig = try InstrumentRig(effects: true)
      for strip in 0..<rig.mixer.stripCount { rig.mixer[strip].isMuted = strip != bus }
      if !reset.isEmpty { rig.send(sysEx: reset, frame: 0) }
      if let controller {
        rig.send([(640, .control(Self.channel, Controller(controller), value: 127))])
      }
      rig.send([(1280, .noteOn(Self.channel, Key(69), velocity: 100))])
      return try rig.render(upTo: 24_000).rms
    }
    let whole = try heard(Self.reverb, 91)
    #expect(whole > 1e-4)
    #expect(abs(try heard(Self.reverb, nil) / whole - send / 127) < 0.01)
    #expect(try heard(Self.chorus, nil) < 1e-5)
  }

  @Test(
    arguments: [
      (reverb, gs(0x33, 32), 0.5), (reverb, gs(0x33, 0), 0), (reverb, xg(0x0C, 32), 0.5),
      (reverb, xg(0x00, 0, 0), 0), (chorus, gs(0x3A, 32), 0.5), (chorus, gs(0x3A, 127), 1.984),
      (chorus, xg(0x2C, 0), 0), (chorus, xg(0x20, 0, 0), 0),
    ] as [(Int, [UInt8], Float)])
  func `GS and XG set the level of a return, and a reset restores it`(
    bus: Int, message: [UInt8], expected: Float
  ) throws {
    let plain = try Self.wet(bus, [])
    #expect(plain.rms > 1e-4)
    let heard = try Self.wet(bus, [message])
    // Setting the chorus restarts its modulation.
    #expect(abs(heard.rms / plain.rms - expected) < 0.01 + 0.02 * expected)
    #expect(abs(try Self.wet(bus, [message, Self.reset]).rms / plain.rms - 1) < 0.01)
  }

  /// Selecting a kind restores the default level.
  @Test func `kinds of chorus differ, and start at the default level`() throws {
    let ordinary = try Self.wet(Self.chorus, [Self.gs(0x38, 2)])
    #expect(try Self.wet(Self.chorus, [Self.gs(0x3A, 0), Self.gs(0x38, 2)]) == ordinary)
    #expect(try Self.wet(Self.chorus, [Self.xg(0x20, 0x41, 0)]) == ordinary)
    let kinds = try (0..<7).map { try Self.wet(Self.chorus, [Self.gs(0x38, UInt8($0))]) }
    for (index, kind) in kinds.enumerated() {
      #expect(kinds.firstIndex(of: kind) == index)
      #expect(kind.rms > 1e-3)
    }
  }

  @Test func `global parameters of GM2 set the kind of reverb and its time`() throws {
    let rooms = try [0, 1, 2].map { try Self.ring(Self.gm2(1, 0, $0)) }
    let hall = try Self.ring(Self.gm2(1, 0, 4))
    #expect(rooms[0] < rooms[1] && rooms[1] < rooms[2] && rooms[2] < hall, "\(rooms), \(hall)")
    let short = try Self.ring(Self.gm2(1, 0, 4, 1, 20))
    #expect(hall > 4 * short, "\(short), \(hall)")
    // The default time of a hall.
    #expect(try Self.ring(Self.gm2(1, 0, 4, 1, 64)) == hall)
    #expect(abs(try Self.ring(Self.gm2(1, 0, 4), Self.reset) / Self.ring() - 1) < 0.01)
    // An invalid kind, an invalid slot, parameters of two bytes, and a truncated one.
    for message in [
      Self.gm2(1, 0, 7), Self.gm2(3, 0, 4), [0x7F, 0x7F, 4, 5, 1, 2, 1, 1, 1, 0, 4],
      Self.gm2(1, 0),
    ] {
      #expect(try Self.ring(message) == Self.ring())
    }
  }

  @Test func `global parameters of GM2 set the chorus as GS does`() throws {
    let kind = try Self.wet(Self.chorus, [Self.gs(0x38, 3)])
    #expect(kind.rms > 1e-3)
    #expect(try Self.wet(Self.chorus, [Self.gm2(2, 0, 3)]) == kind)
    // Chorus 2 is chorus 1 with a rate of 9 and a depth of 19.
    let other = try Self.wet(Self.chorus, [Self.gs(0x38, 1)])
    #expect(other != kind)
    #expect(try Self.wet(Self.chorus, [Self.gm2(2, 0, 0, 1, 9, 2, 19)]) == other)
  }

  private static let mt32 = roland(0x16, [0x7F, 0, 0, 1])

  /// The programs that replace the timbres in a font without them, by the timbres' names.
  @Test(
    arguments: [
      (7, 3), (8, 16), (18, 6), (47, 80), (51, 45), (64, 32), (82, 71), (88, 56), (101, 9),
      (117, 116), (122, 55), (127, 96),
    ])
  func `after its reset the programs are those of an MT-32`(program: UInt8, nearest: Int) throws {
    let missing = try Self.missing([
      .message(.program(Self.channel, program)),
      .message(.noteOn(Self.channel, Key(60), velocity: 100)),
    ])
    #expect(missing.map { [$0.bank, $0.program] } == [[0, nearest]])
  }

  @Test func `its parts start with its programs, on channels 2 to 9, and drums on 10`() throws {
    let missing = try Self.missing(
      (0..<10).map { .message(.noteOn(Channel(index: $0), Key(60), velocity: 100)) })
    // Slap bass, strings, brass, saxophone, rain, electric piano, bottle, orchestra hit.
    #expect(missing.map(\.program) == [36, 48, 61, 64, 96, 4, 76, 55])
    #expect(missing.map(\.channel.number) == Array(2...9))
  }

  /// The missing presets of a song that begins with an MT-32's reset.
  private static func missing(_ payloads: [TimedEvent.Payload]) throws -> [MissingPreset] {
    let rig = try InstrumentRig()
    let place = PayloadRange(offset: 0, count: UInt32(mt32.count))
    let events = ([.sysEx(place)] + payloads).map { TimedEvent(time: .zero, payload: $0) }
    return try rig.instrument.prepare(events.span, payloads: mt32.span)
  }

  /// The number of rising zero crossings in one second of a note of 441 Hz.
  private static func pitch(
    font: [UInt8] = TinySoundFont.bytes, after sysEx: [[UInt8]], _ messages: [Message]
  ) throws -> Int {
    let rig = try InstrumentRig(font: font)
    for message in sysEx { rig.send(sysEx: message, frame: 0) }
    rig.send((messages + [.noteOn(channel, Key(69), velocity: 100)]).map { (640, $0) })
    return Array(try rig.render(upTo: 49_280)[1280...]).risingZeroCrossings
  }

  @Test func `a font's MT-32 timbres take precedence, and a bend covers an octave`() throws {
    let program = Message.program(Self.channel, 0)
    #expect(abs(try Self.pitch(after: [Self.mt32], [program]) - 441) <= 1)
    let timbres = TinySoundFont.withTimbres
    #expect(abs(try Self.pitch(font: timbres, after: [Self.mt32], [program]) - 882) <= 1)
    // Another module's reset ends the mode.
    #expect(
      abs(try Self.pitch(font: timbres, after: [Self.mt32, Self.reset], [program]) - 441) <= 1)
    let bend = Message.bend(Self.channel, 0)
    #expect(abs(try Self.pitch(after: [Self.mt32], [bend]) - 220) <= 1)
  }
}
