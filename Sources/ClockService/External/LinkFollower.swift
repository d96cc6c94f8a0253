// SPDX-License-Identifier: Apache-2.0
public import MusicalTime
public import Realtime

/// Follows a session of Ableton Link: what is played starts at its beginning, on the session's next
/// bar, when the session plays or nobody has said whether it does.
///
/// - Note: owned by the event thread.
public struct LinkFollower: Sendable {
  /// How far ahead a start lies at least, in nanoseconds, so that its first notes are in time.
  private static let lead: Int64 = 20_000_000

  /// What two sessions' beats may be apart, in millionths, where one carries on the other.
  private static let seam: Int64 = 10_000

  private let reader: SnapshotReader<LinkedBeats>
  // The memory that is read is its.
  private let owner: any AnyObject & Sendable
  private let quantum: Int64
  /// Who is told of the song's tempi: microseconds a beat, and when; nil where the session's count.
  let propose: (@Sendable (Int64, HostTime) -> Void)?
  private(set) var beats: LinkedBeats
  /// Whether the clock runs.
  private(set) var isRunning = false
  /// The session's beat, in millionths, at tick 0.
  private var origin: Int64 = 0
  private(set) var start = HostTime.zero
  /// Where the clock is.
  private(set) var tick: Tick = .zero
  /// What a tick is in what is played.
  var division: Division

  /// Creates a follower of a session.
  ///
  /// - Parameters:
  ///   - reader: What the session says; nobody else reads it.
  ///   - owner: What is kept while the follower is there.
  ///   - quantum: The length of a bar in millionths of a beat; above zero.
  ///   - division: What a tick is in what is played: a fraction of a quarter note.
  ///   - propose: Is told on the event thread of each tempo of what is played, in microseconds a
  ///     beat, and when it begins; nil where the session's tempo counts alone.
  /// - Precondition: the quantum is above zero.
  public init(
    _ reader: SnapshotReader<LinkedBeats>, keeping owner: any AnyObject & Sendable, quantum: Int64,
    division: Division, proposing propose: (@Sendable (Int64, HostTime) -> Void)? = nil
  ) {
    precondition(quantum > 0, "a bar has a length")
    (self.reader, self.owner, self.quantum) = (reader, owner, quantum)
    (self.division, self.propose) = (division, propose)
    beats = reader.read()
  }

  /// Reads the session as it is now, and tells what has changed.
  mutating func advance(to now: HostTime) -> FollowerEvents {
    var events = FollowerEvents()
    let old = beats
    beats = reader.read()
    var least = now
    let mayRun: Bool
    switch beats.motion {
    case .free: mayRun = beats.isSettled
    case .playing(let from):
      mayRun = beats.isSettled
      least = max(least, beats.line.timeRoundedUp(atCount: from))
    case .stopped: mayRun = false
    }
    switch (isRunning, mayRun) {
    case (false, true):
      // A start that lies far ahead is one of another time than ours.
      least = min(least, now.advanced(saturating: 60_000_000_000))
      let here = beats.line.firstCount(atOrAfter: least)
      origin = bar(atOrAfter: here)
      start = beats.line.timeRoundedUp(atCount: origin)
      if start < now.advanced(saturating: Self.lead) {
        origin += quantum
        start = beats.line.timeRoundedUp(atCount: origin)
      }
      (isRunning, tick) = (true, .zero)
      events.append(.armed)
      events.append(.started(place, at: start))
    case (true, false):
      tick = tick(at: now)
      isRunning = false
      events.append(.stopped(.stopMessage, place))
    case (true, true) where old.sessions != beats.sessions:
      let distance = beats.line.firstCount(atOrAfter: now) - old.line.firstCount(atOrAfter: now)
      let isMoved = abs(distance) > Self.seam
      // In another session the song goes on near where it is, with its bars on that session's.
      if isMoved {
        origin = bar(atOrAfter: distance + origin - quantum / 2)
        start = min(start, now)
      }
      tick = tick(at: now)
      if isMoved { events.append(.jumped(place)) }
    case (true, true): tick = tick(at: now)
    case (false, false): break
    }
    return events
  }

  /// The line in our ticks; nil where they are no fraction of a beat.
  var line: Timeline<Tick, HostTime>? {
    guard case .ppqn(let resolution) = division else { return nil }
    return Timeline<Tick, HostTime>(
      countOrigin: beats.line.countOrigin - origin, scaledOrigin: beats.line.scaledOrigin,
      numerator: beats.line.numerator, denominator: beats.line.denominator
    ).rescaled(multiplier: Int64(resolution.ticks), over: 1_000_000)
  }

  /// How long a beat is, in nanoseconds.
  var nanosecondsPerBeat: Double { beats.line.slope * 1e6 }

  /// The first bar of the session's at or after a beat.
  private func bar(atOrAfter beat: Int64) -> Int64 {
    let rest = beat % quantum
    return rest == 0 ? beat : beat - rest + (rest > 0 ? quantum : 0)
  }

  private func tick(at now: HostTime) -> Tick {
    guard now > start, let line else { return .zero }
    return Tick(max(0, line.firstCount(atOrAfter: now)))
  }

  /// The place in MIDI clocks, rounded down: what the events of a follower carry.
  private var place: FollowedPosition {
    guard case .ppqn(let ours) = division else { return .clock(MIDIClock(count: 0)) }
    let clocks = (Int128(tick.value) * 24) / Int128(ours.ticks)
    return .clock(MIDIClock(count: Int64(clamping: clocks)))
  }
}
