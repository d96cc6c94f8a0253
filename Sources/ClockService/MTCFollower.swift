// SPDX-License-Identifier: Apache-2.0
public import MIDIMessages
public import MusicalTime

/// Follows MIDI time code: where another machine is, how fast it runs, and which way.
///
/// Eight quarter frames, from any piece on and in either direction, give the position; from then
/// on every message moves it by one. What is played follows a smooth timeline in quarter frames
/// while time runs forwards; full frames locate and do not move.
///
/// Source: MIDI Time Code (RP-004/RP-008).
///
/// - Note: Real-time safe: a value that holds all its state and never allocates.
public struct MTCFollower: Sendable {
  /// What can be chosen.
  public struct Settings: BitwiseCopyable, Sendable {
    /// How long motion goes on without a quarter frame, in nanoseconds: 1 s, at least 4 frames.
    public var freewheel: Int64 = 1_000_000_000
    /// The format that is followed; nil follows whatever comes.
    public var format: MTCCode?

    /// Creates the usual settings.
    public init() {}
  }

  /// The settings.
  public var settings: Settings
  /// Whether time moves forward and what is played can follow.
  public private(set) var transport = FollowedTransport.stopped
  /// Whether the position is known.
  public private(set) var lock = LockState.idle
  /// Which way time runs.
  public private(set) var direction = TimeDirection.forward
  /// The last quarter frame that was reached; nil before the position is known.
  public private(set) var position: QuarterFrameCount?
  /// The true frame rate, once the speed tells it apart from its neighbour 0.1 % off.
  ///
  /// By principle a machine that runs 0.1 % slow looks the same; the choice is the user's.
  public private(set) var recognizedRate: FrameRate?

  private var ticks = Self.newTicks
  private var output = OutputStage<QuarterFrameCount>(farthest: 48)
  private var cycle = QuarterFrameCycle()
  /// A message that fits neither the direction nor the time; the next one tells what it was.
  private var odd: UInt8?
  /// A disagreement between the code and the count, and whether it was seen twice.
  private var doubt: Disagreement?
  private var refused: MTCCode?
  private var regression = SpeedRegression()

  private struct Disagreement: BitwiseCopyable {
    var distance: Int64
    var code: MTCCode
    /// The length of the run when it was first seen.
    var run: Int
  }

  /// Time code runs between a quarter frame in 2 ms and, where it is still played, in 0.1 s.
  private static var newTicks: TickFollower {
    TickFollower(shortestPeriod: 2e6, expectedPeriod: 10e6)
  }

  /// Creates a follower that has heard nothing.
  public init(settings: Settings = Settings()) {
    self.settings = settings
  }

  // MARK: Reading

  /// What is believed of the quarter frames as ticks; nil before two of them.
  public var estimate: TickEstimate? { ticks.estimate }

  /// Quarter frames lost on the way, so far.
  public var lostQuarterFrames: Int { max(0, ticks.lost) }

  /// How many times the position jumped while moving; what is played locates when it changes.
  public var epoch: UInt32 { output.epoch }

  /// The frame rate that the format stands for until the speed tells more: 24, 25, 29.97 drop, 30.
  public var nominalRate: FrameRate? { position.map { FrameRate(mtcCode: $0.code) } }

  /// How fast time runs, 1 as the format says; negative in reverse; nil before it is known.
  public var speed: Double? {
    guard lock != .idle, let estimate, let rate = nominalRate else { return nil }
    return Double(direction.rawValue) * Self.period(rate) / estimate.period
  }

  /// The published piece that holds at an instant; nil while nothing is played.
  public func timeline(at time: HostTime) -> Timeline<QuarterFrameCount>? {
    output.timeline(at: time)
  }

  /// Calls `body` with each published piece of a window, in order.
  ///
  /// What a window covered is handed out: later messages bend the timeline only after it. Windows
  /// are asked for in order and end at `releaseLimit(at:)` at the latest.
  public mutating func forEachPiece(
    of window: HostWindow, _ body: (HostWindow, Timeline<QuarterFrameCount>) throws -> Void
  ) rethrows {
    try output.forEachPiece(of: window, body)
  }

