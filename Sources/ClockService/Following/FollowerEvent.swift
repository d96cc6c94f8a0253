// SPDX-License-Identifier: Apache-2.0
public import MusicalTime

/// An event from a follower of an external clock.
public enum FollowerEvent: Hashable, BitwiseCopyable, Sendable {
  /// The position of the next start was set by Start, a Song Position Pointer or a full frame.
  case located(FollowedPosition)
  /// Start or Continue was received; the next MIDI clock starts the motion.
  case armed
  /// The motion started from a position at a host time.
  case started(FollowedPosition, at: HostTime)
  /// The motion stopped at a position; the reason is given.
  case stopped(StopReason, FollowedPosition)
  /// The position jumped during motion; the song must move to the new position.
  case jumped(FollowedPosition)
  /// The position in the beat and the tempo are now known well enough to follow.
  case locked
  /// The next clocks or quarter frames are overdue; the motion continues at the predicted tempo.
  case freewheeling
  /// The master has not sent anything for the freewheel time.
  case lost
  /// Time code now runs in another direction.
  case turned(TimeDirection)
  /// The frame rate code of the time code is not the expected one, so the time code is not
  /// followed.
  case wrongFormat(MTCCode)
  /// The actual frame rate was recognised by its speed, for example 29.97 instead of 30, which
  /// differ by 0.1 %.
  case recognized(FrameRate)
  /// A Song Position Pointer was received during motion, and was ignored.
  case ignored(SongPosition)
  /// The tempo of the master is outside the supported range.
  case tempoOutOfRange
  /// MIDI clocks arrive in pairs: the master is connected twice, or two masters send to one port.
  case clocksInPairs
}

/// The reason for which the motion of a clock stopped.
public enum StopReason: Hashable, BitwiseCopyable, Sendable {
  /// The program stopped the clock.
  case command
  /// The master sent a MIDI Stop message.
  case stopMessage
  /// The master sent Start during motion; the next MIDI clock is position 0.
  case restarted
  /// The master sent nothing for the freewheel time; it must start the clock again.
  case sourceLost
  /// The master sent nothing for the freewheel time; its next MIDI clock or quarter frame continues
  /// the motion.
  case gap
  /// The master sent a full frame, which sets the position and stops.
  case fullFrame
  /// Time code runs backwards, or too slowly for playback.
  case notPlayable
  /// The frame rate code changed to one that is not followed.
  case wrongFormat
  /// The tempo of the master left the supported range.
  case tempoOutOfRange
}

/// The direction in which time code runs.
public enum TimeDirection: Int8, Hashable, BitwiseCopyable, Sendable {
  /// Time code runs towards later times.
  case forward = 1
  /// Time code runs towards earlier times.
  case reverse = -1
}

/// A position of a master, in the unit that it sends.
public enum FollowedPosition: Hashable, BitwiseCopyable, Sendable {
  /// MIDI clocks from the start of the song.
  case clock(MIDIClock)
  /// Quarter frames of time code.
  case timecode(QuarterFrameCount)
}

/// The state of a follower: how well the position and tempo of its master are known.
public enum LockState: Hashable, BitwiseCopyable, Sendable {
  /// The master does not send anything.
  case idle
  /// The master sends, but its position in the beat and its tempo are not known well enough yet.
  case acquiring
  /// The position in the beat and the tempo are known.
  case locked
  /// The next clocks or quarter frames are overdue; position and tempo are predicted.
  case freewheeling
}

/// The state of the song while a follower receives a master.
public enum FollowedTransport: Hashable, BitwiseCopyable, Sendable {
  /// The song does not move.
  case stopped
  /// The song is stopped, and the next MIDI clock starts it.
  case armed
  /// The song moves.
  case running
}

/// The events that result from one message or one instant, in order.
public struct FollowerEvents: RandomAccessCollection, BitwiseCopyable, Sendable {
  /// The maximum number of events.
  public static let capacity = 8

  private var storage = InlineArray<8, FollowerEvent>(repeating: .armed)
  /// The number of events.
  public private(set) var count = 0

  init() {}

  /// The index of the first event, always 0.
  public var startIndex: Int { 0 }
  /// The index after the last event.
  public var endIndex: Int { count }

  /// The event at an index.
  ///
  /// - Precondition: The index is from 0 to below `count`.
  public subscript(index: Int) -> FollowerEvent {
    precondition(index >= 0 && index < count, "event index out of range")
    return storage[index]
  }

  mutating func append(_ event: FollowerEvent) {
    precondition(count < Self.capacity, "more events than one message can cause")
    storage[count] = event
    count += 1
  }
}
