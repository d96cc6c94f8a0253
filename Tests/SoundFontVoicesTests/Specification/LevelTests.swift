// SPDX-License-Identifier: Apache-2.0
import Testing

@testable import SoundFontVoices

/// Levels from SoundFont 2.04, within 0.02 dB in the steady state.
@Suite struct LevelTests {
  @Test(arguments: [120, 300, 480]) func `the sustain level is the font's`(
    centibels: Int
  ) throws {
    // A hold of 0.3 s, a decay of 0.25 s.
    let zone = [(35, -2084), (36, -2400), (37, centibels)]
    let tone = try Tone(zones: [zone], Tone.note(), seconds: 1)
    let fall = tone.level(0.7, 0.9) - tone.level(0.1, 0.25)
    #expect(abs(fall + Double(centibels) / 10) < 0.02)
  }

  @Test(arguments: [0, 50, 100, 150, 200, 250, 300, 301])
  func `attenuation counts for two fifths, also if a preset reduces it`(
    amount: Int
  ) throws {
    let full = try Tone(Tone.note(), seconds: 0.4).level(0.1, 0.35)
    let soft = try Tone(zones: [[(48, amount)]], Tone.note(), seconds: 0.4).level(0.1, 0.35)
    #expect(abs(soft - full + Double(amount) * 0.04) < 0.02)
    let raised = try Tone(
      zones: [[(48, amount)]], preset: [(48, -301)], Tone.note(), seconds: 0.4
    ).level(0.1, 0.35)
    #expect(abs(raised - full) < 0.02)
  }

  @Test(arguments: [(-150, 60, 6.0), (-150, 30, 3), (-150, 0, 0), (-750, 120, 12), (100, 60, -4)])
  func `a boost lets gain exceed the sample, by at most 12 dB`(
    attenuation: Int, boost: Int, decibels: Double
  ) throws {
    let full = try Tone(Tone.note(), seconds: 0.4).level(0.1, 0.35)
    let raised = try Tone(
      zones: [[(48, attenuation), (49, boost)]], Tone.note(), seconds: 0.4
    ).level(0.1, 0.35)
    #expect(abs(raised - full - decibels) < 0.02)
  }

  @Test(arguments: [(127, 0.0), (111, -2.34), (95, -5.04), (63, -12.18), (31, -24.50)])
  func `velocity attenuates by up to 96 dB along a concave curve, by 0 at 127`(
    velocity: UInt8, decibels: Double
  ) throws {
    let full = try Tone(
      modulators: [[0x502, 48, 0, 0, 0]], Tone.note(), seconds: 0.4
    ).level(0.1, 0.35)
    let tone = try Tone(Tone.note(velocity: velocity), seconds: 0.4).level(0.1, 0.35)
    #expect(abs(tone - full - decibels) < 0.02)
  }

  /// The least and the greatest level of periods of 440 Hz, relative to a tone without tremolo.
  private func tremolo(_ depth: Int, velocity: UInt8) throws -> (least: Double, most: Double) {
    // 4 Hz.
    let zone = [(13, depth), (22, -1238)]
    let notes = Tone.note(velocity: velocity)
    let still = try Tone(notes, seconds: 1).level(0.2, 0.9)
    let tone = try Tone(zones: [zone], notes, seconds: 1)
    let levels = (0..<340).map { step in
      let start = 0.2 + Double(step) / 440
      return tone.level(start, start + 1.0 / 440) - still
    }
    return (levels.min() ?? 0, levels.max() ?? 0)
  }

  @Test(arguments: [60, -60], [127, 90] as [UInt8])
  func `a tremolo raises the level by as much as it lowers it`(depth: Int, velocity: UInt8) throws {
    let (least, most) = try tremolo(depth, velocity: velocity)
    #expect(abs(least + 6) < 0.2)
    #expect(abs(most - 6) < 0.2)
  }

  @Test func `a tremolo raises a voice by at most 12 dB above its sample`() throws {
    let most = try tremolo(960, velocity: 127).most
    #expect(abs(most - 12) < 0.05)
  }

  @Test func `a positive tremolo raises first`() throws {
    let zone = [(13, 60), (22, -1238)]
    let still = try Tone(Tone.note(), seconds: 0.2).level(0.03, 0.09)
    let rising = try Tone(zones: [zone], Tone.note(), seconds: 0.2).level(0.03, 0.09)
    #expect(rising > still + 3)
  }

  @Test func `a voice ended by another of its class is silent 250 ms later`() throws {
    let (left, right) = (-500, 500)
    let zones = [
      [(43, Tone.Zone.range(60...60)), (57, 1), (17, left), (38, 1200)],
      [(43, Tone.Zone.range(62...62)), (57, 1), (17, right)],
    ]
    let cues = Tone.note(60) + [Tone.Cue(Tone.quantum(0.5), 0x90, 62, 127)]
    let tone = try Tone(zones: zones, cues, seconds: 1)
    let before = tone.level(0.3, 0.45)
    #expect(before > -30)
    // Not at once either, because that would click.
    #expect(tone.level(0.52, 0.53) > before - 20)
    #expect(tone.level(0.75, 0.8) < before - 80)
  }
}
