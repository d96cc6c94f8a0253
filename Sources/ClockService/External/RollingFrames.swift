// SPDX-License-Identifier: Apache-2.0
public import MusicalTime

/// What a transport that counts sample frames says to who follows it: JACK's.
public struct RollingFrames: BitwiseCopyable, Sendable {
  /// How it moves.
  public enum Motion: Hashable, BitwiseCopyable, Sendable {
    /// It stands.
    case stopped
    /// It is to roll once all who follow say that they are ready.
    case starting
    /// It rolls.
    case rolling
  }

  /// Bars and beats of the one who leads them, as they are at a frame.
  public struct Beats: Hashable, BitwiseCopyable, Sendable {
    /// The frame.
    public var frame: Int64
    /// Quarter notes from the beginning, in millionths, at the frame.
    public var quarters: Int64
    /// Millionths of a quarter note that a reading may be off.
    public var grain: Int64
    /// How long a quarter note is, in nanoseconds.
    public var nanosecondsPerQuarter: Int64

    /// Creates what is said of beats.
    public init(frame: Int64, quarters: Int64, grain: Int64, nanosecondsPerQuarter: Int64) {
      (self.frame, self.quarters, self.grain) = (frame, quarters, grain)
      self.nanosecondsPerQuarter = nanosecondsPerQuarter
    }
  }

  /// Where it is in the frames of an output that plays along.
  public struct OutputPlace: Hashable, BitwiseCopyable, Sendable {
    /// The output's frame at which the transport's is played, to the frame.
    public var frame: Int64
    /// The output's frame at which its time stands; nil while it passes.
    ///
    /// It does so until the transport has started, or a start that was called off is taken back. What
    /// is due in the quantum that begins here sounds meanwhile, what is due from `frame` on waits.
    public var standing: Int64?

    /// Creates a place.
    public init(frame: Int64, standing: Int64? = nil) {
      (self.frame, self.standing) = (frame, standing)
    }
  }

  /// How it moves.
  public var motion: Motion
  /// Where it is: the frame of the last turn.
  public var frame: Int64
  /// Where it began to roll, or was sent while it rolled; where it is while it does not roll.
  public var start: Int64
  /// When frames are heard, while it rolls.
  public var line: Timeline<SampleTime, HostTime>
  /// Frames a second.
  public var rate: SampleRate
  /// How often it was sent elsewhere, or was about to start.
  public var moves: UInt32
  /// Its beats; nil where nobody leads them, or what is played does.
  public var beats: Beats?
  /// Whether it is there.
  public var isThere: Bool
  /// Where it is in the frames of the output that plays along; nil where none does.
  public var output: OutputPlace?

  /// Creates what is said.
  public init(
    motion: Motion, frame: Int64, start: Int64, line: Timeline<SampleTime, HostTime>,
    rate: SampleRate, moves: UInt32, beats: Beats?, isThere: Bool, output: OutputPlace? = nil
  ) {
    (self.motion, self.frame, self.start) = (motion, frame, start)
    (self.line, self.rate, self.moves) = (line, rate, moves)
    (self.beats, self.isThere, self.output) = (beats, isThere, output)
  }

  /// A transport that stands at its beginning.
  public static func standing(at rate: SampleRate, isThere: Bool = true) -> RollingFrames {
    RollingFrames(
      motion: .stopped, frame: 0, start: 0,
      line: Timeline(countOrigin: 0, scaledOrigin: 0, numerator: 1, denominator: 1), rate: rate,
      moves: 0, beats: nil, isThere: isThere)
  }
}
