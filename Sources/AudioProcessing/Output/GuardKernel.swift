// SPDX-License-Identifier: Apache-2.0

/// The last check before a device or a file: no sample passes that is above full scale or is no
/// number.
///
/// A sample that is not a number or infinite becomes silence; one above full scale becomes full
/// scale. Both are counted.
///
/// - Note: Real-time safe.
public struct GuardKernel: BitwiseCopyable, Sendable {
  /// Samples brought down to full scale.
  public private(set) var clampedSampleCount = 0
  /// Samples that were no number and became silence.
  public private(set) var faultySampleCount = 0
  /// Whether samples above full scale are brought down; what is no number is silenced either way.
  public let clamps: Bool

  /// Creates a guard that has seen nothing.
  ///
  /// - Parameter clamps: false for a file of single precision, which may exceed full scale.
  public init(clamps: Bool = true) {
    self.clamps = clamps
  }

  /// Guards one quantum of a bus.
  @_noAllocation @_noLocks
  public mutating func guardBus(_ bus: Bus) {
    for channel in 0..<bus.channelCount {
      let samples = unsafe bus.channel(channel)
      if unsafe !Self.isWithinRange(samples) { unsafe mend(samples) }
    }
  }

  /// Whether all samples are numbers within full scale: the ordinary case, in one sweep.
  @_noAllocation @_noLocks
  private static func isWithinRange(_ samples: UnsafePointer<Float>) -> Bool {
    var within = SIMDMask<SIMD8<Int32>>(repeating: true)
    unsafe samples.withMemoryRebound(to: SIMD8<Float>.self, capacity: AudioFormat.quantum / 8) {
      for lane in 0..<AudioFormat.quantum / 8 {
        // False for what is not a number, whichever way it is asked.
        within = unsafe within .& ($0[lane] .<= 1) .& ($0[lane] .>= -1)
      }
    }
    return within == SIMDMask(repeating: true)
  }

  @_noAllocation @_noLocks
  private mutating func mend(_ samples: UnsafeMutablePointer<Float>) {
    for frame in 0..<AudioFormat.quantum {
      let sample = unsafe samples[frame]
      if !sample.isFinite {
        unsafe samples[frame] = 0
        faultySampleCount &+= 1
      } else if clamps, abs(sample) > 1 {
        unsafe samples[frame] = sample > 0 ? 1 : -1
        clampedSampleCount &+= 1
      }
    }
  }
}
