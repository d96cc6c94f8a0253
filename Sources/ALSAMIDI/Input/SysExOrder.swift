// SPDX-License-Identifier: Apache-2.0
internal import MIDIMessages
internal import MusicalTime

/// Puts the events of several senders in an order in which no SysEx is torn, while its pieces pass
/// one by one.
///
/// A piece is a SysEx event whose payload has the wire's bytes: the first begins with F0, the last
/// ends with F7. While one sender's SysEx is under way, what others send waits, but for real-time
/// messages. A SysEx is cut short by F7 where its sender begins something else, where nothing has
/// come of it for a second, or where more waits than `limit`; the rest of it is left out.
struct SysExOrder {
  /// The most events, and the most bytes of SysEx, that wait.
  static let limit = (events: 4096, bytes: 1 << 18)
  /// How long a SysEx may be silent, in nanoseconds: 1 s.
  static let patience: Int64 = 1_000_000_000

  /// Whose SysEx is under way, and when its last piece came.
  private var open: (sender: UInt16, time: HostTime)?
  private var waiting = HostEventBuffer(capacity: 0, payloadCapacity: 0)

  /// Whether anything waits for the end of a SysEx.
  var isIdle: Bool { waiting.isEmpty }

  /// Takes an event, and appends what may pass now.
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

  /// Cuts a SysEx short of which nothing has come for too long.
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
      // The rest of one that was cut short.
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
