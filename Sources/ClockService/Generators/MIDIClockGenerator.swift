// SPDX-License-Identifier: Apache-2.0
public import MIDIMessages
public import MusicalTime

/// Sends MIDI clock: 24 clocks per quarter note, Start, Continue, Stop and song position.
///
/// The time of every clock is calculated from the tempo map and the timeline and rounded up to a
/// nanosecond, independently of other clocks, so clocks do not drift. A Start or Continue is sent
/// at least 1 ms before its first clock, which is exactly at the start position. A position between
/// two sixteenths is rounded up to the later one, because song position has that resolution. After
/// MIDI beat 16383 only clocks are sent.
///
/// Source: MIDI 1.0 Detailed Specification 4.2.1, System Real Time and System Common Messages.
///
/// - Note: Called on the event thread only, or by the thread that drives the scheduler offline.
public final class MIDIClockGenerator: ClockGenerator {
  /// The track number of the generator's events, with which MIDI clock can have separate routes.
  public static let track = TimedEvent.noTrack - 1

  /// True if clocks are also sent while the transport is stopped, so that followers know the tempo.
  public let sendsWhileStanding: Bool
  /// True if song positions are sent.
  public let sendsSongPosition: Bool

  private var tempoMap: TempoMap
  /// The next clock to send, counted from the song's start.
  var owed: Int64 = 0
  /// The first clock of the present start.
  var origin: Int64 = 0
  /// The clock that followers expect next; they begin at the song's start.
  var told: Int64 = 0
  var start: Start?
  /// The Continue that followers received for a jump that has not happened yet.
  var announcedGo: Go?
  var isRunning = false
  var announcements: [Announcement] = []
  /// Recent announcements, which may be cancelled.
  var sentAnnouncements: [Announcement] = []
  var grid = StandingGrid()
  var lastTimeline: Timeline<Tick, ReferenceTime>?
  /// The jump of which followers are notified in the next window.
  var nextJump: Jump?
  /// The recent jumps, with the state before each, to which a cancellation returns.
  var jumps: [(jump: Jump, before: Before)] = []

  /// A start of which followers are notified.
  struct Start {
    /// The message; nil if a message cannot express the position.
    let message: Message?
    /// The first clock that followers count.
    let clock: Int64
    /// The time of the start, if known, and its tick.
    let time: ReferenceTime?
    let tick: Tick
    /// The time at which its message was sent.
    var announced: ReferenceTime?
  }

  /// The time at which followers continue from a tick.
  struct Go {
    let time: ReferenceTime
    let tick: Tick
  }

  /// A message that waits for its window; without a time it is sent as soon as possible.
  struct Announcement {
    let message: Message
    let time: ReferenceTime?
    var sent = ReferenceTime.zero
  }

  /// Creates a generator that is stopped at the song's start.
  ///
  /// - Parameters:
  ///   - tempoMap: The tempo map of the song, in whose ticks positions are given.
  ///   - sendsWhileStanding: True (the default) to send clocks while the transport is stopped.
  ///   - sendsSongPosition: True (the default) to send song positions.
  public init(
    tempoMap: TempoMap, sendsWhileStanding: Bool = true, sendsSongPosition: Bool = true
  ) {
    self.tempoMap = tempoMap
    self.sendsWhileStanding = sendsWhileStanding
    self.sendsSongPosition = sendsSongPosition
  }

  /// Returns the time of the first clock at or after an instant, while the transport is stopped but
  /// clocks are sent.
  ///
  /// A transport that starts at this time continues the beat that followers have received.
  ///
  /// - Returns: The time, or nil if no clock has been sent.
  public func nextStandingClock(atOrAfter time: ReferenceTime) -> ReferenceTime? {
    grid.nextTime(atOrAfter: time)
  }

  /// Moves the generator to a tick.
  ///
  /// Followers that are running receive Stop, and then the new position.
  public func locate(to tick: Tick) {
    let isElsewhere = announcedGo.map { $0.tick != tick } ?? false
    if isElsewhere { announcedGo = nil }
    if isRunning || isElsewhere { announceStop(at: nil) }
    begin(at: tick)
    let place = sixteenth(atOrAfter: tick)
    guard place * 6 != told else { return }
    announce(place)
  }

