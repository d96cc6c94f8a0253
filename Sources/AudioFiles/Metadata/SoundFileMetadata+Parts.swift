// SPDX-License-Identifier: Apache-2.0

extension SoundFileMetadata {
  /// A named part of the sound.
  public struct Region: Hashable, Sendable {
    /// The half-open range of frames that is named.
    public var frames: Range<Int64>
    /// The name; empty if the file does not state one.
    public var name: String

    /// Creates a region.
    public init(_ frames: Range<Int64>, name: String = "") {
      (self.frames, self.name) = (frames, name)
    }
  }

  /// The loudest sample of a channel.
  public struct Peak: Hashable, Sendable {
    /// The absolute value of the sample; full scale is 1.
    public let value: Float
    /// The position of the sample, in frames.
    public let frame: Int64
  }

  /// A waveform overview: the minimum and maximum sample of each step of the sound.
  public struct Overview: Hashable, Sendable {
    /// The number of frames in a step.
    public let framesPerStep: Int
    /// The minimum and maximum of the samples, −32,768…32,767: for each step, one range per
    /// channel.
    public let samples: [ClosedRange<Int16>]
  }
}
