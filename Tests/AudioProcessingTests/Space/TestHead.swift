// SPDX-License-Identifier: Apache-2.0
import AudioProcessing
import AudioTestSupport

/// A head for tests: short noise responses, later and quieter in the ear turned away.
enum TestHead {
  static let responses = HeadResponses(
    rate: Rate.studio, azimuthCount: 24, elevationCount: 7, measure: measure)

  static func measure(_ azimuth: Double, _ elevation: Double) -> EarResponses {
    let side = Double(sine(azimuth * .pi / 180) * sine((90 - elevation) * .pi / 180))
    return EarResponses(left: response(-side, 1), right: response(side, 2))
  }

  private static func response(_ nearness: Double, _ seed: UInt32) -> [Float] {
    let onset = 20 - Int((8 * nearness).rounded())
    var samples = [Float](repeating: 0, count: 100)
    var state = seed
    for frame in 0..<70 {
      state = state &* 1_664_525 &+ 1_013_904_223
      let noise = Float(state >> 8) / Float(1 << 23) - 1
      let height = Float(0.5 + 0.3 * nearness) * (frame == 0 ? 1 : 0.3 * noise)
      samples[onset + frame] = height / Float(1 + frame / 8)
    }
    return samples
  }
}
