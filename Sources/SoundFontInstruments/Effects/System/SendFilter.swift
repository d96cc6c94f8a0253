// SPDX-License-Identifier: Apache-2.0
internal import AudioProcessing

/// Delays and filters a send before an effect: a low-pass and a high-pass, each with 6 dB per
/// octave.
///
/// - Note: Real-time safe except for creation and destruction.
@safe
struct SendFilter: ~Copyable {
  private let samples: UnsafeMutablePointer<Float>
  private let mask: Int
  private let framesPerSecond: Double
  private var written = 0
  /// The current delay, the previous delay, and the remaining frames of the fade between them.
  private var delay = 0
  private var oldDelay = 0
  private var fadeLeft = 0
  /// The filter coefficients; 1 and 0 are off.
  private var lowShare: Float = 1
  private var highShare: Float = 0
  private var low: Float = 0
  private var high: Float = 0

  /// The frames of a fade from one delay to another.
  private static var fadeFrames: Int {
    @_noAllocation @_noLocks
    get { 1024 }
  }

  /// Creates a silent filter.
  ///
  /// - Parameters:
  ///   - longest: the longest delay, in seconds.
  ///   - hertz: the sample rate.
  init(longest: Double, hertz: Int) {
    framesPerSecond = Double(hertz)
    var capacity = 2 * AudioFormat.quantum
    while capacity < Int(longest * framesPerSecond) + AudioFormat.quantum { capacity *= 2 }
    unsafe samples = .allocate(capacity: capacity)
    unsafe samples.initialize(repeating: 0, count: capacity)
    mask = capacity - 1
  }

  deinit {
    unsafe samples.deallocate()
  }

  /// Sets the delay in seconds and the cutoffs in hertz; 20 000 turns the low-pass off, 0 the
  /// high-pass.
  @_noAllocation @_noLocks
  mutating func take(delay seconds: Double, lowPass: Double, highPass: Double) {
    let frames = min(mask, max(0, Int(seconds * framesPerSecond + 0.5)))
    if frames != delay {
      // A fade is not needed before the first sample.
      (oldDelay, delay, fadeLeft) = (delay, frames, written == 0 ? 0 : Self.fadeFrames)
    }
    lowShare =
      lowPass < 20_000 ? Self.share(hertz: lowPass, framesPerSecond: framesPerSecond) : 1
    highShare =
      highPass > 0 ? Self.share(hertz: highPass, framesPerSecond: framesPerSecond) : 0
  }

  /// The coefficient of a one-pole filter, 0…1.
  @_noAllocation @_noLocks
  private static func share(hertz: Double, framesPerSecond: Double) -> Float {
    Float(1 - SampleMath.exponential(-2 * Double.pi * hertz / framesPerSecond))
  }

  /// Clears all stored sound.
  @_noAllocation @_noLocks
  mutating func clear() {
    unsafe samples.update(repeating: 0, count: mask &+ 1)
    (low, high, fadeLeft) = (0, 0, 0)
  }

  /// Processes a quantum in place.
  @_noAllocation @_noLocks
  mutating func render(_ quantum: UnsafeMutablePointer<Float>) {
    for frame in 0..<AudioFormat.quantum {
      unsafe samples[written & mask] = quantum[frame]
      var sample = unsafe samples[(written &- delay) & mask]
      if fadeLeft > 0 {
        fadeLeft &-= 1
        let old = unsafe samples[(written &- oldDelay) & mask]
        sample += (old - sample) * Float(fadeLeft) / Float(Self.fadeFrames)
      }
      written &+= 1
      low += (sample - low) * lowShare
      high += (low - high) * highShare
      unsafe quantum[frame] = low - high
    }
    // Remove NaN, huge values, and tiny values, which would be slow.
    if !(low.magnitude > 1e-20 && low.magnitude < 1e6) { low = 0 }
    if !(high.magnitude > 1e-20 && high.magnitude < 1e6) { high = 0 }
  }
}
