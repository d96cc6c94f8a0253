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
    /// How long motion goes on without a quarter frame, at least 4 frames; 1 s by default.
    public var freewheel: Duration = .seconds(1)
    /// The format that is followed; nil follows whatever comes.
    public var format: MTCCode?

    /// Creates the usual settings.
    public init() {}
  }

  /// The settings.
  public var settings: Settings
  /// Whether time moves forward and what is played can follow.
  public internal(set) var transport = FollowedTransport.stopped
  /// Whether the position is known.
  public internal(set) var lock = LockState.idle
  /// Which way time runs.
  public internal(set) var direction = TimeDirection.forward
  /// The last quarter frame that was reached; nil before the position is known.
  public internal(set) var position: QuarterFrameCount?
  /// The true frame rate, once the speed tells it apart from its neighbour 0.1 % off.
  ///
  /// By principle a machine that runs 0.1 % slow looks the same; the choice is the user's.
  public internal(set) var recognizedRate: FrameRate?

  var ticks = Self.newTicks
  var output = OutputStage<QuarterFrameCount>(farthest: 48)
  var cycle = QuarterFrameCycle()
  /// A message that fits neither the direction nor the time; the next one tells what it was.
  var odd: UInt8?
  /// A disagreement between the code and the count, and whether it was seen twice.
  var doubt: Disagreement?
  var refused: MTCCode?
  var regression = SpeedRegression()

  struct Disagreement: BitwiseCopyable {
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
  public func timeline(at time: HostTime) -> Timeline<QuarterFrameCount, HostTime>? {
    output.timeline(at: time)
  }

  /// The piece with which a window from an instant on begins.
  func piece(at time: HostTime) -> Timeline<QuarterFrameCount, HostTime>? { output.piece(at: time) }

  /// Calls `body` with each published piece of a window, in order.
  ///
  /// What a window covered is handed out: later messages bend the timeline only after it. Windows
  /// are asked for in order and end at `releaseLimit(at:)` at the latest.
  public mutating func forEachPiece(
    of window: HostWindow,
    _ body: (HostWindow, Timeline<QuarterFrameCount, HostTime>) throws -> Void
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
    let predicted = (min(sinceLast, longestSilence) / ticks.state.period).rounded(.down)
    let next = position.count + Int64(predicted) + 1
    return piece.timeRoundedUp(atCount: next).advanced(saturating: 1)
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
    if Double(now.nanoseconds - ticks.lastArrival) > longestSilence {
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

  /// How long motion goes on without a quarter frame, in nanoseconds.
  private var longestSilence: Double {
    max(16 * ticks.state.period, Double(settings.freewheel.nanosecondsRoundedUp))
  }

  static func period(_ rate: FrameRate) -> Double {
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
}
