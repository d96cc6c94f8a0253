// SPDX-License-Identifier: Apache-2.0
internal import AudioProcessing

/// Delays a send and filters it before an effect: low-pass and high-pass, 6 dB an octave each.
///
/// - Note: Real-time safe but for creation and destruction.
@safe
struct SendFilter: ~Copyable {
  private let samples: UnsafeMutablePointer<Float>
  private let mask: Int
  private let framesPerSecond: Double
  private var written = 0
  /// How far back is heard, how far back was, and the frames left of the way from one to the other.
  private var delay = 0
  private var oldDelay = 0
  private var fadeLeft = 0
  /// Shares of what is new; all of it, and none, without a filter.
  private var lowShare: Float = 1
  private var highShare: Float = 0
  private var low: Float = 0
  private var high: Float = 0

  /// The frames of a fade from one delay to another.
  private static var fadeFrames: Int {
    @_noAllocation @_noLocks
    get { 1024 }
  }

  /// Makes a silent one.
  ///
  /// - Parameters:
  ///   - longest: the greatest delay in seconds.
  ///   - hertz: frames a second.
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

  /// Takes a delay in seconds and cutoffs in hertz; 20 000 for no low-pass, 0 for no high-pass.
  @_noAllocation @_noLocks
  mutating func take(delay seconds: Double, lowPass: Double, highPass: Double) {
    let frames = min(mask, max(0, Int(seconds * framesPerSecond + 0.5)))
    if frames != delay {
      // Nothing fades before there is anything to hear.
      (oldDelay, delay, fadeLeft) = (delay, frames, written == 0 ? 0 : Self.fadeFrames)
    }
    lowShare =
      lowPass < 20_000 ? Self.share(hertz: lowPass, framesPerSecond: framesPerSecond) : 1
    highShare =
      highPass > 0 ? Self.share(hertz: highPass, framesPerSecond: framesPerSecond) : 0
  }

  /// The share of a new sample in a filter of one pole, 0…1.
  @_noAllocation @_noLocks
  private static func share(hertz: Double, framesPerSecond: Double) -> Float {
    Float(1 - SampleMath.exponential(-2 * Double.pi * hertz / framesPerSecond))
  }

  /// Forgets what was heard.
  @_noAllocation @_noLocks
  mutating func clear() {
    unsafe samples.update(repeating: 0, count: mask &+ 1)
    (low, high, fadeLeft) = (0, 0, 0)
  }

  /// Treats a quantum in place.
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
    // What is no number does not stay, nor does what is too small, which would be slow.
    if !(low.magnitude > 1e-20 && low.magnitude < 1e6) { low = 0 }
    if !(high.magnitude > 1e-20 && high.magnitude < 1e6) { high = 0 }
  }
}