  /// The instant up to which events may be sent out, as seen from now: just past one quarter
  /// frame after the last, received or, while freewheeling, predicted; nil while nothing is played.
  public func releaseLimit(at now: HostTime) -> HostTime? {
    guard transport == .running, let position, let piece = output.timeline(at: now) else {
      return nil
    }
    let sinceLast = Double(max(0, now.nanoseconds - ticks.lastArrival))
    let predicted = min((sinceLast / ticks.state.period).rounded(.down), freewheelTicks)
    let next = position.count + Int64(predicted) + 1
    return piece.hostTimeRoundedUp(atCount: next).advanced(byNanoseconds: 1)
  }

  // MARK: Taking

  /// Takes a message of the port; all but quarter frames are ignored.
  public mutating func take(_ message: Message, at time: HostTime) -> FollowerEvents {
    guard message.status == 0xF1 else { return FollowerEvents() }
    var events = advance(to: time)
    takeQuarterFrame(message.data1 & 0x7F, at: time, &events)
    return events
  }

  /// Takes a SysEx message, without F0 and F7; all but whole full frames are ignored.
  public mutating func take(sysEx bytes: Span<UInt8>, at time: HostTime) -> FollowerEvents {
    var events = advance(to: time)
    guard bytes.count == 8, bytes[0] == 0x7F, bytes[2] == 0x01, bytes[3] == 0x01,
      let code = MTCCode(rawValue: bytes[4] >> 5)
    else { return events }
    let label = TimecodeLabel(
      hours: bytes[4] & 0x1F, minutes: bytes[5], seconds: bytes[6], frames: bytes[7])
    guard let frame = FrameRate(mtcCode: code).frameOfExisting(label) else { return events }
    takeFullFrame(QuarterFrameCount(count: 4 * frame, code: code), &events)
    return events
  }

  /// Lets time pass: overdue quarter frames are predicted for the freewheel time, and then motion
  /// stops at the last one received.
  public mutating func advance(to now: HostTime) -> FollowerEvents {
    var events = FollowerEvents()
    guard lock != .idle else { return events }
    let periods = Double(now.nanoseconds - ticks.lastArrival) / ticks.state.period
    if periods > freewheelTicks {
      lock = .idle
      cycle.removeAll()
      odd = nil
      doubt = nil
      events.append(.lost)
      stop(.sourceLost, &events)
      ticks = Self.newTicks
    } else if lock == .locked, ticks.isOverdue(at: now) {
      lock = .freewheeling
      events.append(.freewheeling)
    }
    return events
  }

  private var freewheelTicks: Double {
    max(16, (Double(settings.freewheel) / ticks.state.period).rounded())
  }

  private static func period(_ rate: FrameRate) -> Double {
    1e9 * Double(rate.fpsDenominator) / Double(4 * rate.fpsNumerator)
  }

  private mutating func takeFullFrame(_ place: QuarterFrameCount, _ events: inout FollowerEvents) {
    guard follows(place.code, &events) else { return }
    stop(.fullFrame, &events)
    position = place
    cycle.removeAll()
    odd = nil
    doubt = nil
    ticks = Self.newTicks
    lock = .idle
    events.append(.located(.timecode(place)))
  }

  // MARK: Quarter frames

  private mutating func takeQuarterFrame(
    _ data: UInt8, at time: HostTime, _ events: inout FollowerEvents
  ) {
    switch lock {
    case .idle:
      begin(data, at: time)
    case .acquiring:
      acquire(data, at: time, &events)
    case .locked, .freewheeling:
      follow(data, at: time, &events)
    }
  }

  /// The first message of all, or after silence.
  private mutating func begin(_ data: UInt8, at time: HostTime) {
    lock = .acquiring
    cycle.take(data, isNeighbour: false)
    ticks.update(at: time, steps: 1)
  }

