// SPDX-License-Identifier: Apache-2.0
internal import CRealtime

/// The inner loops over one quantum of a channel, eight samples at a time.
///
/// The memory of each channel is aligned to 64 bytes.
///
/// - Note: Real-time safe.
enum SampleLoop {
  typealias Lane = SIMD8<Float>
  typealias Lanes = UnsafePointer<Lane>
  typealias MutableLanes = UnsafeMutablePointer<Lane>

  /// The number of SIMD vectors in a quantum.
  static var laneCount: Int {
    @_noAllocation @_noLocks
    get { AudioFormat.quantum / 8 }
  }

  @_noAllocation @_noLocks
  static func lanes(_ samples: UnsafePointer<Float>) -> Lanes {
    unsafe UnsafeRawPointer(samples).assumingMemoryBound(to: Lane.self)
  }

  @_noAllocation @_noLocks
  static func lanes(_ samples: UnsafeMutablePointer<Float>) -> MutableLanes {
    unsafe UnsafeMutableRawPointer(samples).assumingMemoryBound(to: Lane.self)
  }

  /// Allocates zeroed memory for channels of one quantum each.
  ///
  /// The caller frees it.
  static func allocate(channelCount: Int) -> UnsafeMutablePointer<Float> {
    let count = max(1, channelCount) * AudioFormat.quantum
    let memory = UnsafeMutableRawPointer.allocate(
      byteCount: count * MemoryLayout<Float>.stride, alignment: 64)
    let samples = unsafe memory.bindMemory(to: Float.self, capacity: count)
    unsafe samples.initialize(repeating: 0, count: count)
    return unsafe samples
  }

  /// The maximum of two vectors, element by element.
  @inline(__always) @_noAllocation @_noLocks
  static func higher(_ left: Lane, _ right: Lane) -> Lane { crealtime_higher(left, right) }

  /// Each element limited to −`most`…`most`; `most` is above 0.
  @inline(__always) @_noAllocation @_noLocks
  static func bounded(_ value: Lane, _ most: Float) -> Lane {
    let bound = Lane(repeating: most)
    return -higher(-higher(value, -bound), -bound)
  }

  /// The maximum of all elements.
  @inline(__always) @_noAllocation @_noLocks
  static func highest(_ lane: Lane) -> Float { crealtime_highest(lane) }

  /// The sum of all elements.
  @inline(__always) @_noAllocation @_noLocks
  static func sum(_ lane: Lane) -> Float { crealtime_sum(lane) }

  /// The power of a signal.
  @_noAllocation @_noLocks
  static func power(of samples: UnsafePointer<Float>) -> Power {
    let source = unsafe lanes(samples)
    var sum = Lane.zero
    var top = Lane.zero
    for lane in 0..<laneCount {
      let sample = unsafe source[lane]
      let square = sample * sample
      sum += square
      top = higher(top, square)
    }
    return Power(sum: Self.sum(sum), top: highest(top))
  }

  /// Adds a signal with a gain to another; returns the power of the added sound.
  @_noAllocation @_noLocks
  static func add(
    _ samples: UnsafePointer<Float>, times gain: Float, to sum: UnsafeMutablePointer<Float>
  ) -> Power {
    let source = unsafe lanes(samples)
    let target = unsafe lanes(sum)
    var squares = Lane.zero
    var top = Lane.zero
    for lane in 0..<laneCount {
      let sample = unsafe source[lane] * gain
      unsafe target[lane] += sample
      let square = sample * sample
      squares += square
      top = higher(top, square)
    }
    return Power(sum: Self.sum(squares), top: highest(top))
  }

  /// Adds a signal with a gain for each frame to another; returns the power of the added sound.
  @_noAllocation @_noLocks
  static func add(
    _ samples: UnsafePointer<Float>, times gains: UnsafePointer<Float>,
    to sum: UnsafeMutablePointer<Float>
  ) -> Power {
    let source = unsafe lanes(samples)
    let factors = unsafe lanes(gains)
    let target = unsafe lanes(sum)
    var squares = Lane.zero
    var top = Lane.zero
    for lane in 0..<laneCount {
      let sample = unsafe source[lane] * factors[lane]
      unsafe target[lane] += sample
      let square = sample * sample
      squares += square
      top = higher(top, square)
    }
    return Power(sum: Self.sum(squares), top: highest(top))
  }

  /// Copies a signal.
  @_noAllocation @_noLocks
  static func copy(_ samples: UnsafePointer<Float>, to target: UnsafeMutablePointer<Float>) {
    let source = unsafe lanes(samples)
    let target = unsafe lanes(target)
    for lane in 0..<laneCount { unsafe target[lane] = source[lane] }
  }

  /// Multiplies a signal by a gain.
  @_noAllocation @_noLocks
  static func scale(
    _ samples: UnsafePointer<Float>, by gain: Float, into target: UnsafeMutablePointer<Float>
  ) {
    let source = unsafe lanes(samples)
    let target = unsafe lanes(target)
    for lane in 0..<laneCount { unsafe target[lane] = source[lane] * gain }
  }

  /// Multiplies a signal by a gain for each frame.
  @_noAllocation @_noLocks
  static func scale(
    _ samples: UnsafePointer<Float>, by gains: UnsafePointer<Float>,
    into target: UnsafeMutablePointer<Float>
  ) {
    let source = unsafe lanes(samples)
    let factors = unsafe lanes(gains)
    let target = unsafe lanes(target)
    for lane in 0..<laneCount { unsafe target[lane] = source[lane] * factors[lane] }
  }

  /// True if all samples of consecutive channels are finite.
  ///
  /// - Complexity: O(n) in the number of channels.
  @_noAllocation @_noLocks
  static func isFinite(_ samples: UnsafePointer<Float>, channelCount: Int) -> Bool {
    unsafe crealtime_is_finite(samples, channelCount) != 0
  }
}
