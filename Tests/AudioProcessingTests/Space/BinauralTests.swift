// SPDX-License-Identifier: Apache-2.0
import AudioProcessing
import AudioTestSupport
import MusicalTime
import Testing

/// The sound at both ears in a scene, for a head with known responses.
@Suite struct BinauralTests {
  private static let head = SceneUnit.Output.headphones(TestHead.responses)

  /// The measured responses from frame 0.
  private static func measured(_ azimuth: Double, _ elevation: Double, count: Int) -> [[Float]] {
    let ears = TestHead.measure(azimuth, elevation)
    let silence = [Float](repeating: 0, count: count)
    return [ears.left, ears.right].map { Array(($0 + silence)[..<count]) }
  }

  private static func difference(_ left: [[Float]], _ right: [[Float]]) -> Float {
    zip(left, right).map { zip($0, $1).map { abs($0 - $1) }.max() ?? 0 }.max() ?? 0
  }

  @Test(arguments: [(0, 0), (45, 0), (90, 0), (-135, 30), (180, 0), (0, 90), (330, -60)])
  func `a click sounds exactly as measured`(azimuth: Float, elevation: Float) throws {
    let rig = try SceneRig(click: Self.head)
    try rig.set(.azimuth, to: azimuth)
    try rig.set(.elevation, to: elevation)
    let around = azimuth < 0 ? azimuth + 360 : azimuth
    let expected = Self.measured(Double(around), Double(elevation), count: 256)
    #expect(Self.difference(rig.render(quanta: 4), expected) < 1e-6)
    #expect(rig.scene.latency == 0)
  }

  @Test func `noise is convolved with the response, across quanta`() throws {
    let noise = GeneratorUnit(.whiteNoise, seed: 3, rate: Rate.studio)
    let rig = try SceneRig(
      SceneUnit(sourceCount: 1, output: Self.head, rate: Rate.studio), [noise])
    try rig.set(.azimuth, to: 60)
    let heard = rig.render(quanta: 20)
    let dry = try PlanListener(GeneratorUnit(.whiteNoise, seed: 3, rate: Rate.studio))
      .render(quanta: 20)[0]
    let ears = TestHead.measure(60, 0)
    for (channel, response) in zip(heard, [ears.left, ears.right]) {
      for frame in stride(from: 0, to: 1280, by: 7) {
        let sum = response.indices.reduce(into: 0.0) { sum, tap in
          if tap <= frame { sum += Double(response[tap]) * Double(dry[frame - tap]) }
        }
        #expect(abs(Double(channel[frame]) - sum) < 1e-5)
      }
    }
  }

  @Test func `between four directions, delay and level are their average`() {
    let middle = TestHead.responses.ears(azimuth: 52.5, elevation: 15)
    let corners = [(45.0, 0.0), (60, 0), (45, 30), (60, 30)].map {
      TestHead.responses.ears(azimuth: $0.0, elevation: $0.1)
    }
    #expect(abs(middle.leftDelay - corners.map(\.leftDelay).reduce(0, +) / 4) < 1e-5)
    #expect(abs(middle.rightDelay - corners.map(\.rightDelay).reduce(0, +) / 4) < 1e-5)
    for tap in middle.left.indices {
      let average = corners.map { $0.left[tap] }.reduce(0, +) / 4
      #expect(abs(middle.left[tap] - average) < 1e-6)
    }
    #expect(middle.leftDelay > middle.rightDelay)
  }

  @Test(
    arguments: [
      // Yaw, pitch and roll; azimuth and elevation in the world, and relative to the head.
      ([45, 0, 0], [45, 0], [0, 0]), ([-90, 0, 0], [0, 0], [90, 0]),
      ([405, 0, 0], [90, 0], [45, 0]), ([0, 90, 0], [0, 90], [0, 0]),
      ([0, 30, 0], [0, 0], [0, -30]), ([0, 0, 90], [90, 0], [0, 90]),
      ([0, 0, 30], [-90, 0], [270, -30]), ([30, 60, 0], [30, 90], [0, 30]),
    ] as [([Float], [Float], [Double])])
  func `the direction at the ears depends on the head`(
    head: [Float], place: [Float], heard: [Double]
  ) throws {
    let rig = try SceneRig(click: Self.head)
    try rig.set(.azimuth, to: place[0])
    try rig.set(.elevation, to: place[1])
    for (setting, value) in zip(SceneUnit.ListenerSetting.allCases, head) {
      try rig.set(setting, to: value)
    }
    let expected = Self.measured(heard[0], heard[1], count: 192)
    #expect(Self.difference(rig.render(quanta: 3), expected) < 1e-4)
  }

  @Test func `a circling source bends the wave no more than one at rest`()
    throws
  {
    var still: Float = 0
    for azimuth in stride(from: Float(0), to: 360, by: 15) {
      let rig = try SceneRig(tone: 500, Self.head)
      try rig.set(.azimuth, to: azimuth)
      still = max(still, rig.bend(quanta: 40, from: 1024))
    }
    let rig = try SceneRig(tone: 500, Self.head)
    try rig.scene.parameters.set(0, to: 720, over: 2)
    #expect(rig.bend(quanta: 1500, from: 1024) < 1.05 * still)
    #expect(rig.listener.channels[0].suffix(48_000).contains { abs($0) > 0.3 })
  }

  @Test func `a jump is a crossfade of one quantum`() throws {
    let rig = try SceneRig(tone: 500, Self.head)
    let before = rig.bend(quanta: 100, from: 1024)
    try rig.set(.azimuth, to: 180)
    let after = rig.bend(quanta: 100, from: 0)
    // A step of the wave itself would be two hundred times as large.
    #expect(after < 12 * before && before > 1e-3)
  }

  @Test func `a source after a long silence is at its place at once`() throws {
    let clicks = LateClickUnit(frame: 64_000)
    let rig = try SceneRig(
      SceneUnit(sourceCount: 1, output: Self.head, rate: Rate.studio), [clicks])
    _ = rig.render(quanta: 500)
    try rig.set(.azimuth, to: 90)
    _ = rig.render(quanta: 500)
    let expected = Self.measured(90, 0, count: 256)
    #expect(Self.difference(rig.render(quanta: 4), expected) < 1e-6)
  }

  @Test func `the same scene gives the same samples`() throws {
    func heard() throws -> [[Float]] {
      let rig = try SceneRig(tone: 900, Self.head)
      try rig.set(.doppler, to: 1)
      try rig.set(.air, to: 1)
      try rig.scene.parameters.set(0, to: 300, over: 0.2)
      try rig.scene.parameters.set(2, to: 9, over: 0.2)
      return rig.render(quanta: 200)
    }
    let first = try heard()
    #expect(try heard() == first)
    #expect(first.allSatisfy { $0.contains { abs($0) > 0.05 } })
  }
}
