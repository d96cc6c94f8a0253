// SPDX-License-Identifier: Apache-2.0
public import MIDIMessages
public import MusicalTime

/// Sends MIDI beat clock: 24 clocks a quarter note, Start, Continue, Stop and song position.
///
/// Every clock falls where the tempo map and the timeline say, rounded up to a nanosecond: none is
/// built on the one before, so nothing drifts. A Start or Continue leaves at least 1 ms before
/// its first clock, and that clock falls on the position itself; a position inside a sixteenth is
/// rounded up to the next one, which song position can name. Past MIDI beat 16383 followers are
/// told of clocks only.
///
/// Source: MIDI 1.0 Detailed Specification 4.2.1, System Real Time and System Common Messages.
///
/// - Note: called on the event thread only, or by whoever drives the scheduler offline.
public final class MIDIClockGenerator: ClockGenerator {
  /// The track of its events, so that clock can have routes of its own.
  public static let track = TimedEvent.noTrack - 1

  /// Whether clocks go on while the transport stands, so that followers know the tempo already.
  public let sendsWhileStanding: Bool
  /// Whether song positions are sent.
  public let sendsSongPosition: Bool

  private var tempoMap: TempoMap
  /// The first clock that was not sent, counted from the song's start.
  var owed: Int64 = 0
  /// Where the clocks of this start began.
  var origin: Int64 = 0
  /// The clock that followers will take the next one for: they begin at the song's start.
  var told: Int64 = 0
  var start: Start?
  /// When followers were told beforehand to go on, in a move that is still to come.
  var announcedGo: Go?
  var isRunning = false
  var announcements: [Announcement] = []
  /// What was announced of late, and may be cancelled yet.
  var sentAnnouncements: [Announcement] = []
  var grid = StandingGrid()
  var lastTimeline: Timeline<Tick, ReferenceTime>?
  /// The jump that followers are to be told of in the window that comes.
  var nextJump: Jump?
  /// The jumps that they were told of lately, and how it was before: they may be taken back.
  var jumps: [(jump: Jump, before: Before)] = []

  /// A start that followers are to be told of.
  struct Start {
    /// The message; nil where no message can name the position.
    let message: Message?
    /// The first clock that followers count.
    let clock: Int64
    /// When the clock starts, if that is known, and at which tick.
    let time: ReferenceTime?
    let tick: Tick
    /// When its message left.
    var announced: ReferenceTime?
  }

  /// When followers were told to go on from a tick.
  struct Go {
    let time: ReferenceTime
    let tick: Tick
  }

  /// A message that waits for its window; as soon as may be where it has no time.
  struct Announcement {
    let message: Message
    let time: ReferenceTime?
    var sent = ReferenceTime.zero
  }

  /// Creates a generator that stands at the song's start.
  ///
  /// - Parameters:
  ///   - tempoMap: The map whose ticks the timelines count.
  ///   - sendsWhileStanding: Whether clocks go on while the transport stands.
  ///   - sendsSongPosition: Whether song positions are sent.
  public init(
    tempoMap: TempoMap, sendsWhileStanding: Bool = true, sendsSongPosition: Bool = true
  ) {
    self.tempoMap = tempoMap
    self.sendsWhileStanding = sendsWhileStanding
    self.sendsSongPosition = sendsSongPosition
  }

  /// When the first clock at or after an instant is due while the transport stands.
  ///
  /// A transport that starts there goes on in the beat that followers have heard; nil where
  /// nothing was sent yet.
  public func nextStandingClock(atOrAfter time: ReferenceTime) -> ReferenceTime? {
    grid.nextTime(atOrAfter: time)
  }

  /// Moves to a tick; followers that run are stopped, and told where they are to go on.
  public func locate(to tick: Tick) {
    let isElsewhere = announcedGo.map { $0.tick != tick } ?? false
    if isElsewhere { announcedGo = nil }
    if isRunning || isElsewhere { announceStop(at: nil) }
    begin(at: tick)
    let place = sixteenth(atOrAfter: tick)
    guard place * 6 != told else { return }
    announce(place)
  }

