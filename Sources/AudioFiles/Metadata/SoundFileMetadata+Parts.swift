// SPDX-License-Identifier: Apache-2.0

extension SoundFileMetadata {
  /// A part of the sound with a name.
  public struct Region: Hashable, Sendable {
    /// The frames, half open.
    public var frames: Range<Int64>
    /// Its name; empty if it has none.
    public var name: String

    /// Creates a region.
    public init(_ frames: Range<Int64>, name: String = "") {
      (self.frames, self.name) = (frames, name)
    }
  }

  /// The loudest sample of a channel.
  public struct Peak: Hashable, Sendable {
    /// Its magnitude; full scale is 1.
    public let value: Float
    /// Its frame.
    public let frame: Int64
  }

  /// The smallest and the largest sample of each step of the sound, to draw its outline.
  public struct Overview: Hashable, Sendable {
    /// Frames of a step.
    public let framesPerStep: Int
    /// For each step those of each channel, −32,768…32,767.
    public let samples: [ClosedRange<Int16>]
  }
}
