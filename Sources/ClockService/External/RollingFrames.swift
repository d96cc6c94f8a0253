// SPDX-License-Identifier: Apache-2.0
public import MusicalTime

/// The state of a transport that counts sample frames, such as JACK's, as its follower reads it.
public struct RollingFrames: BitwiseCopyable, Sendable {
  /// The state of motion of a transport.
  public enum Motion: Hashable, BitwiseCopyable, Sendable {
    /// The transport does not move.
    case stopped
    /// The transport will roll as soon as all clients are ready.
    case starting
    /// The transport moves; `line` gives its times.
    case rolling
  }

  /// The musical position that the timebase reports for one frame of the transport.
  public struct Beats: Hashable, BitwiseCopyable, Sendable {
    /// The transport's frame to which the reading applies.
    public var frame: Int64
    /// Quarter notes from the start to `frame`, in millionths.
    public var quarters: Int64
    /// The resolution of a reading, in millionths of a quarter note.
    public var grain: Int64
    /// The length of a quarter note at the reading, in nanoseconds.
    public var nanosecondsPerQuarter: Int64

    /// Creates a reading from its values.
    public init(frame: Int64, quarters: Int64, grain: Int64, nanosecondsPerQuarter: Int64) {
      (self.frame, self.quarters, self.grain) = (frame, quarters, grain)
      self.nanosecondsPerQuarter = nanosecondsPerQuarter
    }
  }

  /// The relation of the transport's position to the frames of the song's output.
  public struct OutputPlace: Hashable, BitwiseCopyable, Sendable {
    /// The output's frame at which the transport's frame `RollingFrames.frame` is played.
    public var frame: Int64
    /// The output's frame at which its time is paused, or nil while time passes.
    ///
    /// The pause lasts until the transport has started, or until the start is cancelled. During the
    /// pause, events that are due in the quantum that begins at this frame still sound. Events that
    /// are due at or after `frame` wait.
    public var standing: Int64?

    /// Creates a relation from its values.
    public init(frame: Int64, standing: Int64? = nil) {
      (self.frame, self.standing) = (frame, standing)
    }
  }

  /// The state of motion: stopped, starting or rolling.
  public var motion: Motion
  /// The position of the transport at the last cycle of the server, in frames.
  public var frame: Int64
  /// The frame at which the transport began to roll, or to which it was last moved while rolling;
  /// equal to the position while the transport is stopped.
  public var start: Int64
  /// The mapping from frames to the host times at which they are audible; valid while the transport
  /// rolls.
  public var line: Timeline<SampleTime, HostTime>
  /// The sample rate of the server, by which `frame` is counted.
  public var rate: SampleRate
  /// The number of moves and starts of the transport.
  public var moves: UInt32
  /// The last musical position from the timebase; nil without a timebase, or if the song is the
  /// timebase.
  public var beats: Beats?
  /// True if the server runs.
  public var isThere: Bool
  /// The position in the frames of the song's output; nil if the output does not belong to the same
  /// server.
  public var output: OutputPlace?

  /// Creates a state from its values.
  public init(
    motion: Motion, frame: Int64, start: Int64, line: Timeline<SampleTime, HostTime>,
    rate: SampleRate, moves: UInt32, beats: Beats?, isThere: Bool, output: OutputPlace? = nil
  ) {
    (self.motion, self.frame, self.start) = (motion, frame, start)
    (self.line, self.rate, self.moves) = (line, rate, moves)
    (self.beats, self.isThere, self.output) = (beats, isThere, output)
  }

  /// Returns the state of a transport that is stopped at frame 0.
  public static func standing(at rate: SampleRate, isThere: Bool = true) -> RollingFrames {
    RollingFrames(
      motion: .stopped, frame: 0, start: 0,
      line: Timeline(countOrigin: 0, scaledOrigin: 0, numerator: 1, denominator: 1), rate: rate,
      moves: 0, beats: nil, isThere: isThere)
  }
}
