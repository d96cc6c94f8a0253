// SPDX-License-Identifier: Apache-2.0
import Foundation
import Testing

@testable import SoundFontVoices

/// NRPN 127 of the AWE32, compared with the filter NRPN test and Creative's manual.
@Suite struct AWEParameterTests {
  private typealias Cue = Tone.Cue

  private func cues(_ number: UInt8, upper: UInt8? = nil, lower: UInt8) -> [Cue] {
    [Cue(0, 0xB0, 99, 127), Cue(0, 0xB0, 98, number)]
      + (upper.map { [Cue(0, 0xB0, 6, $0)] } ?? []) + [Cue(0, 0xB0, 38, lower)]
  }

  @Test(
    arguments: [
      (0, 100), (13, 157), (25, 237), (38, 371), (51, 581), (64, 910), (76, 1377), (89, 2156),
      (102, 3376), (114, 5108), (127, 8000),
    ] as [(UInt8, Double)])
  func `the cutoff has the steps of the hardware`(value: UInt8, hertz: Double) {
    let cents = AWEParameter.amount(21, upper: 0, lower: value)
    #expect(abs(8.1758 * exp2(cents / 1200) / hertz - 1) < 0.01)
  }

  @Test(
    arguments: [
      (0, 0), (13, 2.03), (25, 3.91), (38, 5.94), (51, 7.97), (64, 10), (76, 11.88), (89, 13.91),
      (102, 15.94), (114, 17.81), (127, 19.84),
    ] as [(UInt8, Double)])
  func `the resonance has the steps of the hardware`(value: UInt8, decibels: Double) {
    #expect(abs(AWEParameter.amount(22, upper: 0, lower: value) / 10 - decibels) < 0.01)
  }

  @Test func `other parameters have the units of the manual`() {
    let seconds = { (number: Int, value: Int) in
      exp2(
        AWEParameter.amount(
          number, upper: UInt8((8192 + value) >> 7), lower: UInt8((8192 + value) & 127)) / 1200)
    }
    for number in [0, 2, 4, 7, 9, 10, 13, 15] {
      #expect(abs(seconds(number, 1000) - 4) < 0.001, "\(number)")
    }
    for number in [5, 6, 11, 12] { #expect(abs(seconds(number, 1000) - 1) < 0.001, "\(number)") }
    #expect(seconds(11, 0) < 0.0011)
    let rate = 8.1758 * exp2(AWEParameter.amount(1, upper: 64, lower: 100) / 1200)
    #expect(abs(rate - 8.4) < 0.001)
    #expect(AWEParameter.amount(14, upper: 64, lower: 16) == 120)
    #expect(AWEParameter.amount(18, upper: 64, lower: 16) == 150)
    #expect(AWEParameter.amount(18, upper: 63, lower: 112) == -150)
    #expect(AWEParameter.amount(20, upper: 64, lower: 32) == 60)
    #expect(AWEParameter.amount(24, upper: 64, lower: 100) == 5625)
  }

  @Test func `numbers beyond the last do nothing`() {
    for number in 27..<128 { #expect(AWEParameter.generator(number) == nil) }
  }

  @Test func `the cutoff affects playing notes and later ones`() throws {
    let (open, closed) = (cues(21, lower: 127), cues(21, lower: 0))
    let note = [Cue(0, 0x90, 69, 127)]
    let loud = try Tone(open + note, seconds: 0.4).level(0.2, 0.4)
    for order in [closed + note, note + closed] {
      #expect(try Tone(order, seconds: 0.4).level(0.2, 0.4) < loud - 20)
    }
  }

  @Test func `an attack affects later notes, a pitch affects all`() throws {
    let note = [Cue(0, 0x90, 69, 127)]
    let attack = cues(11, upper: 64 + 15, lower: 80)
    #expect(try Tone(attack + note, seconds: 0.4).level(0, 0.1) < -30)
    #expect(try Tone(note + attack, seconds: 0.4).level(0, 0.1) > -20)
    let pitch = cues(16, upper: 64 + 2, lower: 44)
    for order in [pitch + note, note + pitch] {
      let cents = try #require(try Tone(order, seconds: 0.4).cents(0.1, 0.4))
      #expect(abs(cents - 300) < 0.5)
    }
  }

  @Test func `a reset of controllers removes them`() throws {
    let cues = cues(21, lower: 0) + [Cue(0, 0xB0, 121, 0), Cue(0, 0x90, 69, 127)]
    let plain = try Tone([Cue(0, 0x90, 69, 127)], seconds: 0.4)
    #expect(abs(try Tone(cues, seconds: 0.4).level(0.2, 0.4) - plain.level(0.2, 0.4)) < 0.01)
  }
}
