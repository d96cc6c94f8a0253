// SPDX-License-Identifier: Apache-2.0
import AVFAudio
import Foundation
import TestSupport
import Testing

/// Each type of filter, measured with tones.
@Suite struct AVAudioUnitEQTests {
  /// The gain at a frequency, in decibels.
  private func gain(_ band: AVAudioUnitEQFilterParameters, _ node: AVAudioUnitEQ, _ hertz: Double)
    throws -> Double
  {
    let rig = try UnitRig()
    rig.chain([try rig.player(UnitRig.tone(hertz, frames: 40_000)), node])
    let found = UnitRig.left(try rig.render(38_400).suffix(38_400))
    return decibels(Tone(found, hertz: hertz, rate: 48_000).amplitude / 0.25)
  }

  private func expect(
    _ type: AVAudioUnitEQFilterType, bandwidth: Float = 1, gain: Float = 9,
    _ points: [(hertz: Double, decibels: Double)]
  ) throws {
    let node = AVAudioUnitEQ(numberOfBands: 1)
    let band = node.bands[0]
    (band.filterType, band.frequency, band.bandwidth, band.gain) = (type, 1000, bandwidth, gain)
    band.bypass = false
    for point in points {
      let found = try self.gain(band, node, point.hertz)
      #expect(abs(found - point.decibels) < 0.5, "\(type) at \(point.hertz) Hz: \(found) dB")
    }
  }

  @Test func `Parametric and shelves have their gain`() throws {
    try expect(.parametric, [(1000, 9), (50, 0), (15_000, 0)])
    try expect(.parametric, gain: -40, [(1000, -40)])
    try expect(.lowShelf, [(50, 9), (1000, 4.5), (15_000, 0)])
    try expect(.highShelf, [(50, 0), (1000, 4.5), (15_000, 9)])
    try expect(.resonantLowShelf, [(50, 9), (1000, 4.5), (15_000, 0)])
    try expect(.resonantHighShelf, [(50, 0), (1000, 4.5), (15_000, 9)])
  }

  @Test func `Low-pass and high-pass lose 3 dB at their frequency`() throws {
    try expect(.lowPass, [(1000, -3.01), (50, 0), (4000, -24.2)])
    try expect(.highPass, [(1000, -3.01), (15_000, 0), (250, -24.1)])
  }

  @Test func `A resonance raises the frequency by its quality`() throws {
    // A bandwidth of one octave is a quality of the square root of 2.
    try expect(.resonantLowPass, [(1000, 3.01), (50, 0)])
    try expect(.resonantHighPass, [(1000, 3.01), (15_000, 0)])
  }

  @Test func `Band-pass and band-stop have their bandwidth`() throws {
    let (low, high) = (1000 / sqrt(2), 1000 * sqrt(2))
    try expect(.bandPass, [(1000, 0), (low, -3.01), (high, -3.01)])
    try expect(.bandStop, [(low, -3.01), (high, -3.01), (50, 0), (15_000, 0)])
    let node = AVAudioUnitEQ(numberOfBands: 1)
    (node.bands[0].filterType, node.bands[0].frequency) = (.bandStop, 1000)
    node.bands[0].bypass = false
    #expect(try gain(node.bands[0], node, 1000) < -60)
  }
}
