// SPDX-License-Identifier: Apache-2.0
import Foundation
import Testing

@testable import SoundFontVoices

/// Part parameters and drum notes of the voices, compared with the figures in the manuals of the
/// SC-88Pro and the MU80, on a sine of 440 Hz at key 69.
@Suite struct PartTests {
  private typealias Cue = Tone.Cue

  /// A part parameter at a quantum.
  private func part(
    _ parameter: PartParameter, _ value: UInt8, at quantum: Int = 0
  ) -> Cue {
    var cue = Cue(quantum, 0xF0, 0)
    cue.part = (parameter, value)
    return cue
  }

  private func cents(_ cues: [Cue], _ start: Double = 0.1, _ end: Double = 0.4) throws -> Double {
    try #require(try Tone(cues, seconds: 0.5).cents(start, end))
  }

  private func level(_ cues: [Cue], _ start: Double = 0.1, _ end: Double = 0.4) throws -> Double {
    try Tone(cues, seconds: 0.5).level(start, end)
  }

  @Test(arguments: [(69, 500), (59, -500), (64, 0), (127, 2400), (0, -2400)] as [(UInt8, Double)])
  func `key shift moves keys by semitones, up to two octaves`(value: UInt8, cents: Double) throws {
    let heard = try self.cents([part(.keyShift, value)] + Tone.note())
    #expect(abs(heard - cents) < 1)
  }

  @Test func `a note that is shifted ends with the key that started it`() throws {
    let cues = [part(.keyShift, 69)] + Tone.note(to: 0.2)
    #expect(try level(cues, 0.3, 0.5) < -100)
  }

  @Test func `the range of fine tuning is 100 cents`() throws {
    let heard = try cents([part(.upperFineTuning, 0)] + Tone.note())
    #expect(abs(heard + 100) < 1)
  }

  @Test func `the pitch offset is in tenths of a hertz`() throws {
    let cues = [part(.upperPitchOffset, 13), part(.lowerPitchOffset, 0)] + Tone.note()
    let hertz = try #require(try Tone(cues, seconds: 0.5).frequency(0.1, 0.4))
    #expect(abs(hertz - 448) < 0.2)
  }

  @Test func `keys and velocities outside the ranges are not played`() throws {
    #expect(try level([part(.lowKey, 70)] + Tone.note()) < -100)
    #expect(try level([part(.highKey, 68)] + Tone.note()) < -100)
    #expect(try level([part(.lowVelocity, 101)] + Tone.note(velocity: 100)) < -100)
    #expect(try level([part(.highVelocity, 99)] + Tone.note(velocity: 100)) < -100)
    #expect(try level([part(.lowKey, 69), part(.highKey, 69)] + Tone.note()) > -40)
  }

  @Test func `velocity depth is a slope, velocity offset counts twice`() throws {
    let plain = try level(Tone.note(velocity: 50))
    #expect(abs(try level([part(.velocityDepth, 32)] + Tone.note(velocity: 100)) - plain) < 0.1)
    #expect(abs(try level([part(.velocityOffset, 59)] + Tone.note(velocity: 60)) - plain) < 0.1)
  }

  @Test func `a random pan differs from note to note and is the same after a reset`() throws {
    func places() throws -> [Double] {
      let cues =
        [part(.pan, 0)]
        + (0..<4).flatMap { Tone.note(from: Double($0) * 0.1, to: Double($0) * 0.1 + 0.08) }
      let tone = try Tone(cues, seconds: 0.5)
      return (0..<4).map { tone.level(Double($0) * 0.1 + 0.02, Double($0) * 0.1 + 0.07) }
    }
    let first = try places()
    #expect(Set(first.map { Int($0 * 10) }).count > 2)
    #expect(try places() == first)
  }

  @Test func `twelve steps of the cutoff are an octave`() throws {
    // Far below the note, a second-order filter falls by 12 dB per octave.
    let zone = [[(8, 6000)]]
    func level(_ cues: [Cue]) throws -> Double {
      try Tone(zones: zone, cues + Tone.note(93), seconds: 0.5).level(0.1, 0.4)
    }
    let plain = try level([])
    #expect(abs(try level([part(.sound(.cutoff), 52)]) - plain + 12) < 1)
    #expect(abs(try level(Tone.note(93) + [part(.sound(.cutoff), 52, at: 1)]) - plain + 12) < 1)
    #expect(abs(try level([part(.sound(.cutoff), 64)]) - plain) < 0.01)
  }

