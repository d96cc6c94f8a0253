// SPDX-License-Identifier: Apache-2.0
public import MusicalTime

/// The shape of a stream of audio: planar samples of single precision, full scale at ±1.
public struct AudioFormat: Hashable, Sendable {
  /// Frames a second.
  public let rate: SampleRate
  /// Samples in a frame.
  public let channelCount: Int

  /// Creates a format.
  ///
  /// - Precondition: `channelCount` is 1…1024.
  public init(rate: SampleRate, channelCount: Int = 2) {
    precondition((1...1024).contains(channelCount), "the channel count must be 1 to 1024")
    self.rate = rate
    self.channelCount = channelCount
  }

  /// The frames every render call makes, whatever the period of the device.
  ///
  /// FluidSynth starts notes on its own 64-frame boundaries; with any other quantum the same song
  /// would sound different on another device. At 48 000 Hz it lasts 1⅓ ms.
  @inlinable
  public static var quantum: Int {
    @_noAllocation @_noLocks
    get { 64 }
  }
}
