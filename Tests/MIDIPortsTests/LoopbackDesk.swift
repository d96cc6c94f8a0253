// SPDX-License-Identifier: Apache-2.0
import MIDIMessages
import MIDIPorts
import MusicalTime
import Synchronization

/// Ports in memory with a manual clock, and the events that their devices received.
final class LoopbackDesk: Sendable {
  private final class Hand: Sendable {
    let now = Mutex(HostTime(nanoseconds: 1_000_000_000))
  }

  let ports: LoopbackPorts
  private let hand: Hand

  init(_ devices: [String], kind: PortKind = .loopback) {
    let hand = Hand()
    self.hand = hand
    ports = LoopbackPorts(kind) { hand.now.withLock(\.self) }
    for device in devices { ports.plugIn(device) }
  }

  var now: HostTime { hand.now.withLock(\.self) }

  func wait(_ nanoseconds: Int64) {
    hand.now.withLock { $0 = $0.advanced(byNanoseconds: nanoseconds) }
  }

  /// The events that a device has received since the last call.
  func heard(_ device: String) -> [HostEvent] {
    var buffer = HostEventBuffer()
    ports.drain(device, into: &buffer)
    return Array(buffer.events)
  }

  func endpoint(_ name: String, _ direction: Endpoint.Direction) throws -> Endpoint {
    try ports.peers().find(name, direction)
  }
}

extension HostEventBuffer {
  init(_ messages: [(Message, at: HostTime)]) {
    self.init()
    for (message, time) in messages {
      append(HostEvent(time: time, payload: .message(message)))
    }
  }
}

extension [HostEvent] {
  var messages: [Message] {
    compactMap { if case .message(let message) = $0.payload { message } else { nil } }
  }

  /// True if the events release everything that they begin.
  var isReleased: Bool {
    var ledger = NoteLedger()
    for message in messages { ledger.record(message) }
    return ledger.isSilent
  }
}
