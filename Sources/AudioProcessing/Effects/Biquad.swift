// SPDX-License-Identifier: Apache-2.0

/// The coefficients of a second-order filter.
///
/// - Note: Real-time safe. Source: R. Bristow-Johnson, Cookbook formulae for audio EQ biquad filter
///   coefficients.
struct Biquad: BitwiseCopyable {
  let b0: Double
  let b1: Double
  let b2: Double
  let a1: Double
  let a2: Double

  /// Computes the numbers of a band.
  ///
  /// - Parameters:
  ///   - kind: the raw value of what the band does.
  ///   - angle: 2π times frequency by rate.
  ///   - decibels: the gain of a peak or shelf.
  ///   - quality: Q.
  @_noAllocation @_noLocks
  init(kind: UInt8, angle: Double, decibels: Double, quality: Double) {
    let cosine = SampleMath.cosine(angle)
    let alpha = SampleMath.sine(angle) / (2 * quality)
    let amplitude = SampleMath.power(10, decibels / 40)
    let slope = 2 * SampleMath.power(10, decibels / 80) * alpha
    let above = amplitude + 1
    let below = amplitude - 1
    switch kind {
    case 0:
      self.init(
        b0: 1 + alpha * amplitude, b1: -2 * cosine, b2: 1 - alpha * amplitude,
        a0: 1 + alpha / amplitude, a1: -2 * cosine, a2: 1 - alpha / amplitude)
    case 1:
      self.init(
        b0: amplitude * (above - below * cosine + slope),
        b1: 2 * amplitude * (below - above * cosine),
        b2: amplitude * (above - below * cosine - slope),
        a0: above + below * cosine + slope, a1: -2 * (below + above * cosine),
        a2: above + below * cosine - slope)
    case 2:
      self.init(
        b0: amplitude * (above + below * cosine + slope),
        b1: -2 * amplitude * (below + above * cosine),
        b2: amplitude * (above + below * cosine - slope),
        a0: above - below * cosine + slope, a1: 2 * (below - above * cosine),
        a2: above - below * cosine - slope)
    case 3:
      self.init(
        b0: (1 - cosine) / 2, b1: 1 - cosine, b2: (1 - cosine) / 2,
        a0: 1 + alpha, a1: -2 * cosine, a2: 1 - alpha)
    case 4:
      self.init(
        b0: (1 + cosine) / 2, b1: -1 - cosine, b2: (1 + cosine) / 2,
        a0: 1 + alpha, a1: -2 * cosine, a2: 1 - alpha)
    case 5:
      self.init(
        b0: 1, b1: -2 * cosine, b2: 1, a0: 1 + alpha, a1: -2 * cosine, a2: 1 - alpha)
    default:
      self.init(
        b0: alpha, b1: 0, b2: -alpha, a0: 1 + alpha, a1: -2 * cosine, a2: 1 - alpha)
    }
  }

  @_noAllocation @_noLocks
  private init(b0: Double, b1: Double, b2: Double, a0: Double, a1: Double, a2: Double) {
    self.b0 = b0 / a0
    self.b1 = b1 / a0
    self.b2 = b2 / a0
    self.a1 = a1 / a0
    self.a2 = a2 / a0
  }

  /// Filters a sample, in transposed direct form II.
  ///
  /// - Parameters:
  ///   - sample: the input sample.
  ///   - memory: the filter's state between samples; initially zero.
  /// - Returns: the output sample.
  @inline(__always) @_noAllocation @_noLocks
  func next(_ sample: Float, _ memory: inout SIMD2<Double>) -> Float {
    let sample = Double(sample)
    let result = b0 * sample + memory.x
    memory.x = b1 * sample - a1 * result + memory.y
    memory.y = b2 * sample - a2 * result
    return Float(result)
  }
}