  /// Prepares a jump of the running clock: followers are stopped, receive the new position 1 ms
  /// later, and receive Continue half a clock before the clock at that position.
  public func prepareLocate(
    to tick: Tick, from now: ReferenceTime, firstClock first: ReferenceTime, period: Int64
  ) {
    guard isRunning else { return }
    announceStop(at: now)
    let place = sixteenth(atOrAfter: tick)
    if place * 6 != told { announce(place) }
    // At a position between sixteenths followers are silent, and continue at the next sixteenth.
    let owed = clock(atOrAfter: tick)
    let clock = firstClock(from: tick, owed: owed)
    guard clock == owed, let message = startMessage(with: clock) else { return }
    let time = max(goTime(first, period), now.advanced(byNanoseconds: 2 * Self.spacing))
    announcements.append(Announcement(message: message, time: time))
    announcedGo = Go(time: time, tick: tick)
  }

  /// Prepares a start at a tick, and sends followers the position and the Start or Continue.
  ///
  /// If `time` is nil, followers start with the next clock that is sent.
  public func prepareStart(at tick: Tick, time: ReferenceTime?) {
    begin(at: tick)
    let first = firstClock(from: tick, owed: owed)
    if first != told, first != 0 { announce(first / 6) }
    let message = startMessage(with: first)
    start = Start(message: message, clock: first, time: time, tick: tick)
    if let go = announcedGo {
      start?.announced = go.time
      (announcedGo, isRunning, told) = (nil, true, first)
      return
    }
    guard time == nil, let message else { return }
    announcements.append(Announcement(message: message, time: nil))
    start?.announced = ReferenceTime(nanoseconds: .min)
    isRunning = true
  }

  /// Stops sending positions at an instant, and sends Stop to running followers.
  public func stop(at time: ReferenceTime) {
    rewind(to: time)
    (start, announcedGo) = (nil, nil)
    if isRunning { announceStop(at: time) }
  }

  /// Replaces the tempo map.
  ///
  /// MIDI clock does not depend on the number of ticks per quarter note.
  public func use(_ tempoMap: TempoMap, at tick: Tick) {
    self.tempoMap = tempoMap
  }

  /// Does nothing: MIDI clock does not contain time code.
  public func relabel(from offset: Timecode?, at rate: FrameRate?, tick: Tick) {}

  /// Cancels the messages due at or after an instant; they are sent again by later windows.
  public func rewind(to time: ReferenceTime) {
    takeBackJumps(from: time)
    grid.takeBack(from: time)
    if let announced = start?.announced, announced >= time {
      start?.announced = nil
      isRunning = false
    }
    announcements.insert(contentsOf: sentAnnouncements.filter { $0.sent >= time }, at: 0)
    sentAnnouncements.removeAll { $0.sent >= time }
    guard let lastTimeline else { return }
    let sent = owed
    while owed > origin, self.time(of: owed - 1, along: lastTimeline) >= time { owed -= 1 }
    if owed > origin, owed < sent { grid.note(self.time(of: owed - 1, along: lastTimeline)) }
    if isRunning { told = min(told, owed) }
  }

  /// Appends the MIDI clocks that are due in a window of the running clock to a buffer, with the
  /// messages that precede them.
  public func emit(
    _ window: ReferenceWindow, along timeline: Timeline<Tick, ReferenceTime>,
    into buffer: inout EventBuffer
  ) {
    guard let jump = nextJump else { return emitClocks(window, along: timeline, into: &buffer) }
    nextJump = nil
    emitClocks(window.lowerBound..<jump.told, along: timeline, into: &buffer)
    prepare(jump)
    emitClocks(jump.told..<window.upperBound, along: timeline, into: &buffer)
  }

