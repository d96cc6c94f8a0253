// SPDX-License-Identifier: Apache-2.0

/// Sixteen interpolation weights for each of 128 positions between two samples.
///
/// They are a sinc under a Kaiser window, exact to −60 dB up to 0.38 of the sample rate. Weights
/// between the positions are interpolated linearly.
///
/// - Note: Real-time safe except for creation and destruction.
@safe
struct FractionTable: BitwiseCopyable {
  typealias Lane = SIMD8<Float>

  private let weights: UnsafeMutablePointer<Float>

  /// The number of weights for a position.
  static var count: Int {
    @_noAllocation @_noLocks
    get { 16 }
  }

  /// The number of samples needed after a position, which is the latency of reading.
  static var reach: Int {
    @_noAllocation @_noLocks
    get { 8 }
  }

  private static var resolution: Int {
    @_noAllocation @_noLocks
    get { 128 }
  }

  /// Creates the table, which the owner deallocates.
  init() {
    unsafe weights = RightAngleTransform.allocate((Self.resolution + 2) * Self.count)
    for row in 0...Self.resolution {
      let part = Double(row) / Double(Self.resolution)
      let row = unsafe weights + row * Self.count
      let values = (0..<Self.count).map { Self.value(Double($0 - Self.reach + 1) - part) }
      let sum = values.reduce(0, +)
      for index in 0..<Self.count { unsafe row[index] = Float(values[index] / sum) }
    }
  }

  func deallocate() {
    unsafe weights.deallocate()
  }

  private static func value(_ place: Double) -> Double {
    let sinc = place == 0 ? 1 : SampleMath.sine(.pi * place) / (.pi * place)
    return sinc * KaiserWindow.value(place / Double(reach), beta: 6)
  }

  /// The weights of the samples from `reach` − 1 before a position to `reach` after it.
  ///
  /// - Parameter part: the position between two samples, 0…1.
  /// - Returns: the first eight weights and the other eight.
  @inline(__always) @_noAllocation @_noLocks
  func lanes(at part: Float) -> (Lane, Lane) {
    let place = part * Float(Self.resolution)
    let row = min(Self.resolution &- 1, Int(place))
    let rest = place - Float(row)
    let lanes = unsafe SampleLoop.lanes(weights + row &* Self.count)
    let first = unsafe lanes[0] + (lanes[2] - lanes[0]) * rest
    let second = unsafe lanes[1] + (lanes[3] - lanes[1]) * rest
    return (first, second)
  }
}
