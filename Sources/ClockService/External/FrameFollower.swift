// SPDX-License-Identifier: Apache-2.0
internal import MusicalTime
public import Realtime

/// Follows a transport that counts sample frames: frame 0 is the beginning of what is played.
///
/// Its line is the server's own, so nothing is filtered. Where somebody else leads beats, these are
/// followed in the place of seconds.
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
    case none, started, stopped, lost, jumped, located
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
    let rolls = frames.isThere && frames.motion == .rolling
    switch (isRunning, rolls) {
    case (false, true):
      isRunning = true
      return .started
    case (true, false):
      isRunning = false
      return frames.isThere ? .stopped : .lost
    case (true, true): return before.moves == frames.moves ? .none : .jumped
    case (false, false): return before.moves == frames.moves ? .none : .located
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
    guard let beats else { return nil }
    let origin = frames.line.timeRoundedUp(atCount: beats.frame)
    // The server's clock beside the host's: a quarter note lasts as many frames.
    let nominal = 1e9 / Double(frames.rate.hertz)
    let scale = frames.line.slope / nominal
    let slope = Double(beats.nanosecondsPerQuarter) / 1e6 * scale
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
