// SPDX-License-Identifier: Apache-2.0
public import MusicalTime
public import Realtime

/// Follows a clock that another process serves.
///
/// Its line is exact, so nothing is filtered. Where its publisher is gone or says nothing any more,
/// the clock goes on without it for the freewheel time. Whoever serves the name again is followed.
///
/// - Note: owned by the event thread.
public struct SharedClockFollower: Sendable {
  /// How often the publisher's life is looked at, in nanoseconds: a system call.
  private static let checkPeriod: Int64 = 100_000_000
  /// How often one that is gone is looked for, in nanoseconds: who serves the name again and starts at
  /// once has its first beat 100 ms later.
  private static let searchPeriod: Int64 = 10_000_000
  /// How long a publisher that lives may say nothing, in nanoseconds: it does every 5 ms, and one
  /// that is stopped or hangs does not.
  private static let longestSilence: Int64 = 250_000_000

  /// How long motion goes on without the publisher.
  var freewheel: Duration = .seconds(1)
  /// What is read.
  private var reader: SharedClockReader
  /// Whether the clock runs.
  private(set) var isRunning = false
  private(set) var state: SharedClockState
  private var epoch: UInt64
  private var mapEdition: UInt32
  /// The publisher's tempo map, as of its last move.
  private var map: TempoMap?
  /// How often its maps were read anew.
  private(set) var readings: UInt32 = 0
  /// Where the clock was when it was last looked at, in the ticks of what is played.
  private(set) var tick: Tick = .zero
  /// What a tick is in what is played.
  var division: Division
  private var nextCheck = HostTime.zero
  /// Whether the publisher is there.
  private(set) var lock = LockState.locked

  /// Creates a follower of a clock.
  ///
  /// - Parameters:
  ///   - reader: The clock.
  ///   - division: What a tick is in what is played: a fraction of a quarter note.
  /// - Throws: `SharedSnapshotError.foreign` where what is read is no clock.
  public init(
    _ reader: SharedClockReader, division: Division
  ) throws(SharedSnapshotError) {
    self.reader = reader
    self.division = division
    (state, epoch) = try reader.read()
    mapEdition = state.mapEdition
    map = Self.map(of: state)
  }

  /// Reads the clock as it is now, and tells what has changed.
  mutating func advance(to now: HostTime) -> FollowerEvents {
    var events = FollowerEvents()
    let isAnother = look(at: now, &events)
    guard lock != .idle else { return events }
    guard let (latest, epoch) = Self.reading(of: reader), isSound(latest) else {
      lose(&events)
      return events
    }
    let hasMoved = latest.moves != state.moves || epoch != self.epoch || isAnother
    state = latest
    self.epoch = epoch
    if hasMoved || latest.mapEdition != mapEdition {
      map = Self.map(of: latest)
      readings &+= 1
    }
    mapEdition = latest.mapEdition
    tick = tick(at: now)
    let place = place
    switch (isRunning, latest.isRunning) {
    case (false, true):
      isRunning = true
      events.append(.armed)
      events.append(.started(place, at: max(now, latest.start)))
    case (true, false):
      isRunning = false
      events.append(.stopped(.stopMessage, place))
    case (true, true) where hasMoved: events.append(.jumped(place))
    case (false, false) where hasMoved: events.append(.located(place))
    default: break
    }
    return events
  }

  /// Calls `body` with each part of a window in which one line holds; left out is a line that
  /// cannot be counted along in our ticks, which no publisher of ours leads to.
  func forEachPiece(of window: HostWindow, _ body: (HostWindow, Timeline<Tick, HostTime>) -> Void) {
    guard let map, let (up, down) = scale(of: state) else { return }
    state.forEachPiece(of: window, in: map) { part, line in
      if up == down {
        body(part, line)
      } else if line.isSound(multiplier: up, over: down) {
        body(part, line.rescaled(multiplier: up, over: down))
      }
    }
  }

