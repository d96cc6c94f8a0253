// SPDX-License-Identifier: Apache-2.0
public import MusicalTime

/// The format of a stream of sound: sample rate and channel count.
///
/// Samples are floats with full scale at ±1, not interleaved.
public struct AudioFormat: Hashable, Sendable {
  /// The sample rate.
  public let rate: SampleRate
  /// The number of channels.
  public let channelCount: Int

  /// Creates a format.
  ///
  /// - Precondition: `channelCount` is 1…1024.
  public init(rate: SampleRate, channelCount: Int = 2) {
    precondition((1...1024).contains(channelCount), "the channel count must be 1 to 1024")
    self.rate = rate
    self.channelCount = channelCount
  }

  /// The number of frames that every render call produces: 64, independent of the device's period.
  ///
  /// FluidSynth starts notes only at every 64th frame. Because the quantum is also 64 frames, a
  /// song sounds the same on every device. At 48 kHz a quantum lasts 1⅓ ms.
  @inlinable
  public static var quantum: Int {
    @_noAllocation @_noLocks
    get { 64 }
  }
}
