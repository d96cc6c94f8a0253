// SPDX-License-Identifier: Apache-2.0
internal import MIDIMessages
internal import MusicalTime

/// Orders the events of several senders so that no SysEx is interrupted, while its pieces pass one
/// by one.
///
/// A piece is a SysEx event whose payload has the transmitted bytes: the first piece begins with
/// F0, the last ends with F7. During a SysEx the events of other senders wait, except real-time
/// messages. A SysEx is ended early with F7 if its sender starts another message, if no piece has
/// arrived for a second, or if more than `limit` waits; the rest of it is dropped.
struct SysExOrder {
  /// The maximum number of waiting events, and of waiting SysEx bytes.
  static let limit = (events: 4096, bytes: 1 << 18)
  /// The maximum pause within a SysEx, in nanoseconds: 1 s.
  static let patience: Int64 = 1_000_000_000

  /// The sender of the unfinished SysEx, and the arrival of its last piece.
  private var open: (sender: UInt16, time: HostTime)?
  private var waiting = HostEventBuffer(capacity: 0, payloadCapacity: 0)

  /// True if no events wait for the end of a SysEx.
  var isIdle: Bool { waiting.isEmpty }

  /// Takes an event, and appends all events that may pass now.
  mutating func take(_ event: HostEvent, payloads: Span<UInt8>, into sent: inout HostEventBuffer) {
    if let open, open.sender != event.track, !event.isRealTime {
      waiting.append(event, payloads: payloads)
      let isFull =
        waiting.events.count > Self.limit.events || waiting.payloads.count > Self.limit.bytes
      if isFull { cut(at: event.time, into: &sent) }
    } else {
      pass(event, payloads, into: &sent)
      if open == nil { passWaiting(into: &sent) }
    }
  }

  /// Ends a SysEx if no piece has arrived for too long.
  mutating func settle(at time: HostTime, into sent: inout HostEventBuffer) {
    guard let open, time > open.time.advanced(saturating: Self.patience) else { return }
    cut(at: time, into: &sent)
  }

  private mutating func cut(at time: HostTime, into sent: inout HostEventBuffer) {
    end(at: time, into: &sent)
    passWaiting(into: &sent)
  }

  private mutating func end(at time: HostTime, into sent: inout HostEventBuffer) {
    guard let open else { return }
    self.open = nil
    sent.append(sysEx: [0xF7].span, time: time, track: open.sender)
  }

  private mutating func passWaiting(into sent: inout HostEventBuffer) {
    guard !waiting.isEmpty else { return }
    let list = waiting
    waiting.removeAll()
    for event in list.events { take(event, payloads: list.payloads.span, into: &sent) }
  }

  private mutating func pass(
    _ event: HostEvent, _ payloads: Span<UInt8>, into sent: inout HostEventBuffer
  ) {
    guard case .sysEx(let place) = event.payload else {
      if !event.isRealTime { end(at: event.time, into: &sent) }
      return sent.append(event)
    }
    guard place.count > 0 else { return }
    let first = payloads[Int(place.offset)]
    let last = payloads[Int(place.offset) + Int(place.count) - 1]
    if first == 0xF0 {
      end(at: event.time, into: &sent)
    } else if open == nil {
      // The rest of a SysEx that was ended early.
      return
    }
    sent.append(event, payloads: payloads)
    open = last == 0xF7 ? nil : (event.track, event.time)
  }
}

extension HostEvent {
  fileprivate var isRealTime: Bool {
    if case .message(let message) = payload { message.status >= 0xF8 } else { false }
  }
}
