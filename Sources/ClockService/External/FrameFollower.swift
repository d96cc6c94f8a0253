// SPDX-License-Identifier: Apache-2.0
internal import MusicalTime
public import Realtime

/// Follows a transport that counts sample frames: frame 0 is the beginning of what is played.
///
/// Its line is the server's own, so nothing is filtered; beside an output of the same server it is
/// the output's frames, exactly. Then what is due from the place on where the transport is to start
/// is sent while it waits for that, and sounds at its frame. Where somebody else leads beats, these
/// are followed in the place of seconds.
///
/// - Note: owned by the event thread.
public struct FrameFollower: Sendable {
  private let reader: SnapshotReader<RollingFrames>
  // The memory that is read is its.
  private let owner: any AnyObject & Sendable
  /// Told how many moves have been taken note of: whoever waits for that may go on.
  private let acknowledge: @Sendable (UInt32) -> Void
  private(set) var frames: RollingFrames
  /// Whether the clock runs.
  private(set) var isRunning = false
  /// The beats that are gone by, until they are found to be off.
  private(set) var beats: RollingFrames.Beats?
  private var acknowledged: UInt32 = 0

  /// Creates a follower.
  ///
  /// - Parameters:
  ///   - reader: what is followed; of one writer and this reader.
  ///   - owner: what keeps the memory that is read.
  ///   - acknowledge: told, on the event thread, how many moves what is played is ready for.
  public init(
    _ reader: SnapshotReader<RollingFrames>, keeping owner: any AnyObject & Sendable,
    acknowledging acknowledge: @escaping @Sendable (UInt32) -> Void
  ) {
    self.reader = reader
    self.owner = owner
    self.acknowledge = acknowledge
    frames = reader.read()
  }

  /// What has changed since it was last looked at.
  enum Change {
    case none, started, restarted, stopped, lost, jumped, located
  }

  /// Reads the transport as it is now.
  mutating func advance() -> Change {
    // What was told last time has been obeyed by now.
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

  /// How long after its start a transport is still followed from there, in seconds: what is due is
  /// late then, and not left out.
  private static let longestDelay: Int64 = 1

  /// The frame from which on is played what is due.
  var firstFrame: Int64 {
    guard isRunning, frames.frame - frames.start <= Int64(frames.rate.hertz) * Self.longestDelay
    else { return frames.frame }
    return frames.start
  }

  /// Whether the transport waits for what is played to be ready, and the output with it.
  private var isAboutToStart: Bool { frames.motion == .starting && hold != nil }

  /// Where the output's time stands, and where it goes on; nil while it passes.
  var hold: MasterHold? {
    guard frames.isThere, let output = frames.output, let standing = output.standing else {
      return nil
    }
    return MasterHold(
      standing: frames.rate.timeRoundedUp(of: SampleTime(frames: standing)),
      start: frames.rate.timeRoundedUp(of: SampleTime(frames: output.frame)))
  }

  /// Nanoseconds of the output's time at frame 0, exactly; nil where no output plays along.
  var outputOrigin: Ratio? {
    get throws(TimeError) {
      guard let output = frames.output else { return nil }
      return try Ratio(
        exactly: Int128(output.frame - frames.frame) * 1_000_000_000,
        over: Int128(frames.rate.hertz))
    }
  }

  /// Keeps to the line of beats that held, so that the grain of what is read moves nothing.
  private mutating func followBeats(isMoved: Bool) {
    guard let seen = frames.beats else { return beats = nil }
    guard let line = beats, !isMoved, line.nanosecondsPerQuarter == seen.nanosecondsPerQuarter,
      abs(line.quarters(at: seen.frame, frames.rate) - seen.quarters) <= seen.grain
    else { return beats = seen }
  }

  /// Media time on the host's clock, by frames.
  var media: Timeline<MediaTime, HostTime> {
    let nanoseconds = Ratio(1_000_000_000, over: Int64(frames.rate.hertz))
    return frames.line.rescaled(
      multiplier: Int64(nanoseconds.numerator), over: Int64(nanoseconds.denominator))
  }

  /// Millionths of quarter notes on the host's clock; nil where there are none.
  var quarters: Timeline<Tick, HostTime>? {
    beats.map {
      line(of: $0, from: frames.line.timeRoundedUp(atCount: $0.frame), frames.line.slope)
    }
  }

  /// Millionths of quarter notes in the output's time; nil where there are none, or no output.
  var outputQuarters: Timeline<Tick, ReferenceTime>? {
    guard let beats, let output = frames.output else { return nil }
    let frame = SampleTime(frames: output.frame + beats.frame - frames.frame)
    let nominal = 1e9 / Double(frames.rate.hertz)
    return line(of: beats, from: frames.rate.timeRoundedUp(of: frame), nominal)
  }

  /// A line of beats by a clock on which frames are so many nanoseconds long: a quarter note lasts as
  /// many frames.
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
  /// Millionths of quarter notes at a frame, along the tempo at this one.
  func quarters(at other: Int64, _ rate: SampleRate) -> Int64 {
    let passed = Double(other - frame) * 1e15 / Double(rate.hertz) / Double(nanosecondsPerQuarter)
    return quarters + Int64(passed.rounded())
  }
}
