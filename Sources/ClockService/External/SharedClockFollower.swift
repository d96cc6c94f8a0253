// SPDX-License-Identifier: Apache-2.0
public import MusicalTime
public import Realtime

/// Follows the served clock of another process.
///
/// The published mapping from ticks to host time is exact, so it is not filtered. If the publisher
/// ends or stops publishing, the clock continues for the freewheel time. If a process serves the
/// same name again later, it is followed.
///
/// - Note: Owned by the event thread.
public struct SharedClockFollower: Sendable {
  /// The interval in nanoseconds at which the publisher is checked, which takes a system call.
  private static let checkPeriod: Int64 = 100_000_000
  /// The interval in nanoseconds at which a missing publisher is searched for.
  ///
  /// A publisher that starts at once has its first beat after 100 ms.
  private static let searchPeriod: Int64 = 10_000_000
  /// The time in nanoseconds after which a running publisher is taken as stopped or hung; it
  /// publishes every 5 ms.
  private static let longestSilence: Int64 = 250_000_000

  /// The time for which the clock continues without the publisher.
  var freewheel: Duration = .seconds(1)
  /// The clock that is read.
  private var reader: SharedClockReader
  /// True while the clock runs.
  private(set) var isRunning = false
  private(set) var state: SharedClockState
  private var epoch: UInt64
  private var mapEdition: UInt32
  /// The publisher's tempo map since its last move.
  private var map: TempoMap?
  /// The number of times that the maps were read.
  private(set) var readings: UInt32 = 0
  /// The position at the last call of `advance(to:)`, in the song's ticks.
  private(set) var tick: Tick = .zero
  /// The length of a tick in the song.
  var division: Division
  private var nextCheck = HostTime.zero
  /// Locked while the publisher runs.
  private(set) var lock = LockState.locked

  /// Creates a follower of a clock.
  ///
  /// - Parameters:
  ///   - reader: Reads the served clock.
  ///   - division: The length of a tick in the song, a fraction of a quarter note.
  /// - Throws: `SharedSnapshotError.foreign` if the shared value is not a valid clock.
  public init(
    _ reader: SharedClockReader, division: Division
  ) throws(SharedSnapshotError) {
    self.reader = reader
    self.division = division
    (state, epoch) = try reader.read()
    mapEdition = state.mapEdition
    map = Self.map(of: state)
  }

  /// Reads the present state of the clock and returns the changes.
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

  /// Calls `body` for each part of a window with a constant line.
  ///
  /// A line that cannot be converted to the song's ticks is left out; a `SharedClockPublisher` does
  /// not write such lines.
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

  /// Checks the publisher; returns true if another one has replaced it.
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

  /// The state of a clock; nil if the value is not a clock.
  private static func reading(
    of reader: SharedClockReader
  ) -> (value: SharedClockState, epoch: UInt64)? {
    do {
      return try reader.read()
    } catch {
      // The value was not written by a `SharedClockPublisher`.
      return nil
    }
  }

  /// True if the line of a state can be converted to the song's ticks.
  private func isSound(_ state: SharedClockState) -> Bool {
    guard state.isRunning, let (up, down) = scale(of: state) else { return true }
    return state.line.isSound(multiplier: up, over: down)
  }

  /// Opens the name again: the memory of a publisher that ended is gone.
  private mutating func reopen(at now: HostTime) -> Bool {
    do {
      let other = try SharedClockReader(name: reader.name)
      guard serves(other, at: now) else { return false }
      reader = other
      return true
    } catch {
      // No process serves the name yet.
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

  /// The first tick of the song at or after an instant.
  private func tick(at now: HostTime) -> Tick {
    guard let (up, down) = scale(of: state) else { return .zero }
    let theirs =
      state.isRunning
      ? state.line.firstCount(atOrAfter: max(now, state.start)) : state.standing.value
    let scaled = Int128(theirs) * Int128(up)
    return Tick(Int64(clamping: -((-scaled) / Int128(down))))
  }

  /// The position for events, in MIDI clocks, rounded down.
  private var place: FollowedPosition {
    guard case .ppqn(let ours) = division else { return .clock(MIDIClock(count: 0)) }
    let clocks = (Int128(tick.value) * 24) / Int128(ours.ticks)
    return .clock(MIDIClock(count: Int64(clamping: clocks)))
  }

  /// The song's ticks per number of the clock's ticks.
  private func scale(of state: SharedClockState) -> (up: Int64, down: Int64)? {
    guard case .ppqn(let ours) = division, let theirs = state.ppqn else { return nil }
    return ours == theirs ? (1, 1) : (Int64(ours.ticks), Int64(theirs.ticks))
  }

  private static func map(of state: SharedClockState) -> TempoMap? {
    do {
      return try state.tempoMap()
    } catch {
      // The map was not written by a `SharedClockPublisher`.
      return nil
    }
  }
}

extension Timeline {
  /// True if the line can be rescaled without overflow.
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