  /// Collects eight messages in a row.
  private mutating func acquire(
    _ data: UInt8, at time: HostTime, _ events: inout FollowerEvents
  ) {
    let piece = Int(data >> 4)
    guard piece != cycle.last else { return }
    ticks.update(at: time, steps: 1)
    guard let way = Self.way(from: cycle.last, to: piece) else {
      return cycle.take(data, isNeighbour: false)
    }
    if way != direction { cycle.beginRun() }
    direction = way
    cycle.take(data, isNeighbour: true)
    guard let place = decoded, follows(place.code, &events) else { return }
    position = place
    lock = .locked
    recognizedRate = nil
    regression = SpeedRegression()
    events.append(.located(.timecode(place)))
    events.append(.locked)
    startIfPlayable(at: time, &events)
  }

  private mutating func follow(_ data: UInt8, at time: HostTime, _ events: inout FollowerEvents) {
    let gap = ticks.state.distance(to: time.nanoseconds) / ticks.state.period
    if let steps = steps(to: Int(data >> 4), gap) {
      odd = nil
      if steps > 0 { move(by: steps, data, at: time, &events) }
    } else if let odd, let way = Self.way(from: Int(odd >> 4), to: Int(data >> 4)) {
      self.odd = nil
      leave(by: odd, data, way, gap, at: time, &events)
    } else {
      odd = data
    }
  }

  /// How many quarter frames on a piece is, by its number and by the time; 0 for a double, nil
  /// where the two contradict each other.
  private func steps(to piece: Int, _ gap: Double) -> Int? {
    let near = (piece - cycle.last) * Int(direction.rawValue) & 7
    if near == 1, gap < 5 { return 1 }
    if near == 0, gap < 0.5 { return 0 }
    guard gap < 1e6 else { return nil }
    let steps = near + 8 * Int(((gap - Double(near)) / 8).rounded())
    return steps > 0 && abs(gap - Double(steps)) < 0.5 + 0.1 * gap ? steps : nil
  }

  /// The direction from one piece to its neighbour, nil where they are none.
  private static func way(from piece: Int, to other: Int) -> TimeDirection? {
    switch (other - piece) & 7 {
    case 1: .forward
    case 7: .reverse
    default: nil
    }
  }

  private mutating func move(
    by steps: Int, _ data: UInt8, at time: HostTime, _ events: inout FollowerEvents
  ) {
    ticks.update(at: time, steps: steps)
    cycle.take(data, isNeighbour: steps == 1)
    shift(by: Int64(steps))
    if lock == .freewheeling {
      lock = .locked
      events.append(.locked)
    }
    settle(at: time, &events)
  }

  /// Two neighbours that do not go on from the last message: time turned round, or went elsewhere.
  private mutating func leave(
    by odd: UInt8, _ data: UInt8, _ way: TimeDirection, _ gap: Double, at time: HostTime,
    _ events: inout FollowerEvents
  ) {
    let turn = (Int(odd >> 4) - cycle.last) * Int(way.rawValue) & 7
    let isTurn = way != direction && turn <= 1
    cycle.take(odd, isNeighbour: false)
    cycle.take(data, isNeighbour: true)
    let elapsed = min(max(1, gap.rounded()), 1e6)
    ticks.rephase(at: time, steps: Int(elapsed))
    regression = SpeedRegression()
    if way != direction {
      direction = way
      events.append(.turned(way))
      if way == .reverse { stop(.notPlayable, &events) }
    }
    // Around a turn the pieces tell the way gone; elsewhere the count freewheels until the code
    // is read again.
    shift(by: isTurn ? Int64(turn + 1) : Int64(elapsed))
    settle(at: time, &events)
  }

  /// The position that the last eight messages spell.
  private var decoded: QuarterFrameCount? {
    mutating get { cycle.position(isReverse: direction == .reverse) }
  }

  private mutating func shift(by steps: Int64) {
    position?.count += Int64(direction.rawValue) * steps
  }

  /// Compares the count with the code, and publishes it.
  private mutating func settle(at time: HostTime, _ events: inout FollowerEvents) {
    compare(at: time, &events)
    recognizeRate(at: time, &events)
    guard transport == .running else { return startIfPlayable(at: time, &events) }
    guard isPlayable else { return stop(.notPlayable, &events) }
    if let line, output.follow(line, at: time) { reportJump(&events) }
  }