  @Test func `twelve steps of the attack double it`() throws {
    // With an attack of one second, the amplitude after a quarter of a second is 1/4; with two
    // seconds, 1/8.
    func level(_ cues: [Cue]) throws -> Double {
      try Tone(zones: [[(34, 0)]], cues + Tone.note(), seconds: 0.5).level(0.24, 0.26)
    }
    #expect(abs(try level([part(.sound(.attack), 76)]) - level([]) + 6.02) < 0.3)
  }

  @Test func `the range of the wheel's depth is 600 cents`() throws {
    let wheel = [Cue(0, 0xB0, 1, 127)]
    func swing(_ cues: [Cue]) throws -> Double {
      let periods = try Tone(cues + wheel + Tone.note(), seconds: 1).periods(0.2, 0.9)
      return try #require(periods.max())
    }
    #expect(abs(try swing([part(.depth(.modulation, .vibrato), 127)]) - 600) < 25)
    #expect(abs(try swing([part(.depth(.modulation, .vibrato), 10)]) - 50) < 3)
  }

  @Test func `pressure bends by semitones, and changes the level by per cents`() throws {
    let pressed = [Cue(0, 0xD0, 127)]
    let bent = try cents([part(.depth(.pressure, .pitch), 76)] + pressed + Tone.note())
    // The soundfont's vibrato by pressure continues around the pitch.
    #expect(abs(bent - 1200) < 4)
    let live = try cents(
      [part(.depth(.pressure, .pitch), 52)] + Tone.note() + [Cue(30, 0xD0, 127)])
    #expect(abs(live + 1200) < 4)
    let plain = try level(Tone.note())
    let half = try level([part(.depth(.pressure, .amplitude), 32)] + pressed + Tone.note())
    #expect(abs(half - plain + 6.02) < 0.2)
  }

  @Test func `assigned controllers and key pressure affect their destinations`() throws {
    let first = [part(.firstController, 20), part(.depth(.first, .pitch), 67)]
    let heard = try cents(first + [Cue(0, 0xB0, 20, 127)] + Tone.note())
    #expect(abs(heard - 300) < 1)
    let key = [part(.depth(.keyPressure, .pitch), 66)]
    let touched = try cents(key + Tone.note() + [Cue(30, 0xA0, 69, 127)])
    #expect(abs(touched - 200) < 4)
  }

  @Test func `the soft pedal is 3 dB`() throws {
    let change = try level([part(.softPedal, 127)] + Tone.note()) - level(Tone.note())
    #expect(abs(change + 3) < 0.1)
  }

  @Test func `in mono mode a note moves to the next key`() throws {
    let cues = [part(.polyphony, 0)] + Tone.note(57) + Tone.note(69, from: 0.05)
    #expect(abs(try cents(cues)) < 1)
  }

  @Test func `a reset restores every parameter`() {
    let state = PartState(channel: 3)
    #expect(state.receiveChannel == 3 && state.delaySend == 0 && state.dryLevel == 127)
    #expect(!state.isInserted && state.isEqualized && !state.isEdited)
    #expect(state.depth(.modulation, .vibrato) == 10)
    #expect(state.depth(.bend, .pitch) == 66)
    #expect(state.depth(.pressure, .cutoff) == 64)
  }

  // MARK: Addresses

  @Test func `addresses of GS and XG identify the same parameters`() {
    for (gs, xg) in [
      (0x19, 0x0B), (0x1A, 0x0C), (0x1B, 0x0D), (0x1C, 0x0E), (0x1D, 0x0F), (0x1E, 0x10),
      (0x30, 0x15), (0x31, 0x16), (0x32, 0x18), (0x33, 0x19), (0x34, 0x1A), (0x35, 0x1B),
      (0x36, 0x1C), (0x37, 0x17), (0x02, 0x04), (0x16, 0x08), (0x2C, 0x14), (0x40, 0x41),
      (0x08, 0x35), (0x09, 0x36), (0x12, 0x3F), (0x23, 0x40), (0x03, 0x30), (0x07, 0x34),
    ] {
      let (first, second) = (PartParameter(gs: 1, gs), PartParameter(xg: xg))
      #expect(first != nil && "\(first as Any)" == "\(second as Any)", "\(gs) \(xg)")
    }
    #expect("\(PartParameter(gs: 2, 0x44) as Any)" == "\(PartParameter(xg: 0x5D) as Any)")
    for low in 0..<128 { for group in 0..<16 { _ = PartParameter(gs: group, low) } }
  }
}
