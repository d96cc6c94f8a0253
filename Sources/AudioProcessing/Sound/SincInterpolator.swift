// SPDX-License-Identifier: Apache-2.0

/// Interpolates between samples that are played at a variable speed, with a windowed sinc.
///
/// The sinc has 32 zero crossings on each side. At speeds above 1 it is wider in proportion, to
/// avoid aliasing.
///
/// - Note: Real-time safe except for creation and destruction.
@safe
struct SincInterpolator: ~Copyable {
  /// The number of samples on each side that the widest sinc, at speed 4, needs.
  ///
  /// The sample at the position counts as one before it.
  static var reach: Int {
    @_noAllocation @_noLocks
    get { SincTable.crossings &* 4 }
  }

  private let table = SincTable()
  private let weights: UnsafeMutablePointer<Float>
  /// The number of samples on each side that the current sinc needs: an even number, so that groups
  /// of four fill it.
  private var width = 0

  init() {
    unsafe weights = .allocate(capacity: 2 * Self.reach)
    unsafe weights.initialize(repeating: 0, count: 2 * Self.reach)
  }

  deinit {
    unsafe weights.deallocate()
  }

  /// Computes the weights for a position between two samples.
  ///
  /// - Parameters:
  ///   - part: the distance after the first sample, 0…1.
  ///   - speed: input samples for each output sample, up to 4.
  @_noAllocation @_noLocks
  mutating func aim(at part: Double, speed: Float) {
    let stretch = max(1, speed)
    width = min(Self.reach, Int(Float(SincTable.crossings) * stretch)) & ~1
    for index in 0..<2 &* width {
      let distance = Float(Double(index &- width &+ 1) - part)
      unsafe weights[index] = table.value(at: distance / stretch) / stretch
    }
  }

  /// The interpolated value of a channel after the given sample.
  ///
  /// It reads up to `reach` − 1 samples before the given sample and `reach` after it.
  @_noAllocation @_noLocks
  func value(around sample: UnsafePointer<Float>) -> Float {
    let samples = unsafe sample - (width &- 1)
    var sum = SIMD4<Float>.zero
    var index = 0
    while index < 2 &* width {
      let four = unsafe SIMD4(
        samples[index], samples[index &+ 1], samples[index &+ 2], samples[index &+ 3])
      let factors = unsafe SIMD4(
        weights[index], weights[index &+ 1], weights[index &+ 2], weights[index &+ 3])
      sum += four * factors
      index &+= 4
    }
    return sum.x + sum.y + sum.z + sum.w
  }
}
