// SPDX-License-Identifier: Apache-2.0
public import MIDIMessages
public import MusicalTime

/// Follows MIDI time code: the position, speed and direction of another machine.
///
/// Eight quarter frames, from any piece and in either direction, give the position; after that,
/// each message moves it by one. While time runs forward, the song follows a smooth timeline in
/// quarter frames. Full frames locate and stop.
///
/// Source: MIDI Time Code (RP-004/RP-008).
///
/// - Note: Real-time safe: a value with all of its state, which never allocates memory.
public struct MTCFollower: Sendable {
  /// Options of a follower.
  public struct Settings: BitwiseCopyable, Sendable {
    /// The time for which motion continues without quarter frames, at least four frames; 1 s by
    /// default.
    public var freewheel: Duration = .seconds(1)
    /// The only frame rate code that is followed; nil (the default) follows any.
    public var format: MTCCode?

    /// Creates the default settings.
    public init() {}
  }

  /// The settings.
  public var settings: Settings
  /// Running while time moves forward at a speed that can be played.
  public internal(set) var transport = FollowedTransport.stopped
  /// The knowledge of the position.
  public internal(set) var lock = LockState.idle
  /// The direction of time.
  public internal(set) var direction = TimeDirection.forward
  /// The last quarter frame; nil before the position is known.
  public internal(set) var position: QuarterFrameCount?
  /// The actual frame rate, once the speed distinguishes it from a rate that differs by 0.1 %.
  ///
  /// A machine that is 0.1 % slow cannot be distinguished from one at the slower rate; the user
  /// must decide.
  public internal(set) var recognizedRate: FrameRate?

  var ticks = Self.newTicks
  var output = OutputStage<QuarterFrameCount>(farthest: 48)
  var cycle = QuarterFrameCycle()
  /// A message that is inconsistent with direction and time; the next message explains it.
  var odd: UInt8?
  /// A difference between time code and count, until it is seen a second time.
  var doubt: Disagreement?
  var refused: MTCCode?
  var regression = SpeedRegression()

  struct Disagreement: BitwiseCopyable {
    var distance: Int64
    var code: MTCCode
    /// The length of the run when it was first seen.
    var run: Int
  }

  /// Quarter frames are at least 2 ms apart and, while they can be played, at most 0.1 s.
  private static var newTicks: TickFollower {
    TickFollower(shortestPeriod: 2e6, expectedPeriod: 10e6)
  }

  /// Creates a follower that is idle.
  public init(settings: Settings = Settings()) {
    self.settings = settings
  }

  // MARK: Reading

  /// The estimate of the quarter frames as ticks; nil before two of them.
  public var estimate: TickEstimate? { ticks.estimate }

  /// The number of quarter frames counted as lost so far.
  public var lostQuarterFrames: Int { max(0, ticks.lost) }

  /// The number of jumps of the position during motion; after each, the song must locate.
  public var epoch: UInt32 { output.epoch }

  /// The nominal frame rate of the code: 24, 25, 29.97 drop-frame or 30.
  public var nominalRate: FrameRate? { position.map { FrameRate(mtcCode: $0.code) } }

  /// The speed relative to `nominalRate`, negative in reverse; nil before it is known.
  public var speed: Double? {
    guard lock != .idle, let estimate, let rate = nominalRate else { return nil }
    return Double(direction.rawValue) * Self.period(rate) / estimate.period
  }

  /// Returns the published line at an instant; nil while the song is stopped.
  public func timeline(at time: HostTime) -> Timeline<QuarterFrameCount, HostTime>? {
    output.timeline(at: time)
  }

  /// The first segment of a window that begins at an instant.
  func piece(at time: HostTime) -> Timeline<QuarterFrameCount, HostTime>? { output.piece(at: time) }

  /// Calls `body` with each published segment of a window, in order.
  ///
  /// The segments of a window are final: later messages change the timeline only after it. Windows
  /// must be in order, and end at `releaseLimit(at:)` at the latest.
  public mutating func forEachPiece(
    of window: HostWindow,
    _ body: (HostWindow, Timeline<QuarterFrameCount, HostTime>) throws -> Void
  ) rethrows {
    try output.forEachPiece(of: window, body)
  }

  /// Returns the instant up to which events may be sent now: just after the quarter frame that
  /// follows the last one, received or, while freewheeling, predicted; nil while the song is
  /// stopped.
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

  /// Processes a message of the port; all except quarter frames are ignored.
  public mutating func take(_ message: Message, at time: HostTime) -> FollowerEvents {
    guard message.status == 0xF1 else { return FollowerEvents() }
    var events = advance(to: time)
    takeQuarterFrame(message.data1 & 0x7F, at: time, &events)
    return events
  }

  /// Processes a SysEx message, without F0 and F7; all except complete full frames are ignored.
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

  /// Advances to an instant.
  ///
  /// Overdue quarter frames are predicted for the freewheel time; then motion stops at the last one
  /// that was received.
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

  /// The time for which motion continues without quarter frames, in nanoseconds.
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