  /// Looks after the publisher; true where another has taken its place.
  private mutating func look(at now: HostTime, _ events: inout FollowerEvents) -> Bool {
    guard now >= nextCheck else { return false }
    let isThere = serves(reader, at: now)
    let isAnother = !isThere && reopen(at: now)
    let isFound = isThere || isAnother
    nextCheck = now.advanced(byNanoseconds: isFound ? Self.checkPeriod : Self.searchPeriod)
    if isFound {
      if lock != .locked { events.append(.locked) }
      lock = .locked
      return isAnother
    }
    if lock == .locked {
      lock = .freewheeling
      events.append(.freewheeling)
    }
    let end = state.published.advanced(by: freewheel)
    if lock == .freewheeling, now > end { lose(&events) }
    return false
  }

  private func serves(_ reader: SharedClockReader, at now: HostTime) -> Bool {
    guard case .running = reader.publisher else { return false }
    guard let state = Self.reading(of: reader)?.value else { return false }
    return now <= state.published.advanced(saturating: Self.longestSilence) && isSound(state)
  }

  /// What is served; nil where it is no clock.
  private static func reading(
    of reader: SharedClockReader
  ) -> (value: SharedClockState, epoch: UInt64)? {
    do {
      return try reader.read()
    } catch {
      // Something else than a publisher of ours writes there.
      return nil
    }
  }

  /// Whether a state's line can be counted along in our ticks.
  private func isSound(_ state: SharedClockState) -> Bool {
    guard state.isRunning, let (up, down) = scale(of: state) else { return true }
    return state.line.isSound(multiplier: up, over: down)
  }

  /// Opens the name anew: a publisher that took its leave took its memory with it.
  private mutating func reopen(at now: HostTime) -> Bool {
    do {
      let other = try SharedClockReader(name: reader.name)
      guard serves(other, at: now) else { return false }
      reader = other
      return true
    } catch {
      // Nobody serves it yet.
      return false
    }
  }

  private mutating func lose(_ events: inout FollowerEvents) {
    lock = .idle
    events.append(.lost)
    guard isRunning else { return }
    isRunning = false
    events.append(.stopped(.sourceLost, place))
  }

  /// The first of our ticks at or after an instant.
  private func tick(at now: HostTime) -> Tick {
    guard let (up, down) = scale(of: state) else { return .zero }
    let theirs =
      state.isRunning
      ? state.line.firstCount(atOrAfter: max(now, state.start)) : state.standing.value
    let scaled = Int128(theirs) * Int128(up)
    return Tick(Int64(clamping: -((-scaled) / Int128(down))))
  }

  /// The place in MIDI clocks, rounded down: what the events of a follower carry.
  private var place: FollowedPosition {
    guard case .ppqn(let ours) = division else { return .clock(MIDIClock(count: 0)) }
    let clocks = (Int128(tick.value) * 24) / Int128(ours.ticks)
    return .clock(MIDIClock(count: Int64(clamping: clocks)))
  }

  /// Our ticks for a number of theirs.
  private func scale(of state: SharedClockState) -> (up: Int64, down: Int64)? {
    guard case .ppqn(let ours) = division, let theirs = state.ppqn else { return nil }
    return ours == theirs ? (1, 1) : (Int64(ours.ticks), Int64(theirs.ticks))
  }

  private static func map(of state: SharedClockState) -> TempoMap? {
    do {
      return try state.tempoMap()
    } catch {
      // What no publisher of ours writes.
      return nil
    }
  }
}

extension Timeline {
  /// Whether `rescaled` fits the line.
  fileprivate func isSound(multiplier: Int64, over divisor: Int64) -> Bool {
    let count = Int128(countOrigin) * Int128(multiplier) / Int128(divisor)
    let origin = scaledOrigin.multipliedReportingOverflow(by: Int128(multiplier))
    // With room for the distances that are added to it, each below a quarter of the range.
    let room = -(Int128.max / 4)...(Int128.max / 4)
    return !numerator.multipliedReportingOverflow(by: divisor).overflow
      && !denominator.multipliedReportingOverflow(by: multiplier).overflow
      && Int64(exactly: count - 1) != nil
      && !origin.overflow && room.contains(origin.partialValue)
  }
}
