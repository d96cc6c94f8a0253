// SPDX-License-Identifier: Apache-2.0
internal import Glibc

/// Measures the power of a sound in logarithmic frequency bands, at regular times.
struct BandAnalyzer: Sendable {
  /// The samples of one measurement: 85 ms at 48 kHz, so that low keys can be distinguished.
  private static let size = 4096
  /// The number of measurements for each column of a picture.
  private static let density = 4.0

  private let transform = FourierTransform(count: BandAnalyzer.size)
  private let window: [Double]
  /// The first bin of each band, and the end of the last band.
  private let edges: [Double]
  private let hop: Int
  private var ring = [Float](repeating: 0, count: BandAnalyzer.size)
  private var heard = 0
  private var next: Int

  init(
    hertz: Double, framesPerColumn: Double, bandCount: Int, range: ClosedRange<Double>
  ) {
    // A Hann window, scaled so that a full-scale sine has the power 1.
    window = (0..<Self.size).map {
      (1 - cos(2 * Double.pi * Double($0) / Double(Self.size))) * 2 / Double(Self.size)
    }
    let ratio = log(range.upperBound / range.lowerBound) / Double(bandCount)
    edges = (0...bandCount).map {
      range.lowerBound * exp(ratio * Double($0)) / hertz * Double(Self.size)
    }
    hop = max(1, Int(framesPerColumn / Self.density))
    next = Self.size / 2
  }

  /// Adds a sample.
  ///
  /// After each measurement, `take` gets the index of the sample in the middle, and the power of
  /// each band.
  mutating func hear(_ sample: Float, _ take: (Int, [Float]) -> Void) {
    ring[heard % Self.size] = sample
    heard += 1
    guard heard >= next else { return }
    next += hop
    take(heard - Self.size / 2, powers())
  }

  /// Adds silence after the sound, so that its end is measured too.
  mutating func finish(_ take: (Int, [Float]) -> Void) {
    for _ in 0..<Self.size / 2 { hear(0, take) }
  }

  private func powers() -> [Float] {
    var real = [Double](repeating: 0, count: Self.size)
    var imaginary = real
    for index in 0..<Self.size {
      real[index] = Double(ring[(heard + index) % Self.size]) * window[index]
    }
    transform.transform(&real, &imaginary)
    return (0..<edges.count - 1).map { (band: Int) -> Float in
      let first = Int(edges[band].rounded())
      let last = max(Int(edges[band + 1].rounded()), first + 1)
      guard last <= Self.size / 2 else { return 0 }
      var highest: Float = 0
      for bin in first..<last {
        let power: Double = real[bin] * real[bin] + imaginary[bin] * imaginary[bin]
        highest = max(highest, Float(power))
      }
      return highest
    }
  }
}
