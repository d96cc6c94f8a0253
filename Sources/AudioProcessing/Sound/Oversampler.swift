// SPDX-License-Identifier: Apache-2.0

/// Converts a signal to four times its sample rate and back, for nonlinear processing in between.
///
/// Both directions use the same filter of 128 coefficients: flat below 0.4 of the sample rate, −6
/// dB at half the rate, and −80 dB from 0.6. Aliasing is therefore above 0.4 of the rate. Both
/// directions together delay by 32 frames.
///
/// - Note: Real-time safe except for creation and destruction.
@safe
struct Oversampler: BitwiseCopyable {
  /// The filter, phase by phase.
  private let weights: UnsafeMutablePointer<Float>
  /// The input, before and in the current quantum.
  private let sparse: UnsafeMutablePointer<Float>
  /// The oversampled signal in four rows, before and in the current quantum: sample 4n + p is
  /// element n of row p.
  private let dense: UnsafeMutablePointer<Float>

  /// The number of oversampled values for each frame, and of rows.
  static var factor: Int {
    @_noAllocation @_noLocks
    get { 4 }
  }

  /// The delay of both directions together, in frames.
  static var delay: Int {
    @_noAllocation @_noLocks
    get { 32 }
  }

  /// The coefficients of each phase, which is also the number of frames that are kept.
  private static var tapCount: Int {
    @_noAllocation @_noLocks
    get { 32 }
  }

  private static var stride: Int {
    @_noAllocation @_noLocks
    get { tapCount &+ AudioFormat.quantum }
  }

  /// Creates an oversampler for a channel.
  ///
  /// The owner deallocates it.
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

  /// Clears all stored sound.
  @_noAllocation @_noLocks
  func clear() {
    unsafe sparse.update(repeating: 0, count: 2 &* AudioFormat.quantum)
    unsafe dense.update(repeating: 0, count: 2 &* Self.factor &* AudioFormat.quantum)
  }

  /// A quantum of one of the four rows, for processing.
  @_noAllocation @_noLocks
  func row(_ row: Int) -> UnsafeMutablePointer<Float> {
    unsafe dense + (row &* Self.stride &+ Self.tapCount)
  }

  /// Reads a quantum and fills the rows.
  @_noAllocation @_noLocks
  func spread(_ samples: UnsafePointer<Float>) {
    unsafe Self.shift(sparse)
    let fresh = unsafe sparse + Self.tapCount
    unsafe SampleLoop.copy(samples, to: fresh)
    // The filter is 1 in its centre and 0 at all other frames, so the first row is the input.
    let first = unsafe row(0)
    for frame in 0..<AudioFormat.quantum { unsafe first[frame] = fresh[frame &- Self.tapCount / 2] }
    for place in 1..<Self.factor {
      let target = unsafe SampleLoop.lanes(row(place))
      for lane in 0..<SampleLoop.laneCount {
        unsafe target[lane] = filtered(fresh + 8 &* lane, by: place)
      }
    }
  }

  /// Writes a quantum from the rows.
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

  /// Eight output samples of one phase of the filter.
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

  /// Moves the end of a quantum to the place of the frames before the next.
  @_noAllocation @_noLocks
  private static func shift(_ samples: UnsafeMutablePointer<Float>) {
    for place in 0..<tapCount { unsafe samples[place] = samples[place &+ AudioFormat.quantum] }
  }
}
