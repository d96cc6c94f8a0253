// SPDX-License-Identifier: Apache-2.0
import AudioProcessing
import AudioTestSupport
import MusicalTime
import Testing

/// The level of a source, by its distance, its cone and the air.
@Suite struct SceneGainTests {
  /// A law at a distance: rolloff, reference, farthest, and the gain from OpenAL's formula.
  struct Row: Sendable {
    let law: DistanceLaw
    let distance: Float
    let rolloff: Float
    let reference: Float
    let farthest: Float
    let gain: Float

    init(_ law: DistanceLaw, _ values: Float...) {
      self.law = law
      (distance, rolloff, reference) = (values[0], values[1], values[2])
      (farthest, gain) = (values[3], values[4])
    }
  }

  static let rows: [Row] = [
    Row(.inverse, 1, 1, 1, 100, 1),
    Row(.inverse, 4, 1, 1, 100, 0.25),
    Row(.inverse, 4, 2, 1, 100, 0.142_857),
    Row(.inverse, 8, 1, 2, 100, 0.25),
    Row(.inverse, 0.5, 1, 2, 100, 1),
    Row(.inverse, 50, 1, 1, 10, 0.1),
    Row(.exponential, 4, 1, 1, 100, 0.25),
    Row(.exponential, 4, 2, 1, 100, 0.0625),
    Row(.exponential, 8, 1, 2, 100, 0.25),
    Row(.exponential, 50, 1, 1, 10, 0.1),
    Row(.linear, 1, 1, 1, 101, 1),
    Row(.linear, 51, 1, 1, 101, 0.5),
    Row(.linear, 101, 1, 1, 101, 0),
    Row(.linear, 500, 1, 1, 101, 0),
    Row(.linear, 51, 2, 1, 101, 0),
    Row(.linear, 500, 0.5, 1, 101, 0.5),
    Row(.linear, 5, 1, 10, 10, 1),
    Row(.linear, 50, 1, 10, 2, 1),
  ]

  @Test(arguments: rows)
  func `the distance laws are OpenAL's clamped models`(row: Row) {
    let gain = row.law.gain(
      at: row.distance, rolloff: row.rolloff, reference: row.reference, farthest: row.farthest)
    #expect(abs(gain - row.gain) < 1e-6)
  }

  @Test func `with 1 m and 100 m the laws are those without limits`() {
    for law in DistanceLaw.allCases {
      for distance in [0, 0.5, 1, 3, 20, 99] as [Float] {
        let gain = law.gain(at: distance, rolloff: 1, reference: 1, farthest: 100)
        #expect(abs(gain - law.gain(at: distance, rolloff: 1)) < 1e-6)
      }
    }
  }

  @Test(
    arguments: [
      (0, 1), (30, 1), (45, 1), (60, 0.8), (75, 0.6), (90, 0.4), (105, 0.2), (150, 0.2),
      (180, 0.2),
    ] as [(Float, Float)])
  func `a cone's gain falls from its inner to its outer angle`(degrees: Float, expected: Float) {
    let cone = SoundCone(innerAngle: 90, outerAngle: 210, outerGain: 0.2)
    #expect(abs(cone.gain(at: degrees) - expected) < 1e-6)
    #expect(SoundCone().gain(at: degrees) == 1)
  }

  /// The level of a tone in a scene for loudspeakers, relative to a tone at 0 dB.
  private func level(
    _ hertz: Float, _ settings: [(SceneUnit.Setting, Float)],
    law: DistanceLaw = .inverse
  ) throws -> Double {
    let rig = try SceneRig(tone: hertz, .speakers(.quad), distanceLaw: law)
    for (setting, value) in settings { try rig.set(setting, to: value) }
    let heard = rig.render(quanta: 150)
    let power = heard.map { $0.suffix(4800).reduce(0.0) { $0 + Double($1) * Double($1) } }
    return (power.reduce(0, +) / 2400).squareRoot()
  }

  private static let cone: [(SceneUnit.Setting, Float)] = [
    (.innerAngle, 90), (.outerAngle, 270), (.outerGain, 0.1),
  ]

  private func expect(
    _ settings: [(SceneUnit.Setting, Float)], _ law: DistanceLaw, _ expected: Double
  ) throws {
    #expect(abs(try level(1000, settings, law: law) - expected) < 2e-4)
  }

  @Test func `the distance law sets a source's level`() throws {
    try expect([(.distance, 4)], .inverse, 0.25)
    try expect([(.distance, 4)], .exponential, 0.25)
    try expect([(.distance, 50.5)], .linear, 0.5)
    try expect([(.distance, 0)], .inverse, 1)
    try expect([(.distance, 6), (.reference, 3), (.gain, 0.5)], .inverse, 0.25)
    try expect([(.distance, 1000), (.farthest, 5)], .inverse, 0.2)
  }

  @Test func `the cone sets a source's level`() throws {
    try expect(Self.cone, .inverse, 1)
    try expect(Self.cone + [(.facing, 90)], .inverse, 0.55)
    try expect(Self.cone + [(.facingElevation, 90)], .inverse, 0.55)
    try expect(Self.cone + [(.facing, 0)], .inverse, 0.1)
    try expect(Self.cone + [(.facing, 270), (.azimuth, 90)], .inverse, 1)
  }

  @Test(arguments: [(11, 1), (51, 1), (11, 5), (301, 1)] as [(Float, Float)])
  func `air leaves 0.994 of the level at 5000 Hz per metre`(
    distance: Float, amount: Float
  ) throws {
    let settings: [(SceneUnit.Setting, Float)] = [
      (.distance, distance), (.rolloff, 0), (.air, amount),
    ]
    let metres = Double(distance - 1) * Double(amount)
    let expected = (1..<1000).reduce(1.0) { left, metre in
      Double(metre) <= metres ? left * 0.994 : left
    }
    #expect(abs(try level(5000, settings) - expected) < 1e-3)
    let low = try level(50, settings)
    #expect(low > 0.99 && low < 1.001)
  }
}
