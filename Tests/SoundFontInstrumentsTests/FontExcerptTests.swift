// SPDX-License-Identifier: Apache-2.0
import Foundation
import MIDIMessages
import MusicalTime
import SoundFontInstruments
import TestSupport
import Testing

/// An instrument that reads only the parts of a soundfont that a song needs.
@Suite(.bothEngines) struct FontExcerptTests {
  private let ours: [UInt8]
  private var fonts: [[UInt8]] { [TinySoundFont.bytes, TinySoundFont.withTimbres, ours] }

  init() throws {
    let path = ToolRun.packageFolder.appendingPathComponent("Soundfonts/Downbeat.sf2").path
    ours = [UInt8](try FileContent.data(path))
  }

  /// Programs, kits, variations and missing presets, each with notes.
  private static var messages: [(frame: Int64, message: Message)] {
    let choices: [(channel: UInt8, bank: UInt8, program: UInt8)] = [
      (0, 0, 24), (1, 0, 1), (2, 8, 61), (3, 127, 0), (9, 0, 8), (9, 0, 77), (5, 3, 118),
    ]
    return choices.enumerated().flatMap { place, choice -> [(frame: Int64, message: Message)] in
      let channel = Channel(index: choice.channel)
      let frame = Int64(place * 2000)
      let messages: [Message] = [
        .control(channel, .bankSelect, value: choice.bank),
        .program(channel, choice.program),
        .noteOn(channel, Key(42), velocity: 100),
        .noteOn(channel, Key(71), velocity: 60),
      ]
      return messages.map { (frame, $0) }
    }
  }

  private static let programs: Set<Int> = [24, 1, 61, 0, 8, 77, 118]

  private func samples(_ font: [UInt8], programs: Set<Int>?) throws -> [Float] {
    let rig = try InstrumentRig(effects: true, font: font, programs: programs)
    rig.send(Self.messages)
    return try rig.render(upTo: 24_000)
  }

  @Test(arguments: 0..<3)
  func `the requested programs sound as from the whole font`(font: Int) throws {
    let whole = try samples(fonts[font], programs: nil)
    #expect(whole.contains { abs($0) > 0.01 })
    #expect(try samples(fonts[font], programs: Self.programs) == whole)
  }

  /// A font whose kits are moved to another bank.
  private static func movingKits(of font: [UInt8], to bank: UInt8) throws -> [UInt8] {
    var font = font
    let name = try #require(font.lastRange(of: Array("phdr".utf8))).lowerBound
    let count = (0..<4).reduce(0) { $0 | Int(font[name + 4 + $1]) << (8 * $1) } / 38
    for record in 0..<count - 1 where font[name + 8 + 38 * record + 22] == 128 {
      font[name + 8 + 38 * record + 22] = bank
    }
    return font
  }

  @Test func `an excerpt of one font does not replace another that is read meanwhile`() throws {
    let top = try Self.movingKits(of: TinySoundFont.bytes, to: 5)
    let sounds = try [nil, [0]].map { (programs: Set<Int>?) in
      let rig = try InstrumentRig(font: top, below: (ours, 1), programs: programs)
      let channel = Channel(index: 0)
      rig.send([
        (0, .control(channel, .bankSelect, value: 1)), (0, .program(channel, 0)),
        (0, .noteOn(channel, Key(60), velocity: 100)),
      ])
      return try rig.render(upTo: 9600)
    }
    #expect(sounds[0].contains { abs($0) > 0.01 })
    #expect(sounds[0] == sounds[1])
  }

  /// Downbeat's voices accept such a font.
  @Test func `a font followed by other bytes is refused by FluidSynth, whatever the programs`()
    throws
  {
    for programs in [nil, [24]] as [Set<Int>?] {
      let font = ours + [UInt8](repeating: 0, count: 8)
      switch BothEngines.engine {
      case .fluidSynth:
        #expect(throws: InstrumentError.self) {
          try InstrumentRig(font: font, programs: programs)
        }
      case .downbeat: _ = try InstrumentRig(font: font, programs: programs)
      }
    }
  }

  @Test func `programs that are not requested are not read, and program 0 replaces them`() throws {
    let rig = try InstrumentRig(font: ours, programs: [24])
    let channel = Channel(index: 0)
    let events = [Message.program(channel, 30), .noteOn(channel, Key(60), velocity: 90)].map {
      TimedEvent(time: .zero, payload: .message($0))
    }
    let none: [UInt8] = []
    let missing = try rig.instrument.prepare(events.span, payloads: none.span)
    #expect(missing.map(\.program) == [30])
    #expect(missing.map(\.replacement?.program) == [0])
  }

  private func limited(_ messages: [Message], sysEx: [UInt8] = []) throws -> Set<Int>? {
    var configuration = InstrumentConfiguration(rate: .hertz48000)
    let place = PayloadRange(offset: 0, count: UInt32(sysEx.count))
    var events = messages.map { TimedEvent(time: .zero, payload: .message($0)) }
    if !sysEx.isEmpty { events.append(TimedEvent(time: .zero, payload: .sysEx(place))) }
    configuration.limitPrograms(to: events.span, payloads: sysEx.span)
    return configuration.programs
  }

  @Test func `the programs of a song are those of its program changes, on all channels`() throws {
    let channels = (0..<3).map { Channel(index: $0) }
    let changes = channels.map { Message.program($0, 20 + $0.index) }
    #expect(try limited(changes + [.noteOn(channels[0], Key(99), velocity: 98)]) == [20, 21, 22])
    #expect(try limited([]) == [])
    let gs: [UInt8] = [0x41, 0x10, 0x42, 0x12, 0x40, 0x00, 0x7F, 0x00, 0x41]
    #expect(try limited(changes, sysEx: gs) == [20, 21, 22])
  }

  @Test(
    arguments: [
      [0x41, 0x10, 0x42, 0x12, 0x40, 0x11, 0x00, 8, 48, 0],
      [0x41, 0x10, 0x42, 0x12, 0x40, 0x11, 0x01, 48, 0],
      [0x43, 0x10, 0x4C, 0x08, 0x00, 0x03, 48], [0x43, 0x10, 0x4C, 0x08, 0x00, 0x01, 0, 0, 48],
    ] as [[UInt8]])
  func `a program assigned to a part by SysEx is among the song's programs`(sysEx: [UInt8]) throws {
    var sysEx = sysEx
    // The GS checksum.
    if sysEx[0] == 0x41 {
      let sum = sysEx[4..<(sysEx.count - 1)].reduce(0) { $0 + Int($1) }
      sysEx[sysEx.count - 1] = UInt8((128 - sum % 128) % 128)
    }
    #expect(try limited([.program(Channel(index: 1), 5)], sysEx: sysEx) == [5, 48])
  }

  @Test func `a song that resets an MT-32 may use any program`() throws {
    let mt32: [UInt8] = [0x41, 0x10, 0x16, 0x12, 0x7F, 0x00, 0x00, 0x01, 0x00]
    #expect(try limited([.program(Channel(index: 1), 5)], sysEx: mt32) == nil)
  }
}
