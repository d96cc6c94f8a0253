// SPDX-License-Identifier: Apache-2.0
import Testing

@testable import SoundFontInstruments

/// The tables of the SC-88Pro's and the MU80's owner's manuals.
@Suite struct EffectValueTests {
  private func isNear(_ value: Float, _ wanted: Double, within part: Double = 0.001) -> Bool {
    abs(Double(value) - wanted) <= part * max(abs(wanted), 1e-9)
  }

  @Test(
    arguments: [
      (0, 0), (49, 4.9), (50, 5), (59, 9.5), (60, 10), (99, 49), (100, 50), (125, 100), (127, 100),
    ] as [(Int, Double)])
  func `a pre-delay is 0 to 100 milliseconds`(byte: Int, milliseconds: Double) {
    #expect(isNear(EffectValue.preDelay(byte) * 1000, milliseconds))
  }

  @Test(
    arguments: [
      (0, 0), (59, 9.5), (60, 10), (89, 39), (90, 40), (115, 290), (116, 300), (126, 500),
      (127, 500),
    ] as [(Int, Double)])
  func `a short delay is 0 to 500 milliseconds`(byte: Int, milliseconds: Double) {
    #expect(isNear(EffectValue.shortDelay(byte) * 1000, milliseconds))
  }

  @Test(arguments: [(0, 200), (69, 545), (70, 550), (115, 1000), (127, 1000)] as [(Int, Double)])
  func `a long delay is 200 to 1000 milliseconds`(byte: Int, milliseconds: Double) {
    #expect(isNear(EffectValue.longDelay(byte) * 1000, milliseconds))
  }

  @Test(arguments: [(0, 200), (79, 595), (80, 600), (120, 1000), (127, 1000)] as [(Int, Double)])
  func `a delay time moved by controllers is 200 to 1000 milliseconds`(
    byte: Int, milliseconds: Double
  ) {
    #expect(isNear(EffectValue.movableDelay(byte) * 1000, milliseconds))
  }

  @Test(arguments: [(0, 0), (32, 24), (64, 53), (96, 87), (127, 127)] as [(Int, Double)])
  func `an output level is as measured on the module`(byte: Int, of127: Double) {
    #expect(abs(Double(EffectValue.level(byte)) * 127 - of127) <= 1)
  }

  @Test(
    arguments: [
      (0, 0.05), (99, 5), (100, 5.1), (119, 7), (120, 7.5), (125, 10), (127, 10),
    ] as [(Int, Double)])
  func `a rate is 0,05 to 10 hertz`(byte: Int, hertz: Double) {
    #expect(isNear(EffectValue.rate(byte), hertz))
  }

  @Test(
    arguments: [
      (0, 100), (19, 290), (20, 300), (54, 980), (55, 1000), (125, 8000), (127, 8000),
    ] as [(Int, Double)])
  func `a manual is 100 to 8000 hertz`(byte: Int, hertz: Double) {
    #expect(isNear(EffectValue.manual(byte), hertz))
  }

  @Test func `frequencies go in thirds of eight bytes each`() {
    #expect(EffectValue.equalizer(0) == 200 && EffectValue.equalizer(127) == 6300)
    #expect(EffectValue.cutoff(7) == 250 && EffectValue.cutoff(8) == 315)
    #expect(EffectValue.damping(0) == 315 && EffectValue.damping(119) == 8000)
    #expect(EffectValue.damping(120) == 20_000)
  }

  @Test func `gains end at 12 decibels, feedback at 98 per cent`() {
    #expect(EffectValue.gain(0x34) == -12 && EffectValue.gain(0x4C) == 12)
    #expect(EffectValue.gain(0) == -12 && EffectValue.gain(64) == 0)
    #expect(isNear(EffectValue.feedback(0x0F), -0.98) && isNear(EffectValue.feedback(0x71), 0.98))
  }

  @Test(
    arguments: [
      (0, 0), (1, 0.042), (64, 2.69), (76, 3.70), (88, 5.72), (101, 10.1), (113, 18.2), (125, 34.3),
      (127, 39.7),
    ] as [(Int, Double)])
  func `a rate of XG is 0 to 39,7 hertz`(value: Int, hertz: Double) {
    #expect(isNear(EffectValue.xgRate(value), hertz, within: 0.005))
  }

  @Test(arguments: [(0, 0), (100, 10), (101, 11.1), (105, 15.5), (127, 50)] as [(Int, Double)])
  func `a delay offset of XG is 0 to 50 milliseconds`(value: Int, milliseconds: Double) {
    #expect(isNear(EffectValue.xgOffset(value) * 1000, milliseconds))
  }

  @Test(arguments: [(0, 20), (14, 100), (34, 1000), (40, 2000), (60, 20_000)] as [(Int, Double)])
  func `a frequency of XG has twenty steps a decade`(value: Int, hertz: Double) {
    #expect(isNear(EffectValue.xgHertz(value), hertz, within: 0.01))
  }

  @Test(
    arguments: [
      (1, 0.1), (0x14, 2), (0x23, 5), (0x2D, 10), (0x37, 20), (0x46, 50), (0x50, 100), (0x5A, 200),
      (0x69, 500), (0x73, 1000),
    ] as [(UInt8, Double)])
  func `the system delay takes 0,1 to 1000 milliseconds`(byte: UInt8, milliseconds: Double) {
    #expect(isNear(DelayProgram.seconds(byte) * 1000, milliseconds))
  }

  @Test func `delay macros have the manual's times`() throws {
    let times = [340, 550, 1000, 130, 500, 700, 1000, 260, 700, 750]
    for (macro, milliseconds) in times.enumerated() {
      let program = try #require(DelayProgram(macro: macro))
      #expect(abs(program.times.centre * 1000 - Float(milliseconds)) < 0.5, "\(macro)")
    }
    let pan = try #require(DelayProgram(macro: 4))
    #expect(abs(pan.times.left * 1000 - 250) < 0.5 && abs(pan.times.right * 1000 - 500) < 0.5)
    #expect(DelayProgram(macro: 10) == nil && DelayProgram(macro: 0) == .initial)
  }
}
