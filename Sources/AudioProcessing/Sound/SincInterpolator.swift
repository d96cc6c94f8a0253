// SPDX-License-Identifier: Apache-2.0

/// What lies between samples that are played at a speed, by a windowed sinc.
///
/// It reaches over 32 crossings of zero on each side. At a speed above 1 it is as much wider, so that
/// nothing folds over.
///
/// - Note: Real-time safe but for creation and destruction.
@safe
struct SincInterpolator: ~Copyable {
  /// The samples to each side that the widest sinc, at speed 4, takes in: the one at the place counts
  /// among those before it.
  static var reach: Int {
    @_noAllocation @_noLocks
    get { SincTable.crossings &* 4 }
  }

  private let table = SincTable()
  private let weights: UnsafeMutablePointer<Float>
  /// The samples to each side that the sinc takes in now: an even number, so that fours fill it.
  private var width = 0

  init() {
    unsafe weights = .allocate(capacity: 2 * Self.reach)
    unsafe weights.initialize(repeating: 0, count: 2 * Self.reach)
  }

  deinit {
    unsafe weights.deallocate()
  }

  /// Goes to a place between a sample and the next.
  ///
  /// - Parameters:
  ///   - part: how far past the sample, 0…1.
  ///   - speed: samples for each that is played, up to 4.
  @_noAllocation @_noLocks
  mutating func aim(at part: Double, speed: Float) {
    let stretch = max(1, speed)
    width = min(Self.reach, Int(Float(SincTable.crossings) * stretch)) & ~1
    for index in 0..<2 &* width {
      let distance = Float(Double(index &- width &+ 1) - part)
      unsafe weights[index] = table.value(at: distance / stretch) / stretch
    }
  }

  /// The value there, of a channel whose sample before the place is given; up to `reach` − 1 samples
  /// before it are read, and `reach` behind it.
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