  /// One code that disagrees is an error; a second that disagrees the same way is a jump.
  ///
  /// A run begins at the first piece that is not the expected one. Where eight pieces disagree and
  /// so does that first piece when its turn comes again, no single corrupt cycle did it.
  private mutating func compare(at time: HostTime, _ events: inout FollowerEvents) {
    guard let position else { return }
    if cycle.run > 8, doubt == nil, !cycle.spells(position) { cycle.beginRun() }
    guard cycle.run == 8 || doubt != nil, let place = decoded else { return }
    let day = 4 * FrameRate(mtcCode: place.code).framesPerDay
    let distance = (place.count - position.count + day / 2).wrapped(to: day) - day / 2
    guard distance != 0 || place.code != position.code else { return doubt = nil }
    guard let before = doubt, before.distance == distance, before.code == place.code else {
      return doubt = Disagreement(distance: distance, code: place.code, run: cycle.run)
    }
    guard before.run == 8 || cycle.run >= before.run + 8 else { return }
    doubt = nil
    regression = SpeedRegression()
    guard follows(place.code, &events) else {
      stop(.wrongFormat, &events)
      return lock = .acquiring
    }
    if place.code != position.code { recognizedRate = nil }
    self.position = place
    guard transport == .running, let line else {
      return events.append(.located(.timecode(place)))
    }
    output.jump(to: line, at: time)
    reportJump(&events)
  }

  private func reportJump(_ events: inout FollowerEvents) {
    if let position { events.append(.jumped(.timecode(position))) }
  }

  /// Whether a format is followed; one that is not is reported once.
  private mutating func follows(_ code: MTCCode, _ events: inout FollowerEvents) -> Bool {
    guard let format = settings.format, format != code else {
      refused = nil
      return true
    }
    if refused != code { events.append(.wrongFormat(code)) }
    refused = code
    return false
  }

  // MARK: Motion

  /// The line from the last quarter frame, in quarter frames from 00:00:00:00.
  private var line: TickLine? {
    position.map { ticks.line(countingFrom: ticks.state.count - $0.count) }
  }

  /// Whether time runs forward at a speed that can be played: a tenth to four times.
  private var isPlayable: Bool {
    guard direction == .forward, let speed else { return false }
    return speed >= 0.1 && speed <= 4
  }

  private mutating func startIfPlayable(at time: HostTime, _ events: inout FollowerEvents) {
    guard lock == .locked, isPlayable, let line, let position else { return }
    transport = .running
    output.start(along: line, at: time)
    events.append(.started(.timecode(position), at: time))
  }

  private mutating func stop(_ reason: StopReason, _ events: inout FollowerEvents) {
    guard transport == .running, let position else { return }
    transport = .stopped
    output.stop()
    events.append(.stopped(reason, .timecode(position)))
  }

  /// Tells the format's rate from the one 0.1 % slower, once one is a thousand times likelier.
  private mutating func recognizeRate(at time: HostTime, _ events: inout FollowerEvents) {
    guard let position, let nominal = nominalRate?.unslowed else { return }
    let count = direction == .forward ? position.count : -position.count
    regression.add(
      time.nanoseconds, count: count, nominal: Self.period(nominal), jitter: ticks.jitter)
    guard let (slowness, deviation) = regression.slowness else { return }
    let (fast, slow) = (abs(slowness), abs(slowness - 0.001))
    guard abs(fast * fast - slow * slow) > 13.8 * deviation * deviation else { return }
    // Far from both it is a speed of its own.
    let isVaried = min(fast, slow) > 150e-6 + 4 * deviation
    let found = isVaried ? nil : fast < slow ? nominal : nominal.slowed
    guard found != recognizedRate else { return }
    recognizedRate = found
    if let found { events.append(.recognized(found)) }
  }
}

extension FrameRate {
  /// The rate of the same labels that runs at the nominal speed.
  fileprivate var unslowed: FrameRate {
    switch self {
    case .fps2997Drop: .fps30Drop
    default: self
    }
  }

  /// The rate of the same labels that runs 0.1 % slower.
  fileprivate var slowed: FrameRate {
    switch self {
    case .fps24: .fps23976
    case .fps25: .fps2498
    case .fps30: .fps2997
    case .fps30Drop: .fps2997Drop
    default: self
    }
  }
}
