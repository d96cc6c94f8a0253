// SPDX-License-Identifier: Apache-2.0

/// A delay line for a whole number of frames.
///
/// If the delay changes, the old delay fades into the new one, without clicks and without a glide
/// in pitch.
///
/// - Note: Real-time safe except for creation and destruction.
@safe
struct DelayLine: BitwiseCopyable {
  private let samples: UnsafeMutablePointer<Float>
  private let mask: Int
  /// The number of samples written.
  private var written = 0
  /// The current delay, the previous delay, and the remaining frames of the fade between them.
  private(set) var delay: Int
  private var oldDelay: Int
  private var fadeLeft = 0

  /// The frames of a fade from one delay to another.
  static var fadeFrames: Int {
    @_noAllocation @_noLocks
    get { 1024 }
  }

  /// Creates a silent line, which the owner deallocates.
  ///
  /// - Parameters:
  ///   - longest: the longest delay, in frames.
  ///   - delay: the initial delay, in frames.
  init(longest: Int, delay: Int) {
    var capacity = 2 * AudioFormat.quantum
    while capacity < longest + AudioFormat.quantum { capacity *= 2 }
    unsafe samples = .allocate(capacity: capacity)
    unsafe samples.initialize(repeating: 0, count: capacity)
    mask = capacity - 1
    self.delay = delay
    oldDelay = delay
  }

  func deallocate() {
    unsafe samples.deallocate()
  }

  /// Makes the line silent.
  ///
  /// - Complexity: O(n) in its length.
  @_noAllocation @_noLocks
  mutating func clear() {
    unsafe samples.update(repeating: 0, count: mask &+ 1)
    fadeLeft = 0
  }

  /// Changes the delay, unless an earlier change is still fading.
  ///
  /// - Returns: true if the line has the new delay or fades to it.
  @discardableResult @_noAllocation @_noLocks
  mutating func move(to delay: Int) -> Bool {
    guard delay != self.delay else { return true }
    guard fadeLeft == 0 else { return false }
    oldDelay = self.delay
    self.delay = delay
    // A fade is not needed before the first sample.
    fadeLeft = written == 0 ? 0 : Self.fadeFrames
    return true
  }

  /// Appends a sample.
  @_noAllocation @_noLocks
  mutating func write(_ sample: Float) {
    unsafe samples[written & mask] = sample
    written &+= 1
  }

  /// The sample that was written `delay` frames before the next.
  @_noAllocation @_noLocks
  mutating func read() -> Float {
    let now = unsafe samples[(written &- delay) & mask]
    guard fadeLeft > 0 else { return now }
    fadeLeft &-= 1
    let part = Float(fadeLeft) / Float(Self.fadeFrames)
    return now + part * (unsafe samples[(written &- oldDelay) & mask] - now)
  }

  /// Reads a quantum that is completely written.
  ///
  /// - Precondition: the delays are at least a quantum.
  @_noAllocation @_noLocks
  mutating func read(into quantum: UnsafeMutablePointer<Float>) {
    let first = written &- delay
    for frame in 0..<AudioFormat.quantum {
      unsafe quantum[frame] = samples[(first &+ frame) & mask]
    }
    guard fadeLeft > 0 else { return }
    let old = written &- oldDelay
    for frame in 0..<AudioFormat.quantum {
      fadeLeft &-= 1
      let part = Float(fadeLeft) / Float(Self.fadeFrames)
      unsafe quantum[frame] += part * (samples[(old &+ frame) & mask] - quantum[frame])
    }
  }

  /// Reads a quantum with an additional delay that changes linearly, with cubic interpolation
  /// (Catmull–Rom).
  ///
  /// - Precondition: the delays are more than a quantum, and with the addition at most the longest
  ///   delay. The addition is 0 or more.
  @_noAllocation @_noLocks
  mutating func read(
    into quantum: UnsafeMutablePointer<Float>, addedFrom start: Float, to end: Float
  ) {
    let step = (end - start) / Float(AudioFormat.quantum)
    var added = start
    for frame in 0..<AudioFormat.quantum {
      added += step
      let now = between(written &+ frame &- delay, added)
      guard fadeLeft > 0 else {
        unsafe quantum[frame] = now
        continue
      }
      fadeLeft &-= 1
      let part = Float(fadeLeft) / Float(Self.fadeFrames)
      let old = between(written &+ frame &- oldDelay, added)
      unsafe quantum[frame] = now + part * (old - now)
    }
  }

  /// The interpolated value a number of frames before a sample.
  @inline(__always) @_noAllocation @_noLocks
  private func between(_ place: Int, _ added: Float) -> Float {
    let whole = Int(added)
    let part = added - Float(whole)
    let near = place &- whole
    let a = unsafe samples[(near &+ 1) & mask]
    let b = unsafe samples[near & mask]
    let c = unsafe samples[(near &- 1) & mask]
    let d = unsafe samples[(near &- 2) & mask]
    let bend = a - 2.5 * b + 2 * c - 0.5 * d
    let twist = 0.5 * (d - a) + 1.5 * (b - c)
    return ((twist * part + bend) * part + 0.5 * (c - a)) * part + b
  }

  /// Appends a quantum.
  @_noAllocation @_noLocks
  mutating func write(_ quantum: UnsafePointer<Float>) {
    for frame in 0..<AudioFormat.quantum {
      unsafe samples[(written &+ frame) & mask] = quantum[frame]
    }
    written &+= AudioFormat.quantum
  }
}
