// SPDX-License-Identifier: Apache-2.0

/// A delay line for any delay, also between frames.
///
/// Cubic interpolation through four samples (Catmull–Rom). In the middle between frames it loses
/// 1.1 dB at a quarter of the sample rate and 0.03 dB at a tenth.
///
/// - Note: Real-time safe except for creation and destruction.
@safe
struct GlidingLine: BitwiseCopyable {
  private let samples: UnsafeMutablePointer<Float>
  private let mask: Int
  /// True if the line owns its samples.
  private let isOwner: Bool
  private var written = 0
  /// The longest delay, in frames.
  let longest: Float

  /// The shortest delay, in frames: the interpolation needs one later sample, which must exist.
  static var shortest: Float {
    @_noAllocation @_noLocks
    get { 2 }
  }

  /// Creates a silent line, which the owner deallocates.
  ///
  /// - Parameters:
  ///   - longest: the longest delay, in frames.
  ///   - shared: memory shared with other lines, which must outlive the line; nil allocates memory.
  ///   - first: the first sample in the shared memory.
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

  /// The number of samples that a line needs, for its longest delay in frames.
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

  /// Appends a sample.
  @_noAllocation @_noLocks
  mutating func write(_ sample: Float) {
    unsafe samples[written & mask] = sample
    written &+= 1
  }

  /// The interpolated value a number of frames before the next sample.
  ///
  /// The number is limited to `shortest`…`longest`.
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
