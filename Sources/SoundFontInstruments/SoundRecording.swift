// SPDX-License-Identifier: Apache-2.0
public import MusicalTime

/// A recorded sound that an instrument plays on a range of keys.
public struct SoundRecording: Hashable, Sendable {
  /// The name; a soundfont keeps 20 bytes of it.
  public var name: String
  /// Interleaved samples, −1…1; higher samples are clipped.
  public var samples: [Float]
  /// The number of channels: 1, or 2 for left and right.
  public var channelCount: Int
  /// Frames per second.
  public var rate: SampleRate
  /// The key at which it has its own pitch, 0…127; 60 by default.
  public var key: UInt8 = 60
  /// The correction of its pitch in cents, −99…99; 0 by default.
  public var cents = 0
  /// The keys that play it, 0…127; all by default.
  public var keys: ClosedRange<UInt8> = 0...127
  /// The velocities that play it, 0…127; all by default.
  public var velocities: ClosedRange<UInt8> = 0...127
  /// The frames that are repeated while the key is held; nil if it is played once.
  public var loop: Range<Int>?

  /// Creates a recording for all keys that is played once.
  ///
  /// - Parameters:
  ///   - name: The name.
  ///   - samples: Interleaved samples.
  ///   - channelCount: 1 or 2.
  ///   - rate: Frames per second.
  public init(name: String, samples: [Float], channelCount: Int, rate: SampleRate) {
    precondition((1...2).contains(channelCount), "a recording has 1 or 2 channels")
    (self.name, self.samples, self.channelCount) = (name, samples, channelCount)
    self.rate = rate
  }

  /// The number of frames.
  public var frameCount: Int { samples.count / channelCount }
}
