// SPDX-License-Identifier: Apache-2.0

/// Makes a signal four times as dense, and the dense one sparse again, for what bends it between.
///
/// Both ways go through the same filter of 128 values: 6 dB down at half the rate, flat below 0.4 of
/// it and 80 dB down from 0.6 on. What folds back lies above 0.4 of the rate. Both ways together are
/// 32 frames late.
///
/// - Note: Real-time safe but for creation and destruction.
@safe
struct Oversampler: BitwiseCopyable {
  /// The filter, phase after phase.
  private let weights: UnsafeMutablePointer<Float>
  /// What came in, before a quantum and in it.
  private let sparse: UnsafeMutablePointer<Float>
  /// The dense signal in four rows, before a quantum and in it: sample 4n + p is the nth of row p.
  private let dense: UnsafeMutablePointer<Float>

  /// Dense samples for each frame, and rows.
  static var factor: Int {
    @_noAllocation @_noLocks
    get { 4 }
  }

  /// The frames by which what has gone both ways is late.
  static var delay: Int {
    @_noAllocation @_noLocks
    get { 32 }
  }

  /// The values of each phase, and the frames that are kept.
  private static var tapCount: Int {
    @_noAllocation @_noLocks
    get { 32 }
  }

  private static var stride: Int {
    @_noAllocation @_noLocks
    get { tapCount &+ AudioFormat.quantum }
  }

  /// Makes one for a channel, which the owner deallocates.
  init() {
    let count = Self.factor * Self.tapCount
    unsafe weights = .allocate(capacity: count)
    unsafe sparse = SampleLoop.allocate(channelCount: 2)
    unsafe dense = SampleLoop.allocate(channelCount: 2 * Self.factor)
    for tap in 0..<count {
      let distance = Double(tap - count / 2) / Double(Self.factor)
      let sinc = distance == 0 ? 1 : SampleMath.sine(.pi * distance) / (.pi * distance)
      let bell = KaiserWindow.value(2 * distance / Double(Self.tapCount), beta: 8)
      let (row, place) = (tap % Self.factor, tap / Self.factor)
      unsafe (weights + row * Self.tapCount + place).initialize(to: Float(sinc * bell))
    }
  }

  func deallocate() {
    unsafe weights.deallocate()
    unsafe sparse.deallocate()
    unsafe dense.deallocate()
  }

  /// Forgets what came in.
  @_noAllocation @_noLocks
  func clear() {
    unsafe sparse.update(repeating: 0, count: 2 &* AudioFormat.quantum)
    unsafe dense.update(repeating: 0, count: 2 &* Self.factor &* AudioFormat.quantum)
  }

  /// A quantum of one of the four rows, to be bent.
  @_noAllocation @_noLocks
  func row(_ row: Int) -> UnsafeMutablePointer<Float> {
    unsafe dense + (row &* Self.stride &+ Self.tapCount)
  }

  /// Takes a quantum and fills the rows.
  @_noAllocation @_noLocks
  func spread(_ samples: UnsafePointer<Float>) {
    unsafe Self.shift(sparse)
    let fresh = unsafe sparse + Self.tapCount
    unsafe SampleLoop.copy(samples, to: fresh)
    // The filter is 1 in its middle and 0 at every other frame, so that the first row is what came in.
    let first = unsafe row(0)
    for frame in 0..<AudioFormat.quantum { unsafe first[frame] = fresh[frame &- Self.tapCount / 2] }
    for place in 1..<Self.factor {
      let target = unsafe SampleLoop.lanes(row(place))
      for lane in 0..<SampleLoop.laneCount {
        unsafe target[lane] = filtered(fresh + 8 &* lane, by: place)
      }
    }
  }

  /// Makes a quantum of the rows.
  @_noAllocation @_noLocks
  func gather(into samples: UnsafeMutablePointer<Float>) {
    let target = unsafe SampleLoop.lanes(samples)
    for lane in 0..<SampleLoop.laneCount {
      let middle = unsafe row(0) + (8 &* lane &- Self.tapCount / 2)
      var sum = unsafe UnsafeRawPointer(middle).loadUnaligned(as: SampleLoop.Lane.self)
      for place in 1..<Self.factor {
        sum += unsafe filtered(row(place) + (8 &* lane &- 1), by: Self.factor &- place)
      }
      unsafe target[lane] = sum / Float(Self.factor)
    }
    for place in 0..<Self.factor { unsafe Self.shift(row(place) - Self.tapCount) }
  }

  /// Eight samples, each the sum of what lies before it, times a phase of the filter.
  @_noAllocation @_noLocks
  private func filtered(_ samples: UnsafePointer<Float>, by phase: Int) -> SampleLoop.Lane {
    let values = unsafe weights + phase &* Self.tapCount
    var sum = SampleLoop.Lane.zero
    for tap in 0..<Self.tapCount {
      let lane = unsafe UnsafeRawPointer(samples - tap).loadUnaligned(as: SampleLoop.Lane.self)
      sum += unsafe lane * values[tap]
    }
    return sum
  }

  /// Moves the end of a quantum to where the next looks for what was before.
  @_noAllocation @_noLocks
  private static func shift(_ samples: UnsafeMutablePointer<Float>) {
    for place in 0..<tapCount { unsafe samples[place] = samples[place &+ AudioFormat.quantum] }
  }
}
