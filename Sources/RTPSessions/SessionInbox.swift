// SPDX-License-Identifier: Apache-2.0
internal import MIDIMessages
internal import MusicalTime
internal import RTPMIDI
internal import Realtime
internal import Synchronization

/// The received events of a session that have not been drained.
final class SessionInbox: Sendable {
  /// The most events that are stored.
  static let limit = 1 << 16
  /// The most bytes of SysEx that are stored: 4 MiB.
  static let payloadLimit = 1 << 22

  fileprivate struct State {
    var buffer = HostEventBuffer()
    var overflows = 0
    var ledger = NoteLedger()
  }

  private let news: DeadlineWait
  private let state = Mutex(State())

  init() throws(RealtimeError) { news = try DeadlineWait() }

  /// The file descriptor that becomes readable when events are available.
  var descriptor: Int32 { news.descriptor }

  /// The number of losses.
  var overflows: Int { state.withLock { $0.overflows } }

  /// Adds events, each with its sender's `track`.
  func take(_ events: [(event: SessionEvent, track: UInt16)]) {
    guard !events.isEmpty else { return }
    state.withLock { state in
      for (event, track) in events { state.take(event, track) }
    }
    news.wake()
  }

  /// Appends all events received since the last call.
  func drain(into target: inout HostEventBuffer) {
    // A deadline in the past, so this only clears the notification.
    _ = news.wait(until: 0)
    state.withLock { state in
      if target.isEmpty { return swap(&target, &state.buffer) }
      for event in state.buffer.events {
        target.append(event, payloads: state.buffer.payloads.span)
      }
      state.buffer.removeAll()
    }
  }
}

extension SessionInbox.State {
  fileprivate mutating func take(_ event: SessionEvent, _ track: UInt16) {
    guard buffer.events.count < SessionInbox.limit, hasRoom(for: event.content) else {
      return resynchronize(at: event.time)
    }
    switch event.content {
    case .message(let message):
      ledger.record(message)
      buffer.append(HostEvent(time: event.time, payload: .message(message), track: track))
    case .sysEx(let octets): buffer.append(sysEx: octets.span, time: event.time, track: track)
    }
  }

  private func hasRoom(for content: SessionEvent.Content) -> Bool {
    guard case .sysEx(let octets) = content else { return true }
    return octets.count + buffer.payloads.count <= SessionInbox.payloadLimit
  }

  /// The receiver cannot know what was lost, so everything that was held is released.
  private mutating func resynchronize(at time: HostTime) {
    overflows += 1
    for message in ledger.takeReleases(cuttingSound: false) {
      buffer.append(HostEvent(time: time, payload: .message(message)))
    }
  }
}
