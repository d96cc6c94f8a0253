// SPDX-License-Identifier: Apache-2.0
public import MIDIMessages
public import MusicalTime

/// Follows MIDI time code: the position, speed and direction of another machine.
///
/// Eight quarter frames, from any piece and in either direction, give the position; after that,
/// each message changes the position by one quarter frame. While time runs forward, the song
/// follows a smooth timeline in quarter frames. A full frame sets the position and stops the song.
///
/// Source: MIDI Time Code (RP-004/RP-008).
///
/// - Note: Real-time safe: never allocates memory.
public struct MTCFollower: Sendable {
  /// Options of an `MTCFollower`.
  public struct Settings: BitwiseCopyable, Sendable {
    /// The time for which motion continues without quarter frames; 1 s by default.
    ///
    /// The follower waits for at least the time of four frames.
    public var freewheel: Duration = .seconds(1)
    /// The only frame rate code that is followed; if nil (the default), every code is followed.
    public var format: MTCCode?

    /// Creates the default settings.
    public init() {}
  }

  /// The options of the follower.
  public var settings: Settings
  /// The state of the song: running while time code moves forward at a speed that can be played.
  public internal(set) var transport = FollowedTransport.stopped
  /// Shows how well the position of the master is known: idle, acquiring, locked or freewheeling.
  public internal(set) var lock = LockState.idle
  /// The direction in which time code runs.
  public internal(set) var direction = TimeDirection.forward
  /// The position of the last quarter frame; nil until a position is known.
  public internal(set) var position: QuarterFrameCount?
  /// The actual frame rate, once it is recognised by its speed; nil before.
  ///
  /// Some rates, such as 29.97 and 30, differ by only 0.1 %. A machine that runs 0.1 % too slowly
  /// cannot be distinguished from one at the slower rate; the user must decide.
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

  /// Creates a follower that has not received anything.
  public init(settings: Settings = Settings()) {
    self.settings = settings
  }

  // MARK: Reading

  /// The estimate of the times of quarter frames; nil until two have been received.
  public var estimate: TickEstimate? { ticks.estimate }

  /// The number of quarter frames that were lost on the way.
  public var lostQuarterFrames: Int { max(0, ticks.lost) }

  /// The number of jumps of the position during motion.
  ///
  /// After each jump, the song must move to the new position.
  public var epoch: UInt32 { output.epoch }

  /// The nominal frame rate of the code: 24, 25, 29.97 drop-frame or 30.
  public var nominalRate: FrameRate? { position.map { FrameRate(mtcCode: $0.code) } }

  /// The speed relative to `nominalRate`, negative in reverse; nil if it is not known yet.
  public var speed: Double? {
    guard lock != .idle, let estimate, let rate = nominalRate else { return nil }
    return Double(direction.rawValue) * Self.period(rate) / estimate.period
  }

  /// Returns the timeline from quarter frames to host time that applies at an instant; nil while
  /// the song is stopped.
  public func timeline(at time: HostTime) -> Timeline<QuarterFrameCount, HostTime>? {
    output.timeline(at: time)
  }

  /// The first segment of a window that begins at an instant.
  func piece(at time: HostTime) -> Timeline<QuarterFrameCount, HostTime>? { output.piece(at: time) }

  /// Calls `body` with each segment of the timeline in a window, in order.
  ///
  /// The segments of a window are final: later messages change the timeline only after it. Windows
  /// must be in order, and end at `releaseLimit(at:)` at the latest.
  public mutating func forEachPiece(
    of window: HostWindow,
    _ body: (HostWindow, Timeline<QuarterFrameCount, HostTime>) throws -> Void
  ) rethrows {
    try output.forEachPiece(of: window, body)
  }

  /// Returns the instant up to which events may be sent now, just after the next expected quarter
  /// frame.
  ///
  /// The next quarter frame is the one after the last that was received or, while freewheeling,
  /// after the last that was predicted.
  ///
  /// - Returns: The instant; nil while the song is stopped.
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

  /// Processes a message of the port.
  ///
  /// Only quarter frames have an effect.
  public mutating func take(_ message: Message, at time: HostTime) -> FollowerEvents {
    guard message.status == 0xF1 else { return FollowerEvents() }
    var events = advance(to: time)
    takeQuarterFrame(message.data1 & 0x7F, at: time, &events)
    return events
  }

  /// Processes the bytes of a SysEx message without F0 and F7.
  ///
  /// Only complete full frames have an effect.
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

  /// Advances the follower to an instant without a message.
  ///
  /// While quarter frames are overdue, they are predicted for the freewheel time; after that,
  /// motion stops at the last one that was received.
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
