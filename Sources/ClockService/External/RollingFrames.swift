// SPDX-License-Identifier: Apache-2.0
public import MusicalTime

/// The state of a transport that counts sample frames (JACK), for a follower.
public struct RollingFrames: BitwiseCopyable, Sendable {
  /// The motion of the transport.
  public enum Motion: Hashable, BitwiseCopyable, Sendable {
    /// Stopped.
    case stopped
    /// About to roll, when all clients are ready.
    case starting
    /// Rolling.
    case rolling
  }

  /// Bars and beats from the timebase, at a frame.
  public struct Beats: Hashable, BitwiseCopyable, Sendable {
    /// The frame of the reading.
    public var frame: Int64
    /// Quarter notes from the start at this frame, in millionths.
    public var quarters: Int64
    /// The resolution of a reading, in millionths of a quarter note.
    public var grain: Int64
    /// The length of a quarter note in nanoseconds.
    public var nanosecondsPerQuarter: Int64

    /// Creates a reading of beats.
    public init(frame: Int64, quarters: Int64, grain: Int64, nanosecondsPerQuarter: Int64) {
      (self.frame, self.quarters, self.grain) = (frame, quarters, grain)
      self.nanosecondsPerQuarter = nanosecondsPerQuarter
    }
  }

  /// The position of the transport in the frames of the output.
  public struct OutputPlace: Hashable, BitwiseCopyable, Sendable {
    /// The frame of the output at which the transport's frame is played.
    public var frame: Int64
    /// The frame at which the output's time is paused; nil while it passes.
    ///
    /// The pause lasts until the transport has started, or the start is cancelled. Events due in
    /// the quantum at this frame sound in the meantime, and events due from `frame` on wait.
    public var standing: Int64?

    /// Creates a position.
    public init(frame: Int64, standing: Int64? = nil) {
      (self.frame, self.standing) = (frame, standing)
    }
  }

  /// The motion of the transport.
  public var motion: Motion
  /// The position, as the frame of the last cycle.
  public var frame: Int64
  /// The frame at which the transport began to roll or to which it was moved while rolling; the
  /// position while it is stopped.
  public var start: Int64
  /// The line from frames to the host time at which they are audible, while the transport rolls.
  public var line: Timeline<SampleTime, HostTime>
  /// Frames per second.
  public var rate: SampleRate
  /// The number of moves and starts of the transport.
  public var moves: UInt32
  /// The beats; nil without a timebase, or if the song is the timebase.
  public var beats: Beats?
  /// True if the server runs.
  public var isThere: Bool
  /// The position in the frames of the song's output; nil without one.
  public var output: OutputPlace?

  /// Creates a state.
  public init(
    motion: Motion, frame: Int64, start: Int64, line: Timeline<SampleTime, HostTime>,
    rate: SampleRate, moves: UInt32, beats: Beats?, isThere: Bool, output: OutputPlace? = nil
  ) {
    (self.motion, self.frame, self.start) = (motion, frame, start)
    (self.line, self.rate, self.moves) = (line, rate, moves)
    (self.beats, self.isThere, self.output) = (beats, isThere, output)
  }

  /// Returns the state of a transport that is stopped at its start.
  public static func standing(at rate: SampleRate, isThere: Bool = true) -> RollingFrames {
    RollingFrames(
      motion: .stopped, frame: 0, start: 0,
      line: Timeline(countOrigin: 0, scaledOrigin: 0, numerator: 1, denominator: 1), rate: rate,
      moves: 0, beats: nil, isThere: isThere)
  }
}
