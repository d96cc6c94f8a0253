// SPDX-License-Identifier: Apache-2.0

/// The last check before a device or file, after which all samples are finite and within full
/// scale.
///
/// NaN and infinite samples are replaced by silence, and samples above full scale by full scale.
/// Both kinds are counted.
///
/// - Note: Real-time safe.
public struct GuardKernel: BitwiseCopyable, Sendable {
  /// The number of samples that were limited to full scale.
  public private(set) var clampedSampleCount = 0
  /// The number of NaN and infinite samples that became silence.
  public private(set) var faultySampleCount = 0
  /// True if samples above full scale are limited to full scale.
  ///
  /// NaN and infinite samples always become silence.
  public let clamps: Bool

  /// Creates a guard with counters at 0.
  ///
  /// - Parameter clamps: true to limit samples to full scale; false for a floating-point file,
  ///   whose samples may exceed full scale.
  public init(clamps: Bool = true) {
    self.clamps = clamps
  }

  /// Checks one quantum of a bus, and replaces and counts samples that are not valid.
  @_noAllocation @_noLocks
  public mutating func guardBus(_ bus: Bus) {
    for channel in 0..<bus.channelCount {
      let samples = unsafe bus.channel(channel)
      if unsafe !Self.isWithinRange(samples) { unsafe mend(samples) }
    }
  }

  /// True if all samples are within full scale: the usual case, checked in one pass.
  @_noAllocation @_noLocks
  private static func isWithinRange(_ samples: UnsafePointer<Float>) -> Bool {
    var within = SIMDMask<SIMD8<Int32>>(repeating: true)
    unsafe samples.withMemoryRebound(to: SIMD8<Float>.self, capacity: AudioFormat.quantum / 8) {
      for lane in 0..<AudioFormat.quantum / 8 {
        // Both comparisons are false for NaN.
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
