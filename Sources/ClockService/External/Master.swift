// SPDX-License-Identifier: Apache-2.0
internal import MIDIMessages
internal import MusicalTime

/// How one kind of master is followed: where it is and how it moves, in the ticks of what is played.
///
/// A class, since it takes messages where it is: a follower holds some kilobytes of the past, which
/// would otherwise be copied out and back for every message.
///
/// - Note: owned by the event thread.
protocol Master: AnyObject {
  /// What kind of clock it is.
  var mode: SyncMode { get }
  /// The maps in which what is played is counted, and the label at its start.
  var song: TimeContext { get set }
  /// How long motion goes on without the master.
  var freewheel: Duration { get set }
  /// Whether phase and tempo are known.
  var lock: LockState { get }
  /// The tempo as measured; nil where none is known.
  var tempo: FollowedTempo? { get }
  /// What is believed of clocks or quarter frames; nil where there are none.
  var estimate: TickEstimate? { get }
  /// Whether the position may be off by whole clocks.
  var isUncertain: Bool { get }
  /// Whether the master moves.
  var isMoving: Bool { get }
  /// How often maps of its own may have changed; 0 where it has none.
  var edition: UInt32 { get }
  /// How long a quarter note is, as measured; nil where the tempo map says.
  var nanosecondsPerQuarter: Ratio? { get }

  /// Takes a message; nothing happens where it is no business of this kind.
  func take(_ message: Message, at time: HostTime) -> FollowerEvents
  /// Takes a SysEx message, without F0 and F7.
  func take(sysEx bytes: Span<UInt8>, at time: HostTime) -> FollowerEvents
  /// Lets time pass.
  func advance(to now: HostTime) -> FollowerEvents
  /// Whether it is led by what follows it.
  var isLed: Bool { get }
  /// Tells it that what follows it is started or stopped by its owner; only a session that is led
  /// heeds it.
  func command(_ isPlaying: Bool, at now: HostTime)
  /// The instant up to which events may be sent out, as seen from now; nil while nothing runs.
  func releaseLimit(at now: HostTime) -> HostTime?
  /// Calls `body` with each piece of a window, in order.
  func forEachPiece(of window: HostWindow, _ body: (HostWindow, Timeline<Tick, HostTime>) -> Void)
  /// Whether it is followed in the time of the output that plays along, to the frame.
  var followsOutput: Bool { get }
  /// Where the output's time stands until the master starts; nil while it passes.
  var hold: MasterHold? { get }
  /// Calls `body` with each piece of a window of the output's time, in order, where that is followed.
  func forEachPiece(
    ofOutput window: ReferenceWindow,
    _ body: (ReferenceWindow, Timeline<Tick, ReferenceTime>) -> Void)
  /// The line that holds at an instant; nil while nothing runs.
  func line(at time: HostTime) -> Timeline<Tick, HostTime>?
  /// The first tick at or after a position that it told of.
  ///
  /// - Throws: `TimeError.overflow` past 64 bits of ticks.
  func tick(of position: FollowedPosition) throws(TimeError) -> Tick
}

/// The time of an output that waits for a master to start.
struct MasterHold {
  /// Where it stands; what moves the lane takes effect here, and what is due here sounds at once.
  let standing: ReferenceTime
  /// Where it goes on with the master: what is due from here on can be sent, and waits.
  let start: ReferenceTime
}

extension Master {
  var tempo: FollowedTempo? { nil }
  var estimate: TickEstimate? { nil }
  var isUncertain: Bool { false }
  var edition: UInt32 { 0 }
  var isLed: Bool { false }
  var nanosecondsPerQuarter: Ratio? { nil }
  var followsOutput: Bool { false }
  var hold: MasterHold? { nil }

  func forEachPiece(
    ofOutput window: ReferenceWindow,
    _ body: (ReferenceWindow, Timeline<Tick, ReferenceTime>) -> Void
  ) {}
  func command(_ isPlaying: Bool, at now: HostTime) {}
  func take(_ message: Message, at time: HostTime) -> FollowerEvents { FollowerEvents() }
  func take(sysEx bytes: Span<UInt8>, at time: HostTime) -> FollowerEvents { FollowerEvents() }
}
