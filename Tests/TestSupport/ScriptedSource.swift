// SPDX-License-Identifier: Apache-2.0
public import MIDIMessages
public import MusicalTime

/// A source that emits one active-sensing message at every multiple of a number of ticks.
public final class ScriptedSource: EventSource {
  private let spacing: Int64
  private var owed: Int64 = 0

  /// Creates a source that emits a message every `spacing` ticks from tick 0.
  public init(spacing: Int64) {
    self.spacing = spacing
  }

  /// Always false, because it is endless.
  public var isFinished: Bool { false }

  /// Appends the messages of the window.
  public func emit(
    _ window: ReferenceWindow, along timeline: Timeline<Tick, ReferenceTime>,
    into buffer: inout EventBuffer
  ) {
    let end = timeline.firstCount(atOrAfter: window.upperBound)
    while owed < end {
      let time = max(timeline.timeRoundedUp(atCount: owed), window.lowerBound)
      let message = TimedEvent.Payload.message(Message(status: 0xFE))
      buffer.append(TimedEvent(time: time, payload: message, index: UInt32(owed / spacing)))
      owed += spacing
    }
  }

  /// Moves to the first multiple at or after a tick.
  public func locate(
    to position: TransportPosition, by move: TransportMove, into buffer: inout EventBuffer
  ) {
    if move != .stop { rewind(to: position) }
  }

  /// Emits cancelled messages again.
  public func rewind(to position: TransportPosition) {
    owed = (position.tick.value + spacing - 1) / spacing * spacing
  }
}
