// SPDX-License-Identifier: Apache-2.0
public import MIDIMessages
public import MusicSequences
public import MusicalTime

/// Plays a sequence: a source of its events, in step with whatever timeline it is given.
///
/// It remembers the tick it owes next, never a host time; what drives it, an internal clock or
/// one that follows another machine, it does not know.
///
/// - Note: owned by the event thread, or by whoever drives the scheduler offline.
public final class MusicPlayer: EventSource {
  private var cursor: SequenceCursor

  /// Creates a player at the start of a sequence.
  public init(_ sequence: MusicSequence) {
    cursor = SequenceCursor(sequence)
  }

  /// Whether every event has been emitted.
  public var isFinished: Bool { cursor.nextTick == nil }

  /// Appends the events of the window, in the order in which they are to be sent.
  public func emit(
    _ window: HostWindow, along timeline: Timeline<Tick>, into buffer: inout EventBuffer
  ) {
    let limit = Tick(timeline.firstCount(atOrAfter: window.upperBound))
    while let event = cursor.next(before: limit) {
      let due = timeline.hostTimeRoundedUp(atCount: event.tick.value)
      append(event, time: max(due, window.lowerBound), to: &buffer)
    }
  }

  /// Moves to a tick; note-offs that are still owed are forgotten.
  public func locate(to tick: Tick) {
    cursor.seek(to: tick)
  }

  private func append(_ event: CursorEvent, time: HostTime, to buffer: inout EventBuffer) {
    let track = UInt16(clamping: event.track)
    switch event.kind {
    case .message(let message):
      buffer.append(TimedEvent(time: time, payload: .message(message), track: track))
    case .sysEx(let place):
      let source = cursor.sequence.tracks[Int(event.track)]
      let end = Int(place.offset) + Int(place.count)
      let bytes = source.payloadBytes.extracting(Int(place.offset)..<end)
      buffer.append(sysEx: bytes, time: time, track: track, generation: 0)
    case .meta, .user:
      let index = UInt32(clamping: event.index)
      buffer.append(TimedEvent(time: time, payload: .fact(index: index), track: track))
    case .packet, .parameter:
      // A synthesiser has no use for parts of a divided SysEx; units with parameters come later.
      break
    }
  }
}
