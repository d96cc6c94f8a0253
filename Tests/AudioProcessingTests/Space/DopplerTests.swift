// SPDX-License-Identifier: Apache-2.0
import AudioProcessing
import AudioTestSupport
import MusicalTime
import Testing

/// The propagation of sound takes time, and its change shifts the pitch.
@Suite struct DopplerTests {
  private static let speed = 343.3
  private static let speakers = SceneUnit.Output.speakers(.quad)

  /// Cycles per second between the first and the last upward zero crossing.
  private static func hertz(_ samples: ArraySlice<Float>) -> Double {
    let wave = Array(samples)
    let places = wave.indices.dropLast().filter { wave[$0] < 0 && wave[$0 + 1] >= 0 }.map {
      Double($0) + Double(wave[$0] / (wave[$0] - wave[$0 + 1]))
    }
    guard let first = places.first, let last = places.last, last > first else { return 0 }
    return 48_000 * Double(places.count - 1) / (last - first)
  }

  @Test(arguments: [0, 1, 150, 5000])
  func `a click is delayed by its propagation time`(frames: Int) throws {
    let rig = try SceneRig(click: Self.speakers)
    try rig.set(.azimuth, to: 45)
    try rig.set(.rolloff, to: 0)
    try rig.set(.doppler, to: 1)
    try rig.set(.distance, to: Float(Double(frames) * Self.speed / 48_000))
    let heard = rig.render(quanta: frames / 64 + 3)[1]
    let top = heard.indices.max { abs(heard[$0]) < abs(heard[$1]) }
    #expect(top == frames + rig.scene.latency)
    #expect(heard.map { $0 * $0 }.reduce(0, +) > 0.99)
  }

  @Test(arguments: [10, 34.33, 100, -10, -34.33, -100])
  func `a moving source has another pitch, by the formula`(metresASecond: Double) throws {
    let rig = try SceneRig(tone: 1000, Self.speakers)
    let near = metresASecond > 0 ? 2.0 : 2 - 0.7 * metresASecond
    try rig.set(.azimuth, to: 45)
    try rig.set(.rolloff, to: 0)
    try rig.set(.doppler, to: 1)
    try rig.set(.distance, to: Float(near))
    _ = rig.render(quanta: 250)
    try rig.scene.parameters.set(2, to: Float(near + 0.7 * metresASecond), over: 0.7)
    let heard = rig.render(quanta: 500)[1]
    // From the arrival of the movement's first sound to its end.
    let hertz = Self.hertz(heard[12_000..<32_000])
    let expected = 1000 / (1 + metresASecond / Self.speed)
    #expect(abs(hertz - expected) < 0.02)
  }

  @Test func `without Doppler nothing is late, and no pitch changes`() throws {
    let rig = try SceneRig(tone: 1000, Self.speakers)
    try rig.set(.azimuth, to: 45)
    try rig.scene.parameters.set(2, to: 60, over: 0.7)
    #expect(abs(Self.hertz(rig.render(quanta: 500)[1][2000..<30_000]) - 1000) < 0.01)
  }

  @Test func `a jump shifts the pitch by one octave at most`() throws {
    let rig = try SceneRig(tone: 1000, Self.speakers)
    try rig.set(.azimuth, to: 45)
    try rig.set(.rolloff, to: 0)
    try rig.set(.doppler, to: 1)
    try rig.set(.distance, to: 60)
    _ = rig.render(quanta: 400)
    try rig.set(.distance, to: 1)
    let heard = rig.render(quanta: 400)[1]
    // First the 8389 frames already under way arrive, then the distance shrinks by half a frame per
    // frame.
    #expect(abs(Self.hertz(heard[1000..<8000]) - 1000) < 0.1)
    #expect(abs(Self.hertz(heard[9000..<16_000]) - 2000) < 1)
    #expect(abs(Self.hertz(heard.suffix(3000)) - 1000) < 0.1)
  }

  @Test(arguments: [1000, 5000, 10_000, 16_000])
  func `between two frames the treble is as loud as on one`(hertz: Float) throws {
    let rig = try SceneRig(tone: hertz, Self.speakers)
    try rig.set(.azimuth, to: 45)
    try rig.set(.rolloff, to: 0)
    try rig.set(.doppler, to: 1)
    try rig.set(.distance, to: Float(100.5 * Self.speed / 48_000))
    let heard = rig.render(quanta: 100)[1].suffix(4800)
    let power = heard.reduce(0.0) { $0 + Double($1) * Double($1) } / 4800
    #expect(abs(power - 0.5) < 0.006)
  }
}
