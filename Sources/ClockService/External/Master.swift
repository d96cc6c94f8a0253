// SPDX-License-Identifier: Apache-2.0
internal import MIDIMessages
internal import MusicalTime

/// A kind of master, with its position and motion in the ticks of the song.
///
/// It is a class, because a follower contains several kilobytes of state, which would otherwise be
/// copied for every message.
///
/// - Note: Owned by the event thread.
protocol Master: AnyObject {
  /// The kind of clock.
  var mode: SyncMode { get }
  /// The maps of the song, and the time code of its start.
  var song: TimeContext { get set }
  /// The time for which the song continues without the master.
  var freewheel: Duration { get set }
  /// The knowledge of phase and tempo.
  var lock: LockState { get }
  /// The measured tempo; nil if it is unknown.
  var tempo: FollowedTempo? { get }
  /// The estimate of clocks or quarter frames; nil if the master does not send any.
  var estimate: TickEstimate? { get }
  /// True if the position may be off by whole clocks.
  var isUncertain: Bool { get }
  /// True while the master moves.
  var isMoving: Bool { get }
  /// The number of times that the master's own maps may have changed; 0 if it does not have maps.
  var edition: UInt32 { get }
  /// The measured length of a quarter note; nil if the tempo map determines it.
  var nanosecondsPerQuarter: Ratio? { get }

  /// Processes a message; messages that do not concern the master are ignored.
  func take(_ message: Message, at time: HostTime) -> FollowerEvents
  /// Processes a SysEx message, without F0 and F7.
  func take(sysEx bytes: Span<UInt8>, at time: HostTime) -> FollowerEvents
  /// Advances to an instant and returns the events up to it.
  func advance(to now: HostTime) -> FollowerEvents
  /// True if its follower controls the master.
  var isLed: Bool { get }
  /// Notifies the master that the song was started or stopped by its owner; only a session that is
  /// controlled acts on this.
  func command(_ isPlaying: Bool, at now: HostTime)
  /// The instant up to which events may be sent now; nil while the master is stopped.
  func releaseLimit(at now: HostTime) -> HostTime?
  /// Calls `body` for each segment of a window, in order.
  func forEachPiece(of window: HostWindow, _ body: (HostWindow, Timeline<Tick, HostTime>) -> Void)
  /// True if the master is followed in the time of the song's output, exact to the frame.
  var followsOutput: Bool { get }
  /// The pause of the output's time until the master starts; nil while the time passes.
  var hold: MasterHold? { get }
  /// Calls `body` for each segment of a window of the output's time, in order, if `followsOutput`.
  func forEachPiece(
    ofOutput window: ReferenceWindow,
    _ body: (ReferenceWindow, Timeline<Tick, ReferenceTime>) -> Void)
  /// The line at an instant; nil while the master is stopped.
  func line(at time: HostTime) -> Timeline<Tick, HostTime>?
  /// The first tick at or after a position from one of its events.
  ///
  /// - Throws: `TimeError.overflow` if the tick does not fit in 64 bits.
  func tick(of position: FollowedPosition) throws(TimeError) -> Tick
}

/// The pause of an output's time until a master starts.
struct MasterHold {
  /// The paused time.
  ///
  /// Moves of the lane take effect here, and events due here sound at once.
  let standing: ReferenceTime
  /// The time at which it resumes with the master.
  ///
  /// Events due from here on can be sent, and wait.
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
