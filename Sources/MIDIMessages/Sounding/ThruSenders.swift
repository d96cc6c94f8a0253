// SPDX-License-Identifier: Apache-2.0
internal import MusicalTime

/// A way from input to output for several senders, each with a memory of its own of what it holds.
public struct ThruSenders: Sendable {
  private let map: ThruMap
  private let controls: ControlMap
  private var senders: [UInt16: (controls: ControlMap, map: ThruMap)] = [:]

  /// Creates a way on which nothing is held.
  ///
  /// - Parameters:
  ///   - map: what passes, and how it changes.
  ///   - controls: what becomes of controllers and parameters first.
  public init(_ map: ThruMap = ThruMap(), controls: ControlMap = ControlMap()) {
    (self.map, self.controls) = (map, controls)
  }

  /// Whether everything passes unchanged.
  public var isIdentity: Bool { map.isIdentity && controls.changes.isEmpty }

  /// Appends what becomes of an event of the sender that its `track` tells.
  public mutating func apply(
    _ event: HostEvent, payloads: Span<UInt8>, into changed: inout HostEventBuffer
  ) {
    var sender = senders[event.track] ?? (controls, map)
    defer { senders[event.track] = sender }
    guard case .message(let message) = event.payload else {
      return sender.map.apply(event, payloads: payloads, into: &changed)
    }
    var messages: [Message] = []
    sender.controls.apply(message) { messages.append($0) }
    for message in messages.compactMap({ sender.map.apply($0) }) {
      changed.append(HostEvent(time: event.time, payload: .message(message), track: event.track))
    }
  }

  /// Forgets what is held.
  public mutating func forget() {
    senders = [:]
  }
}
