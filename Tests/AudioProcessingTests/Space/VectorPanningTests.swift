// SPDX-License-Identifier: Apache-2.0
import AudioProcessing
import AudioTestSupport
import MusicalTime
import Testing

/// The gain of each loudspeaker of a layout.
@Suite struct VectorPanningTests {
  private static let half = Float(0.5).squareRoot()

  /// A direction, and the gains of the channels that sound; the rest is silent.
  struct Row: Sendable {
    let layout: SpeakerLayout
    let azimuth: Float
    let gains: [Int: Float]

    init(_ layout: SpeakerLayout, _ azimuth: Float, _ gains: [Int: Float]) {
      self.layout = layout
      self.azimuth = azimuth
      self.gains = gains
    }
  }

  static let rows: [Row] = [
    Row(.surround51, 0, [2: 1]),
    Row(.surround51, 30, [1: 1]),
    Row(.surround51, -30, [0: 1]),
    Row(.surround51, 15, [1: half, 2: half]),
    Row(.surround51, -15, [0: half, 2: half]),
    Row(.surround51, 110, [5: 1]),
    Row(.surround51, 180, [4: half, 5: half]),
    Row(.surround51, -180, [4: half, 5: half]),
    Row(.surround51, 540, [4: half, 5: half]),
    Row(.surround51, 70, [1: half, 5: half]),
    Row(.surround51, -70, [0: half, 4: half]),
    // By the law of tangents between 30° and 110°: tan 20° / tan 40° = 0.43376.
    Row(.surround51, 50, [1: 0.930094, 5: 0.367323]),
    Row(.surround71, 90, [7: 1]),
    Row(.surround71, -90, [6: 1]),
    Row(.surround71, 150, [5: 1]),
    Row(.surround71, 60, [1: half, 7: half]),
    Row(.surround71, 120, [5: half, 7: half]),
    Row(.surround71, 180, [4: half, 5: half]),
    Row(.surround71, -120, [4: half, 6: half]),
    Row(.quad, 0, [0: half, 1: half]),
    Row(.quad, 90, [1: half, 3: half]),
    Row(.quad, 135, [3: 1]),
  ]

  @Test(arguments: rows)
  func `a direction sounds from the two nearest speakers`(row: Row) {
    for (channel, gain) in row.layout.gains(azimuth: row.azimuth).enumerated() {
      let expected = row.gains[channel] ?? 0
      #expect(abs(gain - expected) < 1e-5, "\(row.azimuth)°, channel \(channel)")
    }
  }

  @Test(arguments: [SpeakerLayout.quad, .surround51, .surround71])
  func `the power is the same everywhere, and gains change smoothly`(layout: SpeakerLayout) {
    for elevation in [-90, -45, 0, 30, 90] as [Float] {
      var last = layout.gains(azimuth: -180, elevation: elevation)
      for azimuth in stride(from: Float(-180), through: 180, by: 0.5) {
        let gains = layout.gains(azimuth: azimuth, elevation: elevation)
        #expect(abs(gains.map { $0 * $0 }.reduce(0, +) - 1) < 1e-5)
        #expect(zip(gains, last).allSatisfy { abs($0 - $1) < 0.04 && $0 >= 0 })
        last = gains
      }
    }
  }

  @Test func `a source above sounds from all speakers except the subwoofer`() {
    let gains = SpeakerLayout.surround51.gains(azimuth: 70, elevation: 90)
    let each = Float(0.2).squareRoot()
    for channel in 0..<6 { #expect(abs(gains[channel] - (channel == 3 ? 0 : each)) < 1e-5) }
  }

  @Test(arguments: [(0, 0), (75, 0), (180, 30)] as [(Float, Float)])
  func `a scene gives each channel its gain`(azimuth: Float, elevation: Float) throws {
    let rig = try SceneRig(click: .speakers(.surround71))
    try rig.set(.azimuth, to: azimuth)
    try rig.set(.elevation, to: elevation)
    let heard = rig.render(quanta: 2)
    let gains = SpeakerLayout.surround71.gains(azimuth: azimuth, elevation: elevation)
    #expect(rig.scene.outputChannelCounts == [8] && rig.scene.latency == 8)
    for (channel, gain) in zip(heard, gains) {
      #expect(abs(channel[8] - gain) < 1e-6)
      #expect(channel.enumerated().allSatisfy { $0.offset == 8 || $0.element == 0 })
    }
  }

  @Test func `a head that turns takes the loudspeakers with it`() throws {
    let rig = try SceneRig(click: .speakers(.surround51))
    try rig.set(.azimuth, to: 110)
    try rig.set(.turn, to: 80)
    #expect(abs(rig.render(quanta: 1)[1][8] - 1) < 1e-5)
  }

  @Test func `a circling source bends the wave no more than one at rest`() throws {
    let rig = try SceneRig(tone: 500, .speakers(.surround51))
    try rig.scene.parameters.set(0, to: 360, over: 1)
    let omega = Float.pi * 1000 / 48_000
    let bend = rig.bend(quanta: 760, from: 1024)
    #expect(bend < 1.05 * omega * omega)
  }

  @Test func `a layout with half a circle without a speaker traps`() async {
    await #expect(processExitsWith: .failure) { _ = SpeakerLayout(azimuths: [-30, 30, 0]) }
    await #expect(processExitsWith: .failure) { _ = SpeakerLayout(azimuths: [0, 0, 120, -120]) }
  }
}