  private func emitClocks(
    _ window: ReferenceWindow, along timeline: Timeline<Tick, ReferenceTime>,
    into buffer: inout EventBuffer
  ) {
    guard !window.isEmpty else { return }
    emitAnnouncements(window, into: &buffer)
    lastTimeline = timeline
    for _ in 0..<window.mostMessages {
      let due = time(of: owed, along: timeline)
      emitStart(before: due, along: timeline, window, into: &buffer)
      guard due < window.upperBound else { return }
      let counts = isRunning && owed >= (start?.clock ?? .min)
      if counts { told = owed + 1 }
      if counts || sendsWhileStanding {
        let time = max(due, window.lowerBound)
        buffer.append(
          TimedEvent(time: time, payload: .message(Message(status: 0xF8)), track: Self.track))
        grid.note(time)
      }
      owed += 1
    }
    leaveOut(before: window.upperBound, along: timeline)
  }

  /// Skips the clocks that remain at the end of a window, for example if a clock runs a million
  /// times too fast.
  private func leaveOut(
    before end: ReferenceTime, along timeline: Timeline<Tick, ReferenceTime>
  ) {
    owed = max(owed, clock(atOrAfter: Tick(timeline.firstCount(atOrAfter: end))))
    origin = owed
    if isRunning { told = owed }
  }

  /// Appends the MIDI clocks that are due in a window in which the transport is stopped to a
  /// buffer, with the messages before a start.
  public func emitStanding(
    _ window: ReferenceWindow, nanosecondsPerQuarter quarter: Ratio, into buffer: inout EventBuffer
  ) {
    emitAnnouncements(window, into: &buffer)
    let lead = Self.lead(Int64(quarter.approximation / 24))
    let startTime = start.flatMap { announcementTime(of: $0, quarter, lead) }
    if sendsWhileStanding, !isRunning {
      let limit = min(window.upperBound, startTime ?? window.upperBound)
      let target = startTime?.advanced(byNanoseconds: lead)
      grid.emit(
        from: window.lowerBound, to: limit, nanosecondsPerQuarter: quarter, aimingAt: target
      ) { time in
        buffer.append(
          TimedEvent(time: time, payload: .message(Message(status: 0xF8)), track: Self.track))
      }
    }
    if let startTime, startTime < window.upperBound {
      announceStart(at: max(startTime, window.lowerBound), into: &buffer)
    }
  }

  /// The time from a Start to its first clock: 1 ms, or half a clock if that is longer.
  ///
  /// It is at most 10 ms, and at most one clock if clocks are less than 1 ms apart.
  private static func lead(_ period: Int64) -> Int64 {
    min(max(period / 2, 1_000_000), period, 10_000_000)
  }

  /// The time at which followers are continued for a clock.
  func goTime(_ first: ReferenceTime, _ period: Int64) -> ReferenceTime {
    first.advanced(byNanoseconds: -Self.lead(period))
  }

  /// The message that starts followers with a clock; nil if they cannot know which clock it is.
  private func startMessage(with first: Int64) -> Message? {
    let isNamed = first == 0 || !sendsSongPosition || first == told
    return isNamed ? Message(status: first == 0 ? 0xFA : 0xFB) : nil
  }

  private func begin(at tick: Tick) {
    owed = clock(atOrAfter: tick)
    origin = owed
    start = nil
  }

  /// The least distance between messages that followers act on, in nanoseconds.
  static let spacing: Int64 = 1_000_000

  /// The longest time from an event to its cancellation, in nanoseconds.
  private static let memory: Int64 = 1_000_000_000

  private func time(of clock: Int64, along timeline: Timeline<Tick, ReferenceTime>) -> ReferenceTime
  {
    do {
      let position = try tempoMap.ticks(atQuarters: Ratio(clock, over: 24))
      return timeline.timeRoundedUp(atPosition: position)
    } catch {
      // Outside the range of 128 bits: never.
      return ReferenceTime(nanoseconds: .max)
    }
  }

  /// The first clock at or after a tick.
  private func clock(atOrAfter tick: Tick) -> Int64 { count(of: 24, atOrAfter: tick) }

  /// The first sixteenth at or after a tick, and not before the song's start.
  private func sixteenth(atOrAfter tick: Tick) -> Int64 { max(count(of: 4, atOrAfter: tick), 0) }

