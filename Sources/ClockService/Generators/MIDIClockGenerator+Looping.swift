// SPDX-License-Identifier: Apache-2.0
public import MusicalTime

extension MIDIClockGenerator {
  /// A jump that followers are told of before it is made.
  struct Jump {
    /// When they are told first, and when the clock jumps.
    let told, time: ReferenceTime
    let tick: Tick
    /// When the first clock after it is due, and how far the next is from that.
    let first: ReferenceTime
    let period: Int64
  }

  /// All that a jump changes.
  struct Before {
    let owed, origin, told: Int64
    let start: Start?
    let announcedGo: Go?
    let isRunning: Bool
    let announcements, sentAnnouncements: [Announcement]
    let grid: StandingGrid
    let lastTimeline: Timeline<Tick, ReferenceTime>?
  }

  /// Stops followers in time to be told, 1 ms apart, where and when they go on; where there is no
  /// time for that, they are told all of it at the jump.
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

  /// Tells followers of a jump, all before which was emitted.
  func prepare(_ jump: Jump) {
    let before = Before(
      owed: owed, origin: origin, told: told, start: start, announcedGo: announcedGo,
      isRunning: isRunning, announcements: announcements, sentAnnouncements: sentAnnouncements,
      grid: grid, lastTimeline: lastTimeline)
    jumps.append((jump, before))
    guard jump.told.advanced(byNanoseconds: 3 * Self.spacing) <= jump.first else { return }
    prepareLocate(to: jump.tick, from: jump.told, firstClock: jump.first, period: jump.period)
  }

  /// An instant between the first word of a jump and the jump becomes the one just after it.
  public func earliestCommand(atOrAfter time: ReferenceTime) -> ReferenceTime {
    let entry = jumps.first { $0.jump.told < time && time <= $0.jump.time }
    return entry?.jump.time.advanced(byNanoseconds: 1) ?? time
  }

  /// Is again as before the first jump that followers have not heard of.
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
