// SPDX-License-Identifier: Apache-2.0
public import MusicalTime

extension MIDIClockGenerator {
  /// A jump of which followers are notified in advance.
  struct Jump {
    /// The time of the first message about it, and the time of the jump.
    let told, time: ReferenceTime
    let tick: Tick
    /// The time of the first clock after it, and the distance to the next one.
    let first: ReferenceTime
    let period: Int64
  }

  /// The state that a jump changes.
  struct Before {
    let owed, origin, told: Int64
    let start: Start?
    let announcedGo: Go?
    let isRunning: Bool
    let announcements, sentAnnouncements: [Announcement]
    let grid: StandingGrid
    let lastTimeline: Timeline<Tick, ReferenceTime>?
  }

  /// Stops followers before a jump at the end of a loop, and sends them the new position and
  /// Continue at intervals of 1 ms.
  ///
  /// If the time before the jump is too short, all of this is sent at the jump.
  public func prepareLoop(
    to tick: Tick, at time: ReferenceTime, in window: ReferenceWindow,
    firstClock first: ReferenceTime, period: Int64
  ) {
    guard jumps.last?.jump.time != time else { return }
    let spacing = Self.spacing
    let stop = min(
      goTime(first, period).advanced(byNanoseconds: -2 * spacing),
      time.advanced(byNanoseconds: -spacing))
    let told = max(stop, window.lowerBound)
    guard told < window.upperBound else { return }
    nextJump = Jump(told: told, time: time, tick: tick, first: first, period: period)
  }

  /// Notifies followers of a jump, when everything before it was emitted.
  func prepare(_ jump: Jump) {
    let before = Before(
      owed: owed, origin: origin, told: told, start: start, announcedGo: announcedGo,
      isRunning: isRunning, announcements: announcements, sentAnnouncements: sentAnnouncements,
      grid: grid, lastTimeline: lastTimeline)
    jumps.append((jump, before))
    guard jump.told.advanced(byNanoseconds: 3 * Self.spacing) <= jump.first else { return }
    prepareLocate(to: jump.tick, from: jump.told, firstClock: jump.first, period: jump.period)
  }

  /// Returns the first instant at or after another one at which a command may take effect.
  ///
  /// From the first message about a jump until the jump, that is the instant just after the jump.
  public func earliestCommand(atOrAfter time: ReferenceTime) -> ReferenceTime {
    let entry = jumps.first { $0.jump.told < time && time <= $0.jump.time }
    return entry?.jump.time.advanced(byNanoseconds: 1) ?? time
  }

  /// Restores the state before the first jump of which followers were not notified yet.
  func takeBackJumps(from time: ReferenceTime) {
    guard let index = jumps.firstIndex(where: { $0.jump.told >= time }) else { return }
    let before = jumps[index].before
    jumps.removeSubrange(index...)
    (owed, origin, told) = (before.owed, before.origin, before.told)
    (start, announcedGo, isRunning) = (before.start, before.announcedGo, before.isRunning)
    (announcements, sentAnnouncements) = (before.announcements, before.sentAnnouncements)
    (grid, lastTimeline) = (before.grid, before.lastTimeline)
  }
}
