// SPDX-License-Identifier: Apache-2.0
public import MusicalTime
public import Realtime

/// Follows a session of Ableton Link: what is played starts at its beginning, on the session's next
/// bar, when the session plays or nobody has said whether it does.
///
/// One that leads starts the session then, whether it plays or not, and stops it when what is played
/// is stopped or over; what others start and stop meanwhile it follows all the same. Where another
/// session takes the place of the one that it leads, it goes on, and starts that too.
///
/// - Note: owned by the event thread.
public struct LinkFollower: Sendable {
  /// How far ahead a start lies at least, in nanoseconds, so that its first notes are in time.
  private static let lead: Int64 = 20_000_000

  /// The same where others are told of it, who hear of it by a network.
  private static let leadOfOthers: Int64 = 200_000_000

  /// How long a session may take to say what it was told, in nanoseconds.
  private static let answering: Int64 = 1_000_000_000

  /// What two sessions' beats may be apart, in millionths, where one carries on the other.
  private static let seam: Int64 = 10_000

  private let reader: SnapshotReader<LinkedBeats>
  // The memory that is read is its.
  private let owner: any AnyObject & Sendable
  private let quantum: Int64
  /// Whether somebody must have started the session.
  private let waits: Bool
  /// Who is told of what is played; nil where the session's tempo, start and stop count alone.
  let lead: LinkLead?
  /// Whether what is played is to start by itself: at first, and when its owner says so.
  private var isWanted: Bool
  /// What the session was told and has not said yet, and until when it is waited for.
  private var told: (motion: LinkedBeats.Motion, until: HostTime)?
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
  ///   - waits: Whether what is played waits for somebody to start the session.
  ///   - lead: Is told on the event thread of tempo, start and stop of what is played; nil where
  ///     those of the session count alone.
  /// - Precondition: the quantum is above zero.
  public init(
    _ reader: SnapshotReader<LinkedBeats>, keeping owner: any AnyObject & Sendable, quantum: Int64,
    division: Division, waits: Bool = false, leading lead: LinkLead? = nil
  ) {
    precondition(quantum > 0, "the quantum must be above 0")
    (self.reader, self.owner, self.quantum, self.waits) = (reader, owner, quantum, waits)
    (self.division, self.lead, isWanted) = (division, lead, lead != nil)
    beats = reader.read()
  }

  /// Reads the session as it is now, and tells what has changed.
  mutating func advance(to now: HostTime) -> FollowerEvents {
    var events = FollowerEvents()
    let old = beats
    beats = reader.read()
    var least = now
    let mayRun: Bool
    let starts = isWanted && beats.isSettled
    let isElsewhere = old.sessions != beats.sessions
    let leadsOn = lead != nil && isRunning && isElsewhere
    switch motion(at: now) {
    case _ where starts || leadsOn: mayRun = true
    case .free: mayRun = beats.isSettled && !waits
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
      let earliest = now.advanced(saturating: starts ? Self.leadOfOthers : Self.lead)
      while start < earliest {
        origin += quantum
        start = beats.line.timeRoundedUp(atCount: origin)
      }
      (isRunning, tick) = (true, .zero)
      if starts { tell(.playing(from: origin), at: now) }
      isWanted = false
      events.append(.armed)
      events.append(.started(place, at: start))
    case (true, false):
      tick = tick(at: now)
      isRunning = false
      events.append(.stopped(.stopMessage, place))
    case (true, true) where isElsewhere:
      let distance = beats.line.firstCount(atOrAfter: now) - old.line.firstCount(atOrAfter: now)
      let isMoved = abs(distance) > Self.seam
      // In another session the song goes on near where it is, with its bars on that session's.
      if isMoved {
        origin = bar(atOrAfter: distance + origin - quantum / 2)
        start = min(start, now)
      }
      tick = tick(at: now)
      if leadsOn { tell(.playing(from: origin), at: now) }
      if isMoved { events.append(.jumped(place)) }
    case (true, true): tick = tick(at: now)
    case (false, false): break
    }
    return events
  }

  /// Starts or stops the session, where it is led.
  mutating func command(_ isPlaying: Bool, at now: HostTime) {
    guard lead != nil, isPlaying != isRunning else { return }
    isWanted = isPlaying
    guard !isPlaying else { return }
    tick = tick(at: now)
    isRunning = false
    tell(.stopped, at: now)
  }

  private mutating func tell(_ motion: LinkedBeats.Motion, at now: HostTime) {
    guard let lead else { return }
    told = (motion, now.advanced(saturating: Self.answering))
    if case .playing(let beat) = motion {
      lead.setPlaying(true, beat)
    } else {
      lead.setPlaying(false, beats.line.firstCount(atOrAfter: now))
    }
  }

  /// Whether the session plays, as far as it has heard what it was told.
  private mutating func motion(at now: HostTime) -> LinkedBeats.Motion {
    guard let told, told.motion != beats.motion, now < told.until else {
      self.told = nil
      return beats.motion
    }
    return told.motion
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
