// SPDX-License-Identifier: Apache-2.0
internal import Glibc

/// The power of a sound in bands, an octave as many everywhere, now and then.
struct BandAnalyzer: Sendable {
  /// Samples that are looked at together: 85 ms at 48 kHz, so that low keys tell apart.
  private static let size = 4096
  /// How often it is looked at for each column of a picture.
  private static let density = 4.0

  private let transform = FourierTransform(count: BandAnalyzer.size)
  private let window: [Double]
  /// The places in the spectrum at which each band begins, and behind the last.
  private let edges: [Double]
  private let hop: Int
  private var ring = [Float](repeating: 0, count: BandAnalyzer.size)
  private var heard = 0
  private var next: Int

  init(
    hertz: Double, framesPerColumn: Double, bandCount: Int, range: ClosedRange<Double>
  ) {
    // Hann's, at which a sine of full scale has the power 1.
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

  /// Hears a sample; from time to time `take` is given the place of the sample in the middle of what
  /// was looked at, and the power of each band.
  mutating func hear(_ sample: Float, _ take: (Int, [Float]) -> Void) {
    ring[heard % Self.size] = sample
    heard += 1
    guard heard >= next else { return }
    next += hop
    take(heard - Self.size / 2, powers())
  }

  /// Hears the silence after the sound, so that its end gets into the middle.
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
