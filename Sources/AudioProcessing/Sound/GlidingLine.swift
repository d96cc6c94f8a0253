// SPDX-License-Identifier: Apache-2.0

/// The last samples of a signal, to be heard again any time later, between two frames too.
///
/// Between frames a cubic through the four samples around is taken (Catmull–Rom): of what is a
/// quarter of the rate it loses 1.1 dB in the middle between two frames, of what is a tenth 0.03 dB.
///
/// - Note: Real-time safe but for creation and destruction.
@safe
struct GlidingLine: BitwiseCopyable {
  private let samples: UnsafeMutablePointer<Float>
  private let mask: Int
  /// Whether the samples are the line's own.
  private let isOwner: Bool
  private var written = 0
  /// The greatest delay, in frames.
  let longest: Float

  /// The least delay, in frames: one sample after the place is needed, and it must be there.
  static var shortest: Float {
    @_noAllocation @_noLocks
    get { 2 }
  }

  /// Makes a silent line, which the owner deallocates.
  ///
  /// - Parameters:
  ///   - longest: the greatest delay, in frames.
  ///   - shared: samples that it shares with others, which must outlive it; nil for its own.
  ///   - first: the first of them that it takes.
  init(longest: Int, in shared: SharedSamples? = nil, from first: Int = 0) {
    let capacity = Self.capacity(longest: longest)
    mask = capacity - 1
    self.longest = Float(longest)
    isOwner = shared == nil
    guard let shared else {
      unsafe samples = .allocate(capacity: capacity)
      unsafe samples.initialize(repeating: 0, count: capacity)
      return
    }
    precondition(
      first >= 0 && first + capacity <= shared.count, "the shared memory has too few samples")
    unsafe samples = shared.samples + first
  }

  /// The samples that a line takes, for its greatest delay in frames.
  static func capacity(longest: Int) -> Int {
    var capacity = 2 * AudioFormat.quantum
    while capacity < longest + 4 { capacity *= 2 }
    return capacity
  }

  func deallocate() {
    guard isOwner else { return }
    unsafe samples.deallocate()
  }

  /// Makes the line silent.
  ///
  /// - Complexity: O(n) in its length.
  @_noAllocation @_noLocks
  func clear() {
    unsafe samples.update(repeating: 0, count: mask &+ 1)
  }

  /// Adds a sample.
  @_noAllocation @_noLocks
  mutating func write(_ sample: Float) {
    unsafe samples[written & mask] = sample
    written &+= 1
  }

  /// What was written a number of frames before the sample that is written next; the number is held
  /// between `shortest` and `longest`.
  @_noAllocation @_noLocks
  func read(_ delay: Float) -> Float {
    let held = min(longest, max(Self.shortest, delay))
    let whole = Int(held)
    let part = held - Float(whole)
    let place = written &- whole
    let after = unsafe samples[(place &+ 1) & mask]
    let near = unsafe samples[place & mask]
    let far = unsafe samples[(place &- 1) & mask]
    let before = unsafe samples[(place &- 2) & mask]
    let slope = 0.5 * (far - after)
    let bend = after - 2.5 * near + 2 * far - 0.5 * before
    let twist = 0.5 * (before - after) + 1.5 * (near - far)
    return ((twist * part + bend) * part + slope) * part + near
  }
}
