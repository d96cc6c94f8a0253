// SPDX-License-Identifier: Apache-2.0

/// An all-pass filter that turns one sound into many, without changing the level of any frequency.
///
/// - Note: Real-time safe except for creation and destruction.
/// Source: M. R. Schroeder, Natural sounding artificial reverberation (1962).
@safe
struct Diffuser: BitwiseCopyable {
  private let samples: UnsafeMutablePointer<Float>
  private let count: Int
  private var place = 0

  /// The number of diffusers in series.
  static var count: Int {
    @_noAllocation @_noLocks
    get { 4 }
  }

  /// Creates one of the four diffusers of a channel, 1.7 to 5.3 ms long.
  ///
  /// The owner deallocates it.
  init(_ number: Int, channel: Int, framesPerSecond: Double) {
    let lengths = channel == 0 ? [1.71, 2.53, 3.67, 4.91] : [1.83, 2.39, 3.83, 5.27]
    count = max(1, Int(lengths[number] / 1000 * framesPerSecond) | 1)
    unsafe samples = .allocate(capacity: count)
    unsafe samples.initialize(repeating: 0, count: count)
  }

  func deallocate() {
    unsafe samples.deallocate()
  }

  /// Makes the filter silent.
  @_noAllocation @_noLocks
  func clear() { unsafe samples.update(repeating: 0, count: count) }

  /// Filters a sample.
  @_noAllocation @_noLocks
  mutating func next(_ sample: Float) -> Float {
    let old = unsafe samples[place]
    let new = sample + 0.6 * old
    unsafe samples[place] = new
    place = place &+ 1 == count ? 0 : place &+ 1
    return old - 0.6 * new
  }
}
