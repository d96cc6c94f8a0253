// SPDX-License-Identifier: Apache-2.0
internal import MIDIMessages
internal import MusicalTime
internal import RTPMIDI
internal import Realtime
internal import Synchronization

/// What has come for a session and was not drained yet.
final class SessionInbox: Sendable {
  /// The most events kept for one that nobody drains.
  static let limit = 1 << 16
  /// The most octets of SysEx kept without a reader: 4 MiB.
  static let payloadLimit = 1 << 22

  fileprivate struct State {
    var buffer = HostEventBuffer()
    var overflows = 0
    var ledger = NoteLedger()
  }

  private let news: DeadlineWait
  private let state = Mutex(State())

  init() throws(RealtimeError) { news = try DeadlineWait() }

  /// What becomes readable when there is something to drain.
  var descriptor: Int32 { news.descriptor }

  /// How often something was lost.
  var overflows: Int { state.withLock { $0.overflows } }

  /// Takes events, each with its sender's track.
  func take(_ events: [(event: SessionEvent, track: UInt16)]) {
    guard !events.isEmpty else { return }
    state.withLock { state in
      for (event, track) in events { state.take(event, track) }
    }
    news.wake()
  }

  /// Appends everything that came since the last call.
  func drain(into target: inout HostEventBuffer) {
    // A deadline that is past: this only takes note of the news.
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

  /// Whoever listens cannot know what was lost: all that was held is released, once.
  private mutating func resynchronize(at time: HostTime) {
    overflows += 1
    for message in ledger.takeReleases(cuttingSound: false) {
      buffer.append(HostEvent(time: time, payload: .message(message)))
    }
  }
}
