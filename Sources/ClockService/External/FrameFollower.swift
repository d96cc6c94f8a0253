// SPDX-License-Identifier: Apache-2.0
internal import MusicalTime
public import Realtime

/// Follows a transport that counts sample frames; frame 0 is the start of the song.
///
/// The server's mapping from frames to host time is used without a filter. If the song's output
/// belongs to the same server, positions are exactly the output's frames: events due from the start
/// position on are sent while the transport waits to start, and sound at their frame. If another
/// program is the JACK timebase, its beats determine the position in place of seconds.
///
/// - Note: Owned by the event thread.
public struct FrameFollower: Sendable {
  private let reader: SnapshotReader<RollingFrames>
  // The owner of the memory that `reader` reads.
  private let owner: any AnyObject & Sendable
  /// Receives the number of moves that have been processed, for which the transport may wait.
  private let acknowledge: @Sendable (UInt32) -> Void
  private(set) var frames: RollingFrames
  /// True while the clock runs.
  private(set) var isRunning = false
  /// The beats that apply until a reading deviates from them.
  private(set) var beats: RollingFrames.Beats?
  private var acknowledged: UInt32 = 0

  /// Creates a follower.
  ///
  /// - Parameters:
  ///   - reader: The state of the transport; only this follower reads it.
  ///   - owner: The object that owns the memory that `reader` reads; the follower keeps it alive.
  ///   - acknowledge: Called on the event thread when the song is ready to play, with the value of
  ///     `RollingFrames.moves` to which it has responded.
  public init(
    _ reader: SnapshotReader<RollingFrames>, keeping owner: any AnyObject & Sendable,
    acknowledging acknowledge: @escaping @Sendable (UInt32) -> Void
  ) {
    self.reader = reader
    self.owner = owner
    self.acknowledge = acknowledge
    frames = reader.read()
  }

  /// The change since the last call of `advance()`.
  enum Change {
    case none, started, restarted, stopped, lost, jumped, located
  }

  /// Reads the present state of the transport.
  mutating func advance() -> Change {
    // The changes returned by the last call have taken effect by now.
    if acknowledged != frames.moves {
      acknowledged = frames.moves
      acknowledge(acknowledged)
    }
    let before = frames
    frames = reader.read()
    followBeats(isMoved: before.moves != frames.moves)
    let rolls = frames.isThere && (frames.motion == .rolling || isAboutToStart)
    switch (isRunning, rolls) {
    case (false, true):
      isRunning = true
      return .started
    case (true, false):
      isRunning = false
      return frames.isThere ? .stopped : .lost
    case (true, true) where before.moves == frames.moves: return .none
    case (true, true): return hold == nil ? .jumped : .restarted
    case (false, false): return before.frame == frames.frame ? .none : .located
    }
  }

  /// The time in seconds after a start during which the song still begins at the start position;
  /// events are late then, but not left out.
  private static let longestDelay: Int64 = 1

  /// The frame from which events are played.
  var firstFrame: Int64 {
    guard isRunning, frames.frame - frames.start <= Int64(frames.rate.hertz) * Self.longestDelay
    else { return frames.frame }
    return frames.start
  }

  /// True while the transport and the output wait until the song is ready.
  private var isAboutToStart: Bool { frames.motion == .starting && hold != nil }

  /// The times at which the output's time is paused and resumes; nil while it passes.
  var hold: MasterHold? {
    guard frames.isThere, let output = frames.output, let standing = output.standing else {
      return nil
    }
    return MasterHold(
      standing: frames.rate.timeRoundedUp(of: SampleTime(frames: standing)),
      start: frames.rate.timeRoundedUp(of: SampleTime(frames: output.frame)))
  }

  /// The exact output time of frame 0 in nanoseconds; nil without an output.
  var outputOrigin: Ratio? {
    get throws(TimeError) {
      guard let output = frames.output else { return nil }
      return try Ratio(
        exactly: Int128(output.frame - frames.frame) * 1_000_000_000,
        over: Int128(frames.rate.hertz))
    }
  }

  /// Keeps the current line of beats if a reading differs only by its resolution.
  private mutating func followBeats(isMoved: Bool) {
    guard let seen = frames.beats else { return beats = nil }
    guard let line = beats, !isMoved, line.nanosecondsPerQuarter == seen.nanosecondsPerQuarter,
      abs(line.quarters(at: seen.frame, frames.rate) - seen.quarters) <= seen.grain
    else { return beats = seen }
  }

  /// The line from media time to host time, by frames.
  var media: Timeline<MediaTime, HostTime> {
    let nanoseconds = Ratio(1_000_000_000, over: Int64(frames.rate.hertz))
    return frames.line.rescaled(
      multiplier: Int64(nanoseconds.numerator), over: Int64(nanoseconds.denominator))
  }

  /// The line from millionths of quarter notes to host time; nil without beats.
  var quarters: Timeline<Tick, HostTime>? {
    beats.map {
      line(of: $0, from: frames.line.timeRoundedUp(atCount: $0.frame), frames.line.slope)
    }
  }

  /// The line from millionths of quarter notes to the output's time; nil without beats or output.
  var outputQuarters: Timeline<Tick, ReferenceTime>? {
    guard let beats, let output = frames.output else { return nil }
    let frame = SampleTime(frames: output.frame + beats.frame - frames.frame)
    let nominal = 1e9 / Double(frames.rate.hertz)
    return line(of: beats, from: frames.rate.timeRoundedUp(of: frame), nominal)
  }

  /// A line of beats for a clock on which a frame has a length of `frame` nanoseconds.
  private func line<Time: Instant>(
    of beats: RollingFrames.Beats, from origin: Time, _ frame: Double
  ) -> Timeline<Tick, Time> {
    let nominal = 1e9 / Double(frames.rate.hertz)
    let slope = Double(beats.nanosecondsPerQuarter) / 1e6 * frame / nominal
    return Timeline(
      countOrigin: beats.quarters, scaledOrigin: Int128(origin.nanoseconds) << 30,
      numerator: max(1, Int64(slope * 0x1p30)), denominator: 1 << 30)
  }
}

extension RollingFrames.Beats {
  /// Millionths of quarter notes at another frame, at this tempo.
  func quarters(at other: Int64, _ rate: SampleRate) -> Int64 {
    let passed = Double(other - frame) * 1e15 / Double(rate.hertz) / Double(nanosecondsPerQuarter)
    return quarters + Int64(passed.rounded())
  }
}