  private func count(of unitsPerQuarter: Int64, atOrAfter tick: Tick) -> Int64 {
    do {
      let position = try tempoMap.quarters(at: tick) * Ratio(unitsPerQuarter)
      return try Int64(clamping: position.rounded(.ceil, unit: "clocks").value)
    } catch {
      // Outside the range of 128 bits: not reached.
      return .max / 8
    }
  }

  /// The clock with which followers start, if a clock is the first to send.
  private func firstClock(from tick: Tick, owed: Int64) -> Int64 {
    guard tick > .zero else { return 0 }
    // After a pause followers are already at the position.
    if told == owed, told % 6 == 0 || !sendsSongPosition { return told }
    return sendsSongPosition ? sixteenth(atOrAfter: tick) * 6 : owed
  }

  private func announce(_ sixteenth: Int64) {
    guard sendsSongPosition, let place = SongPosition(midiBeats: Int(sixteenth)) else { return }
    announcements.removeAll { $0.message.status == 0xF2 }
    let message = Message(status: 0xF2, data1: place.lowByte, data2: place.highByte)
    announcements.append(Announcement(message: message, time: nil))
    told = sixteenth * 6
  }

  private func announceStop(at time: ReferenceTime?) {
    announcements.append(Announcement(message: Message(status: 0xFC), time: time))
    isRunning = false
  }

  private func emitAnnouncements(_ window: ReferenceWindow, into buffer: inout EventBuffer) {
    var kept = 0
    // In order: a song position that follows a Stop waits for it.
    while kept < announcements.count {
      let time = max(earliestTime(of: announcements[kept]), window.lowerBound)
      guard time < window.upperBound else { break }
      buffer.append(
        TimedEvent(time: time, payload: .message(announcements[kept].message), track: Self.track))
      announcements[kept].sent = time
      sentAnnouncements.append(announcements[kept])
      kept += 1
    }
    announcements.removeFirst(kept)
    let forgotten = window.lowerBound.advanced(byNanoseconds: -Self.memory)
    sentAnnouncements.removeAll { $0.sent < forgotten }
    jumps.removeAll { $0.jump.time < forgotten }
  }

  /// Delays a song position to 1 ms after the Stop before it.
  private func earliestTime(of announcement: Announcement) -> ReferenceTime {
    let time = announcement.time ?? ReferenceTime(nanoseconds: .min)
    guard announcement.message.status == 0xF2, let last = sentAnnouncements.last,
      last.message.status == 0xFC
    else { return time }
    return max(time, last.sent.advanced(byNanoseconds: Self.spacing))
  }

  /// Emits the Start that belongs before the owed clock, if its time is in the window.
  private func emitStart(
    before due: ReferenceTime, along timeline: Timeline<Tick, ReferenceTime>,
    _ window: ReferenceWindow,
    into buffer: inout EventBuffer
  ) {
    guard let start, start.announced == nil, start.clock == owed else { return }
    let ticks = time(of: owed + 1, along: timeline).nanoseconds.subtractingReportingOverflow(
      due.nanoseconds)
    let lead = Self.lead(ticks.overflow ? 10_000_000 : ticks.partialValue)
    let time = max(due.advanced(byNanoseconds: -lead), window.lowerBound)
    if time < window.upperBound { announceStart(at: time, into: &buffer) }
  }

  private func announceStart(at time: ReferenceTime, into buffer: inout EventBuffer) {
    start?.announced = time
    guard let message = start?.message else { return }
    buffer.append(TimedEvent(time: time, payload: .message(message), track: Self.track))
    told = start?.clock ?? told
    isRunning = true
  }

  /// The time at which a start is announced, according to the tempo of the stopped clock.
  private func announcementTime(of start: Start, _ quarter: Ratio, _ lead: Int64) -> ReferenceTime?
  {
    guard start.announced == nil, let time = start.time else { return nil }
    do {
      let distance = try Ratio(start.clock, over: 24) - tempoMap.quarters(at: start.tick)
      let wait = try (distance * quarter).rounded(.ceil, unit: "nanoseconds").value
      return time.advanced(byNanoseconds: Int64(clamping: wait) - lead)
    } catch {
      return nil
    }
  }
}
