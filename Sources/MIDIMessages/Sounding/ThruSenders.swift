// SPDX-License-Identifier: Apache-2.0
internal import MusicalTime

/// A filter and transform for events of several senders; the held notes of each sender are stored
/// separately.
public struct ThruSenders: Sendable {
  private let map: ThruMap
  private let controls: ControlMap
  private var senders: [UInt16: (controls: ControlMap, map: ThruMap)] = [:]

  /// Creates a filter and transform without held notes.
  ///
  /// - Parameters:
  ///   - map: The filter and transform.
  ///   - controls: The changes of controllers and parameters, which are applied first.
  public init(_ map: ThruMap = ThruMap(), controls: ControlMap = ControlMap()) {
    (self.map, self.controls) = (map, controls)
  }

  /// True if all events pass unchanged.
  public var isIdentity: Bool { map.isIdentity && controls.changes.isEmpty }

  /// Filters and changes an event, and appends the results to a list.
  ///
  /// The `track` of the event identifies the sender.
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

  /// Discards the state of held notes, without sending releases.
  public mutating func forget() {
    senders = [:]
  }
}