  /// Stops followers that run, tells them 1 ms later where they are to go on, and half a clock before
  /// the clock there, to go on.
  public func prepareLocate(
    to tick: Tick, from now: ReferenceTime, firstClock first: ReferenceTime, period: Int64
  ) {
    guard isRunning else { return }
    announceStop(at: now)
    let place = sixteenth(atOrAfter: tick)
    if place * 6 != told { announce(place) }
    // A place between sixteenths is left without followers, who go on at the next.
    let owed = clock(atOrAfter: tick)
    let clock = firstClock(from: tick, owed: owed)
    guard clock == owed, let message = startMessage(with: clock) else { return }
    let time = max(goTime(first, period), now.advanced(byNanoseconds: 2 * Self.spacing))
    announcements.append(Announcement(message: message, time: time))
    announcedGo = Go(time: time, tick: tick)
  }

  /// Announces that the clock will start; nil as time lets followers start with the next clock.
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

  /// Announces that the clock stops at an instant.
  public func stop(at time: ReferenceTime) {
    rewind(to: time)
    (start, announcedGo) = (nil, nil)
    if isRunning { announceStop(at: time) }
  }

  /// Counts in another map: clocks are parts of a quarter note, whatever that lasts.
  public func use(_ tempoMap: TempoMap, at tick: Tick) {
    self.tempoMap = tempoMap
  }

  /// Nothing: clocks have no labels.
  public func relabel(from offset: Timecode?, at rate: FrameRate?, tick: Tick) {}

  /// Owes again what was due at or after an instant.
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

  /// Appends the clocks of the window, and what announces them.
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

  /// Goes on at the end of a window in which more is due, as where a clock runs a million times too
  /// fast.
  private func leaveOut(
    before end: ReferenceTime, along timeline: Timeline<Tick, ReferenceTime>
  ) {
    owed = max(owed, clock(atOrAfter: Tick(timeline.firstCount(atOrAfter: end))))
    origin = owed
    if isRunning { told = owed }
  }

  /// Appends the clocks of a window in which the transport stands, and what announces a start.
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

  /// How long before its first clock a Start leaves: 1 ms, or half a clock where that is more.
  ///
  /// It is held to 10 ms, and to one clock where clocks are closer than 1 ms.
  private static func lead(_ period: Int64) -> Int64 {
    min(max(period / 2, 1_000_000), period, 10_000_000)
  }

  /// When followers are let go on with a clock.
  func goTime(_ first: ReferenceTime, _ period: Int64) -> ReferenceTime {
    first.advanced(byNanoseconds: -Self.lead(period))
  }

  /// What lets followers set out with a clock; nil where they cannot know which it is.
  private func startMessage(with first: Int64) -> Message? {
    let isNamed = first == 0 || !sendsSongPosition || first == told
    return isNamed ? Message(status: first == 0 ? 0xFA : 0xFB) : nil
  }

  private func begin(at tick: Tick) {
    owed = clock(atOrAfter: tick)
    origin = owed
    start = nil
  }

  /// How far messages that followers obey are from one another at least, in nanoseconds.
  static let spacing: Int64 = 1_000_000

  /// How long a cancellation can come after what it cancels was emitted, in nanoseconds.
  private static let memory: Int64 = 1_000_000_000

  private func time(of clock: Int64, along timeline: Timeline<Tick, ReferenceTime>) -> ReferenceTime
  {
    do {
      let position = try tempoMap.ticks(atQuarters: Ratio(clock, over: 24))
      return timeline.timeRoundedUp(atPosition: position)
    } catch {
      // Past what 128 bits hold: never.
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
      // Past what 128 bits hold: nowhere.
      return .max / 8
    }
  }

  /// The clock with which followers set out, where a clock is the first that is owed.
  private func firstClock(from tick: Tick, owed: Int64) -> Int64 {
    guard tick > .zero else { return 0 }
    // A pause and its end: they stand there already.
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

  /// A song position leaves the Stop before it 1 ms.
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

  /// When a start is announced, going by the tempo at which the clock stands.
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
