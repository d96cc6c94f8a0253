// SPDX-License-Identifier: Apache-2.0

/// An all-pass filter: it makes many sounds of one, and leaves the level of every frequency alone.
///
/// - Note: Real-time safe but for creation and destruction.
/// Source: M. R. Schroeder, Natural sounding artificial reverberation (1962).
@safe
struct Diffuser: BitwiseCopyable {
  private let samples: UnsafeMutablePointer<Float>
  private let count: Int
  private var place = 0

  /// How many stand one after another.
  static var count: Int {
    @_noAllocation @_noLocks
    get { 4 }
  }

  /// Makes one of the four of a channel, 1.7 to 5.3 ms long, which the owner deallocates.
  init(_ number: Int, channel: Int, framesPerSecond: Double) {
    let lengths = channel == 0 ? [1.71, 2.53, 3.67, 4.91] : [1.83, 2.39, 3.83, 5.27]
    count = max(1, Int(lengths[number] / 1000 * framesPerSecond) | 1)
    unsafe samples = .allocate(capacity: count)
    unsafe samples.initialize(repeating: 0, count: count)
  }

  func deallocate() {
    unsafe samples.deallocate()
  }

  /// Makes it silent.
  @_noAllocation @_noLocks
  func clear() { unsafe samples.update(repeating: 0, count: count) }

  /// Takes a sample and gives one.
  @_noAllocation @_noLocks
  mutating func next(_ sample: Float) -> Float {
    let old = unsafe samples[place]
    let new = sample + 0.6 * old
    unsafe samples[place] = new
    place = place &+ 1 == count ? 0 : place &+ 1
    return old - 0.6 * new
  }
}
