// SPDX-License-Identifier: Apache-2.0
public import MusicalTime
public import Realtime

/// Follows an Ableton Link session.
///
/// The song starts from its beginning on the session's next bar, if the session is playing or its
/// play state was never set. A follower that controls the session also starts the session at that
/// bar, and stops it when the song is stopped or ends; starts and stops by other peers are still
/// followed. If another session replaces a session that the follower controls, the song continues,
/// and the follower starts the new session too.
///
/// - Note: Owned by the event thread.
public struct LinkFollower: Sendable {
  /// The least time from now to a start, in nanoseconds, so that the first notes are in time.
  private static let lead: Int64 = 20_000_000

  /// The same time if the start is sent to other peers over a network.
  private static let leadOfOthers: Int64 = 200_000_000

  /// The time in which the session must confirm a command, in nanoseconds.
  private static let answering: Int64 = 1_000_000_000

  /// The largest difference in beats, in millionths, at which one session continues another.
  private static let seam: Int64 = 10_000

  private let reader: SnapshotReader<LinkedBeats>
  // The owner of the memory that `reader` reads.
  private let owner: any AnyObject & Sendable
  private let quantum: Int64
  /// True if a peer must have started the session.
  private let waits: Bool
  /// Receives the song's tempo, starts and stops; nil if the session is not controlled.
  let lead: LinkLead?
  /// True if the song starts without a command of the session: at first, and on request of its
  /// owner.
  private var isWanted: Bool
  /// The command that the session has not confirmed, and the end of the time to wait for it.
  private var told: (motion: LinkedBeats.Motion, until: HostTime)?
  private(set) var beats: LinkedBeats
  /// True while the clock runs.
  private(set) var isRunning = false
  /// The session's beat, in millionths, at tick 0.
  private var origin: Int64 = 0
  private(set) var start = HostTime.zero
  /// The position of the clock.
  private(set) var tick: Tick = .zero
  /// The length of a tick in the song.
  var division: Division

  /// Creates a follower of a session.
  ///
  /// - Parameters:
  ///   - reader: Provides the state of the session; only this follower reads it.
  ///   - owner: The object that owns the memory that `reader` reads; the follower keeps it alive.
  ///   - quantum: The length of a bar in millionths of a beat.
  ///   - division: The length of a tick in the song, a fraction of a quarter note.
  ///   - waits: True if the song waits until a peer starts the session; false by default.
  ///   - lead: The functions that control the session, called on the event thread with tempo,
  ///     starts and stops of the song; nil (the default) if the session is not controlled.
  /// - Precondition: `quantum` is above zero.
  public init(
    _ reader: SnapshotReader<LinkedBeats>, keeping owner: any AnyObject & Sendable, quantum: Int64,
    division: Division, waits: Bool = false, leading lead: LinkLead? = nil
  ) {
    precondition(quantum > 0, "the quantum must be above 0")
    (self.reader, self.owner, self.quantum, self.waits) = (reader, owner, quantum, waits)
    (self.division, self.lead, isWanted) = (division, lead, lead != nil)
    beats = reader.read()
  }

  /// Reads the present state of the session and returns the changes.
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
      // A start far in the future belongs to a different time base.
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
      // In another session the song continues near its position, with its bars on those of the
      // session.
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

  /// Starts or stops the session if it is controlled.
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

  /// The play state of the session, or the one last commanded until the session confirms it.
  private mutating func motion(at now: HostTime) -> LinkedBeats.Motion {
    guard let told, told.motion != beats.motion, now < told.until else {
      self.told = nil
      return beats.motion
    }
    return told.motion
  }

  /// The line in the song's ticks; nil if these are not fractions of a beat.
  var line: Timeline<Tick, HostTime>? {
    guard case .ppqn(let resolution) = division else { return nil }
    return Timeline<Tick, HostTime>(
      countOrigin: beats.line.countOrigin - origin, scaledOrigin: beats.line.scaledOrigin,
      numerator: beats.line.numerator, denominator: beats.line.denominator
    ).rescaled(multiplier: Int64(resolution.ticks), over: 1_000_000)
  }

  /// The length of a beat in nanoseconds.
  var nanosecondsPerBeat: Double { beats.line.slope * 1e6 }

  /// The first bar of the session at or after a beat.
  private func bar(atOrAfter beat: Int64) -> Int64 {
    let rest = beat % quantum
    return rest == 0 ? beat : beat - rest + (rest > 0 ? quantum : 0)
  }

  private func tick(at now: HostTime) -> Tick {
    guard now > start, let line else { return .zero }
    return Tick(max(0, line.firstCount(atOrAfter: now)))
  }

  /// The position for events, in MIDI clocks, rounded down.
  private var place: FollowedPosition {
    guard case .ppqn(let ours) = division else { return .clock(MIDIClock(count: 0)) }
    let clocks = (Int128(tick.value) * 24) / Int128(ours.ticks)
    return .clock(MIDIClock(count: Int64(clamping: clocks)))
  }
}
