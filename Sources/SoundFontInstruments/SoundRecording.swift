// SPDX-License-Identifier: Apache-2.0
public import MusicalTime

/// A recorded sound that an instrument plays on a range of keys.
public struct SoundRecording: Hashable, Sendable {
  /// The name of the recording; a soundfont stores at most 20 bytes of it.
  public var name: String
  /// Interleaved samples, −1…1; samples outside this range are clipped.
  public var samples: [Float]
  /// The number of channels: 1, or 2 for left and right.
  public var channelCount: Int
  /// The sample rate of the recording.
  public var rate: SampleRate
  /// The key that plays the recording at its original pitch, 0…127; 60 by default.
  public var key: UInt8 = 60
  /// The amount by which the pitch is corrected when the recording is played, in cents, −99…99; 0
  /// by default.
  public var cents = 0
  /// The keys that play the recording, 0…127; all by default.
  public var keys: ClosedRange<UInt8> = 0...127
  /// The velocities that play the recording, 0…127; all by default.
  public var velocities: ClosedRange<UInt8> = 0...127
  /// The range of frames that is repeated while the key is held; nil to play the recording once.
  public var loop: Range<Int>?

  /// Creates a recording for all keys that is played once.
  ///
  /// - Parameters:
  ///   - name: The name.
  ///   - samples: Interleaved samples.
  ///   - channelCount: 1 or 2.
  ///   - rate: The sample rate.
  public init(name: String, samples: [Float], channelCount: Int, rate: SampleRate) {
    precondition((1...2).contains(channelCount), "a recording has 1 or 2 channels")
    (self.name, self.samples, self.channelCount) = (name, samples, channelCount)
    self.rate = rate
  }

  /// The number of frames: samples of each channel.
  public var frameCount: Int { samples.count / channelCount }
}
