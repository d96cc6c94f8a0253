// SPDX-License-Identifier: Apache-2.0
import MIDIMessages
import TestSupport
import Testing

@testable import SoundFontVoices

/// Effects of messages on notes, compared with FluidSynth, using Downbeat's font.
///
/// FluidSynth 2.3's differences from the specifications are left out: portamento times, exclusive
/// classes, tremolo, pitches in whole cents.
@Suite(.enabled(if: Duet.isThere, "needs libfluidsynth3"))
struct MessageDifferenceTests {
  typealias Cue = Duet.Cue

  /// Messages, and a name for the test case.
  struct Case: CustomTestStringConvertible {
    let testDescription: String
    let cues: [Cue]
    var polyphony = 256
    var quanta = 700
    var gain: Float = 0.2

    init(_ name: String, _ parts: [Cue]...) {
      testDescription = name
      cues = parts.flatMap(\.self).enumerated().sorted {
        ($0.element.quantum, $0.offset) < ($1.element.quantum, $1.offset)
      }.map(\.element)
    }
  }

  /// Cues created for each number below a count.
  private static func each(_ count: Int, _ make: (Int) -> [Cue]) -> [Cue] {
    (0..<count).flatMap(make)
  }

  private static func chord(_ program: UInt8, until end: Int = 400) -> [Cue] {
    let keys: [UInt8] = [48, 60, 64, 67]
    return [Cue(0, 0xC0, program)]
      + each(4) { index in
        [
          Cue(index, 0x90, keys[index], 100 - 10 * UInt8(index)),
          Cue(end + index, 0x80, keys[index]),
        ]
      }
  }

  private static func swept(_ controller: UInt8, _ program: UInt8) -> Case {
    Case(
      "controller \(controller), program \(program)", chord(program),
      each(30) { [Cue(20 + 9 * $0, 0xB0, controller, UInt8(127 - 4 * $0))] })
  }

  private static func controllers() -> [Case] {
    var cases: [Case] = []
    for controller: UInt8 in [2, 5, 7, 8, 10, 11, 67, 70, 71, 74, 91, 93] {
      for program: UInt8 in [0, 81] { cases.append(swept(controller, program)) }
    }
    return cases
  }

  private static func generator(_ number: UInt8, _ values: [Int]) -> Case {
    Case(
      "generator \(number)", chord(81), [Cue(300, 0x90, 72, 90)],
      each(values.count) { index in
        let entry = values[index] + 8192
        return [
          Cue(20 + 50 * index, 0xB0, 99, 120), Cue(20 + 50 * index, 0xB0, 98, number),
          Cue(20 + 50 * index, 0xB0, 38, UInt8(entry & 127)),
          Cue(20 + 50 * index, 0xB0, 6, UInt8(entry >> 7)),
        ]
      })
  }

  private static func generators() -> [Case] {
    let changes: [(UInt8, [Int])] = [
      // Octaves; larger jumps are in `FilterJumpTests`.
      (8, [-600, -1200, -1800, -1200, -600]), (9, [100, 300, 0]), (17, [400, -400, 0]),
      (34, [2000, 1000]), (38, [3000, 1000]), (48, [100, 300, 0]), (51, [5, -7]),
    ]
    return changes.map { generator($0.0, $0.1) }
  }

  private static func pedals() -> [Case] {
    let kits: [UInt8] = [0, 8, 16, 24, 25, 32, 40, 48, 99]
    let banks: [UInt8] = [8, 1, 16, 99]
    return [
      Case(
        "sustain", chord(0, until: 60),
        [Cue(30, 0xB0, 64, 127), Cue(200, 0xB0, 64, 0), Cue(230, 0x90, 60, 90)]),
      Case(
        "a key struck again under the pedal", [Cue(0, 0xB0, 64, 127), Cue(250, 0xB0, 64, 0)],
        each(8) { [Cue(20 * $0, 0x90, 60, 100), Cue(20 * $0 + 10, 0x80, 60)] }),
      Case(
        "sostenuto",
        [
          Cue(0, 0x90, 60, 100), Cue(10, 0xB0, 66, 127), Cue(20, 0x90, 64, 100),
          Cue(40, 0x80, 60), Cue(41, 0x80, 64), Cue(90, 0x90, 60, 80), Cue(120, 0x80, 60),
          Cue(200, 0xB0, 66, 0),
        ]),
      Case("a key struck again", each(40) { [Cue(5 * $0, 0x90, 60, UInt8(60 + $0))] }),
      Case("short notes", each(100) { [Cue(3 * $0, 0x90, 60, 100), Cue(3 * $0 + 1, 0x80, 60)] }),
      Case("all notes off", chord(19), [Cue(100, 0xB0, 123, 0)]),
      Case("all sounds off", chord(19), [Cue(100, 0xB0, 120, 0), Cue(150, 0x90, 60, 99)]),
      Case(
        "drums",
        each(80) { index in
          let key = UInt8(35 + (index * 7) % 46)
          return [Cue(6 * index, 0x99, key, UInt8(40 + index)), Cue(6 * index + 3, 0x89, key)]
        }),
      Case(
        "kits",
        each(9) {
          [Cue(60 * $0, 0xC9, kits[$0]), Cue(60 * $0, 0x99, 38, 99), Cue(60 * $0, 0x99, 36, 99)]
        }),
      Case(
        "banks of GS",
        each(4) { index in
          [
            Cue(100 * index, 0xB0, 0, banks[index]), Cue(100 * index, 0xC0, 4 + UInt8(index)),
            Cue(100 * index, 0x90, 60, 99),
          ]
        }),
    ]
  }

  private static func bound() -> [Case] {
    [legato(68, 127), legato(126, 0)]
  }

  private static func legato(_ controller: UInt8, _ value: UInt8) -> Case {
    Case(
      "controller \(controller), bound notes",
      [
        Cue(0, 0xC0, 73),
        Cue(0, 0xB0, controller, value), Cue(1, 0x90, 60, 99), Cue(60, 0x90, 64, 80),
        Cue(90, 0x80, 60), Cue(120, 0x90, 67, 110), Cue(150, 0x80, 67), Cue(200, 0x80, 64),
        Cue(230, 0x90, 72, 70), Cue(260, 0x90, 40, 120), Cue(300, 0x80, 72), Cue(350, 0x80, 40),
        Cue(351, 0xB0, 64, 127), Cue(360, 0x90, 55, 99), Cue(370, 0x80, 55), Cue(400, 0x90, 57, 99),
        Cue(420, 0xB0, 64, 0), Cue(430, 0x80, 57),
      ])
  }

  @Test(arguments: controllers() + generators() + pedals() + bound())
  func `messages have the same effect as in FluidSynth`(_ each: Case) throws {
    let duet = try Self.duet(each)
    let decibels = try duet.difference(each.cues, quanta: each.quanta)
    Duet.tell(each.testDescription, decibels)
    #expect(decibels < -25)
  }

  private static func duet(_ each: Case) throws -> Duet {
    try Duet(Duet.own, bank: banks.get(), polyphony: each.polyphony, gain: each.gain)
  }

  private static let banks = Result { try PatchBank(fontAt: Duet.own) }
}
