// SPDX-License-Identifier: Apache-2.0
import MIDIMessages
import MusicalTime
import SoundFontInstruments
import TestSupport
import Testing

/// The preset that an instrument plays, identified by a note's pitch: all presets except bank 0's
/// program 0 and kit 0 sound an octave higher.
@Suite(.bothEngines) struct BankModeTests {
  private static let gm: [UInt8] = [0x7E, 0x7F, 9, 1]
  private static let gm2: [UInt8] = [0x7E, 0x7F, 9, 3]
  private static let gs: [UInt8] = [0x41, 0x10, 0x42, 0x12, 0x40, 0, 0x7F, 0, 0x41]
  private static let xg: [UInt8] = [0x43, 0x10, 0x4C, 0, 0, 0x7E, 0]
  private static let part: [UInt8] = [0x41, 0x10, 0x42, 0x12, 0x40, 0x11, 0x15, 1, 0x19]
  private static let font = TinySoundFont.with([
    .init(8, 0), .init(3, 0), .init(64, 0), .init(126, 0), .init(128, 16),
  ])

  /// A SysEx message, or a channel message of channel 1.
  private enum Step {
    case sysEx([UInt8])
    case bank(UInt8, UInt8)
    case program(UInt8)
  }

  /// True if a note after the steps sounds an octave higher.
  private func isUp(_ steps: [Step], _ mode: BankMode = .auto) throws -> Bool {
    let rig = try InstrumentRig(bankMode: mode, font: Self.font)
    var frame: Int64 = 0
    for step in steps {
      switch step {
      case .sysEx(let bytes): rig.send(sysEx: bytes, frame: frame)
      case .bank(let upper, let lower):
        rig.send([
          (frame, Message(status: 0xB0, data1: 0, data2: upper)),
          (frame, Message(status: 0xB0, data1: 32, data2: lower)),
        ])
      case .program(let program): rig.send([(frame, Message(status: 0xC0, data1: program))])
      }
      frame += 64
    }
    rig.send([(frame, .noteOn(Channel(index: 0), Key(69), velocity: 100))])
    _ = try rig.render(upTo: frame + 640)
    let samples = try rig.render(upTo: frame + 24_640)
    let pitch = try #require(samples.pitch(hertz: 48_000))
    return pitch > 600
  }

  @Test func `bank select follows the last reset`() throws {
    let select: [Step] = [.bank(8, 3), .program(0)]
    #expect(try isUp(select))
    #expect(try !isUp([.sysEx(Self.gm)] + select))
    #expect(try isUp([.sysEx(Self.gm), .sysEx(Self.gs)] + select))
    #expect(try isUp([.sysEx(Self.xg)] + select))
    #expect(try !isUp([.sysEx(Self.xg), .bank(8, 0), .program(0)]))
    #expect(try isUp([.sysEx(Self.gm2), .bank(121, 3), .program(0)]))
    #expect(try !isUp([.sysEx(Self.gm2), .bank(8, 0), .program(0)]))
  }

  @Test func `XG kits and sound effects and GM2 kits are in their banks`() throws {
    #expect(try isUp([.sysEx(Self.xg), .bank(127, 0), .program(16)]))
    #expect(try !isUp([.sysEx(Self.xg), .bank(127, 0), .program(17)]))
    #expect(try isUp([.sysEx(Self.xg), .bank(126, 0), .program(0)]))
    #expect(try isUp([.sysEx(Self.xg), .bank(64, 0), .program(0)]))
    #expect(try isUp([.sysEx(Self.gm2), .bank(120, 0), .program(16)]))
    #expect(try !isUp([.bank(120, 0), .program(16)]))
  }

  @Test func `a bank select without a program change survives a reset`() throws {
    #expect(try isUp([.bank(8, 0), .sysEx(Self.gs), .program(0)]))
    #expect(try !isUp([.bank(8, 0), .program(0), .sysEx(Self.gs), .program(0)]))
  }

  @Test func `a fixed mode is kept through resets`() throws {
    #expect(try isUp([.sysEx(Self.gm), .bank(8, 0), .program(0)], .gs))
    #expect(try !isUp([.sysEx(Self.gs), .bank(8, 0), .program(0)], .gm))
    #expect(try isUp([.bank(127, 0), .program(16)], .xg))
  }

  @Test func `a part that GS makes a drum part lacks nothing`() throws {
    let rig = try InstrumentRig(font: Self.font)
    let note = Message.noteOn(Channel(index: 0), Key(40), velocity: 100)
    let events = [
      TimedEvent(
        time: .zero,
        payload: .sysEx(PayloadRange(offset: 0, count: UInt32(Self.part.count)))),
      TimedEvent(time: .zero, payload: .message(note)),
    ]
    #expect(try rig.instrument.prepare(events.span, payloads: Self.part.span).isEmpty)
  }

  @Test func `a missing preset is replaced by the program of bank 0, then program 0`() throws {
    let rig = try InstrumentRig(font: Self.font)
    func missing(_ bytes: [[UInt8]]) throws -> [[Int]] {
      let none: [UInt8] = []
      let events = bytes.map { bytes -> TimedEvent in
        let message = Message(status: bytes[0], data1: bytes[1], data2: bytes.last ?? 0)
        return TimedEvent(time: .zero, payload: .message(message))
      }
      let missing = try rig.instrument.prepare(events.span, payloads: none.span)
      return missing.map { lack -> [Int] in
        guard let played = lack.replacement else { return [lack.bank, lack.program] }
        return [lack.bank, lack.program, played.bank, played.program]
      }
    }
    let note: [UInt8] = [0x90, 60, 100]
    #expect(try missing([[0xB0, 0, 9], [0xC0, 1], note, note]) == [[9, 1, 0, 1]])
    #expect(try missing([[0xB0, 0, 9], [0xC0, 70], note]) == [[9, 70, 0, 0]])
    #expect(try missing([[0xC9, 8], [0x99, 60, 100]]) == [[128, 8, 128, 0]])
    #expect(try missing([[0xB0, 0, 8], [0xC0, 0], note]).isEmpty)
  }
}
