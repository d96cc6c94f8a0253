// SPDX-License-Identifier: Apache-2.0
public import MusicalTime

/// What a follower of an external clock has to tell.
public enum FollowerEvent: Hashable, BitwiseCopyable, Sendable {
  /// The position from which the next start goes was set: by Start, by Song Position Pointer, by
  /// a full frame.
  case located(FollowedPosition)
  /// Start or Continue was heard: the next clock starts the motion.
  case armed
  /// Motion began: the position, and the instant it was reached.
  case started(FollowedPosition, at: HostTime)
  /// Motion ceased, and where it stands.
  case stopped(StopReason, FollowedPosition)
  /// The position went elsewhere while moving; what is played must locate.
  case jumped(FollowedPosition)
  /// Phase and tempo are known well enough to follow.
  case locked
  /// Clocks are overdue; the motion goes on as predicted.
  case freewheeling
  /// No clock came for the freewheel time.
  case lost
  /// Time code changed its direction.
  case turned(TimeDirection)
  /// Time code counts in another format than the one expected, and is not followed.
  case wrongFormat(MTCCode)
  /// The frame rate, told apart from its neighbour 0.1 % off by how fast it runs.
  case recognized(FrameRate)
  /// A Song Position Pointer came while moving, and was ignored.
  case ignored(SongPosition)
  /// The tempo is outside what is followed.
  case tempoOutOfRange
  /// Clocks come in pairs: the master is connected twice, or two masters send to one port.
  case clocksInPairs
}

/// Why the motion of a clock ceased.
public enum StopReason: Hashable, BitwiseCopyable, Sendable {
  /// A command of its owner.
  case command
  /// A Stop message.
  case stopMessage
  /// A Start message while moving: the next clock is position 0.
  case restarted
  /// No clock came for the freewheel time: it waits for a start.
  case sourceLost
  /// No clock came for the freewheel time: the next one goes on.
  case gap
  /// A full frame, which locates and does not move.
  case fullFrame
  /// Time code runs backwards, or too slowly to play along.
  case notPlayable
  /// Time code changed to a format that is not followed.
  case wrongFormat
  /// The tempo left what is followed.
  case tempoOutOfRange
}

/// Which way time code runs.
public enum TimeDirection: Int8, Hashable, BitwiseCopyable, Sendable {
  /// Towards later times.
  case forward = 1
  /// Towards earlier times.
  case reverse = -1
}

/// A position as an external clock counts it.
public enum FollowedPosition: Hashable, BitwiseCopyable, Sendable {
  /// In MIDI clocks from the start of the song.
  case clock(MIDIClock)
  /// In quarter frames of time code.
  case timecode(QuarterFrameCount)
}

/// Whether a follower knows what it follows.
public enum LockState: Hashable, BitwiseCopyable, Sendable {
  /// Nothing is heard.
  case idle
  /// Clocks are heard, but phase and tempo are not known well enough yet.
  case acquiring
  /// Phase and tempo are known.
  case locked
  /// Clocks are overdue; phase and tempo are predicted.
  case freewheeling
}

/// Whether an external transport moves.
public enum FollowedTransport: Hashable, BitwiseCopyable, Sendable {
  /// It stands.
  case stopped
  /// It stands, and the next clock moves it.
  case armed
  /// It moves.
  case running
}

/// The few events that one message or one moment can give, in order.
public struct FollowerEvents: RandomAccessCollection, BitwiseCopyable, Sendable {
  /// How many events there can be.
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
