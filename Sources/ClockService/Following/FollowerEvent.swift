// SPDX-License-Identifier: Apache-2.0
public import MusicalTime

/// An event from a follower of an external clock.
public enum FollowerEvent: Hashable, BitwiseCopyable, Sendable {
  /// The position of the next start was set, by Start, a Song Position Pointer or a full frame.
  case located(FollowedPosition)
  /// Start or Continue arrived; the next clock starts the motion.
  case armed
  /// The motion started from a position, at an instant.
  case started(FollowedPosition, at: HostTime)
  /// The motion stopped at a position.
  case stopped(StopReason, FollowedPosition)
  /// The position jumped during motion; the song must locate.
  case jumped(FollowedPosition)
  /// Phase and tempo are known well enough to follow.
  case locked
  /// Clocks are overdue; the motion continues at the predicted tempo.
  case freewheeling
  /// The clock was silent for the freewheel time.
  case lost
  /// Time code changed its direction.
  case turned(TimeDirection)
  /// Time code has a different frame rate code than expected, and is not followed.
  case wrongFormat(MTCCode)
  /// The frame rate was recognised by its speed, which differs by 0.1 % from that of a similar
  /// rate.
  case recognized(FrameRate)
  /// A Song Position Pointer arrived during motion, and was ignored.
  case ignored(SongPosition)
  /// The tempo is outside of the supported range.
  case tempoOutOfRange
  /// Clocks arrive in pairs: the master is connected twice, or two masters send to one port.
  case clocksInPairs
}

/// The reason for which the motion of a clock stopped.
public enum StopReason: Hashable, BitwiseCopyable, Sendable {
  /// A command of its owner.
  case command
  /// A Stop message.
  case stopMessage
  /// A Start message during motion: the next clock is position 0.
  case restarted
  /// The clock was silent for the freewheel time; it must be started again.
  case sourceLost
  /// The clock was silent for the freewheel time; the next clock continues the motion.
  case gap
  /// A full frame, which locates and stops.
  case fullFrame
  /// Time code runs backwards, or too slowly for playback.
  case notPlayable
  /// Time code changed to a frame rate code that is not followed.
  case wrongFormat
  /// The tempo left the supported range.
  case tempoOutOfRange
}

/// The direction of time code.
public enum TimeDirection: Int8, Hashable, BitwiseCopyable, Sendable {
  /// Towards later times.
  case forward = 1
  /// Towards earlier times.
  case reverse = -1
}

/// A position of an external clock.
public enum FollowedPosition: Hashable, BitwiseCopyable, Sendable {
  /// A position in MIDI clocks from the start of the song.
  case clock(MIDIClock)
  /// A position in quarter frames of time code.
  case timecode(QuarterFrameCount)
}

/// The state of a follower's knowledge of its clock.
public enum LockState: Hashable, BitwiseCopyable, Sendable {
  /// No clocks arrive.
  case idle
  /// Clocks arrive, but phase and tempo are not known well enough yet.
  case acquiring
  /// Phase and tempo are known.
  case locked
  /// Clocks are overdue; phase and tempo are predicted.
  case freewheeling
}

/// The state of an external transport.
public enum FollowedTransport: Hashable, BitwiseCopyable, Sendable {
  /// Stopped.
  case stopped
  /// Stopped, and started by the next clock.
  case armed
  /// Running.
  case running
}

/// The events of one message or one instant, in order.
public struct FollowerEvents: RandomAccessCollection, BitwiseCopyable, Sendable {
  /// The maximum number of events.
  public static let capacity = 8

  private var storage = InlineArray<8, FollowerEvent>(repeating: .armed)
  /// The number of events.
  public private(set) var count = 0

  init() {}

  /// The first index.
  public var startIndex: Int { 0 }
  /// The index after the last.
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
