// SPDX-License-Identifier: Apache-2.0
import Testing

@testable import SoundFontVoices

/// Pitches from SoundFont 2.04 and General MIDI, within a cent in the steady state.
@Suite struct PitchTests {
  private typealias Cue = Tone.Cue

  private func cents(_ tone: Tone, _ start: Double, _ end: Double) throws -> Double {
    try #require(tone.cents(start, end))
  }

  /// Key 57, released after 0.2 s, then 69 at 0.4 s, with a portamento time.
  private func glide(
    _ time: UInt8, isOn: Bool = true, channel: UInt8 = 0, fraction: UInt8 = 0
  ) throws -> Tone {
    let controllers = [(5, time), (37, fraction), (65, isOn ? 127 : 0)].map { number, value in
      Cue(0, 0xB0 | channel, UInt8(number), value)
    }
    let notes = [
      Cue(0, 0x90 | channel, 57, 100), Cue(Tone.quantum(0.2), 0x80 | channel, 57),
      Cue(Tone.quantum(0.4), 0x90 | channel, 69, 100),
    ]
    return try Tone(bank: channel == 9 ? 128 : 0, controllers + notes, seconds: 2)
  }

  /// The hardware's times for 36 semitones; an octave takes a third.
  @Test(arguments: [(8, 0.11), (16, 0.25), (32, 0.5), (64, 2.06)] as [(UInt8, Double)])
  func `a detached note glides from the last in the time for its distance`(
    time: UInt8, seconds: Double
  ) throws {
    let tone = try glide(time)
    let octave = seconds / 3
    let middle = 0.4 + octave / 2
    #expect(abs(try cents(tone, middle - 0.008, middle + 0.008) + 600) < 1200 / octave * 0.004)
    #expect(abs(try cents(tone, 0.41 + octave, 0.6 + octave)) < 1)
  }

  @Test func `the time's lower controller is a fraction`() throws {
    let tone = try glide(32, fraction: 64)
    // Between 0.5 s at 32 and 2.06 s at 64, each step multiplies the time by the same factor.
    let octave = 0.5 / 3 * 1.0224
    #expect(abs(try cents(tone, 0.41 + octave, 0.6 + octave)) < 1)
  }

  @Test func `a note without portamento, the first one and drums do not glide`() throws {
    #expect(abs(try cents(glide(64, isOn: false), 0.41, 0.5)) < 1)
    #expect(abs(try cents(glide(64), 0.01, 0.15) + 1200) < 1)
    #expect(abs(try cents(glide(64, channel: 9), 0.41, 0.5)) < 1)
  }

  @Test func `a stretched scale keeps the sample's correction`() throws {
    for scale in [0, 50, 100] {
      for key in [57, 69, 81] as [UInt8] {
        let tone = try Tone(
          zones: [[(56, scale)]], correction: -23, [Cue(0, 0x90, key, 100)], seconds: 0.4)
        let wanted = Double((Int(key) - 69) * scale - 23)
        #expect(abs(try cents(tone, 0.1, 0.4) - wanted) < 0.5, "scale \(scale), key \(key)")
      }
    }
  }

  @Test func `fractions of a cent take effect`() throws {
    // Scale 33: 12 keys are 396 cents; a bend of 1 / 16,384 of 2 semitones is 0.024 cents.
    let tone = try Tone([Cue(0, 0xE0, 21, 64), Cue(0, 0x90, 69, 100)], seconds: 1)
    #expect(abs(try cents(tone, 0.1, 0.9) - 21 * 400.0 / 16_384 * 127 / 128) < 0.1)
  }

  /// The depth of the wheel's pitch modulation, with a vibrato of 0.5 Hz.
  private func depth(_ parameter: [Cue], channel: UInt8 = 0) throws -> Double {
    let wheel = [Cue(0, 0xB0 | channel, 1, 127), Cue(0, 0x90 | channel, 69, 100)]
    let tone = try Tone(
      zones: [[(24, -4838)]], bank: channel == 9 ? 128 : 0, parameter + wheel, seconds: 2.2)
    return tone.periods(0.1, 2.1).map { abs($0) }.max() ?? 0
  }

  private func range(_ semitones: UInt8, _ fraction: UInt8?, channel: UInt8 = 0) -> [Cue] {
    [(101, 0), (100, 5), (6, semitones)].map { Cue(0, 0xB0 | channel, $0.0, $0.1) }
      + (fraction.map { [Cue(0, 0xB0 | channel, 38, $0)] } ?? [])
  }

  @Test func `RPN 5 sets the depth of the wheel`() throws {
    #expect(abs(try depth([]) - 50) < 2)
    #expect(abs(try depth(range(8, 0)) - 800) < 10)
    #expect(abs(try depth(range(8, nil)) - 800) < 10)
    #expect(abs(try depth(range(1, 64)) - 150) < 4)
    #expect(try depth(range(0, 0)) < 0.5)
  }

  @Test func `drums keep the default depth`() throws {
    #expect(abs(try depth(range(8, 0, channel: 9), channel: 9) - 50) < 2)
  }

  @Test func `a loop that ends after its sample is limited to it`() throws {
    let tone = try Tone([Cue(0, 0x90, 69, 100)], seconds: 1) { font in
      font.samples[0].loop = (200, 1040)
    }
    #expect(abs(try cents(tone, 0.2, 0.9)) < 0.5)
    let whole = try Tone([Cue(0, 0x90, 69, 100)], seconds: 1)
    #expect(abs(tone.level(0.2, 0.9) - whole.level(0.2, 0.9)) < 0.05)
  }

  /// The fonts of an AWE32 have headers whose loops end two frames late, and zones that move them.
  @Test func `a loop that ends after its sample is first moved, then limited`() throws {
    let tone = try Tone(zones: [[(3, -202)]], [Cue(0, 0x90, 69, 100)], seconds: 1) { font in
      font.samples[0].loop = (200, 1002)
    }
    #expect(abs(try cents(tone, 0.2, 0.9)) < 0.1)
  }

  @Test(arguments: [128, 255]) func `a sample without a root key has its stored pitch at 60`(
    key: Int
  ) throws {
    let tone = try Tone([Cue(0, 0x90, 60, 100)], seconds: 0.4) { $0.samples[0].key = key }
    #expect(abs(try cents(tone, 0.1, 0.4)) < 0.5)
  }

  @Test func `a font without closing records sounds`() throws {
    let tone = try Tone([Cue(0, 0x90, 69, 100)], seconds: 0.4) { $0.isUnclosed = true }
    #expect(abs(try cents(tone, 0.1, 0.4)) < 0.5)
  }

  @Test func `a font's default modulators are used`() throws {
    let quiet = [Cue(0, 0xB0, 7, 0), Cue(0, 0x90, 69, 127)]
    #expect(try Tone(quiet, seconds: 0.4).level(0.1, 0.4) < -90)
    let tone = try Tone(quiet, seconds: 0.4) { $0.defaultModulators = [[0x502, 48, 960, 0, 0]] }
    #expect(tone.level(0.1, 0.4) > -30)
  }
}
