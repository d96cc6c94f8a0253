// SPDX-License-Identifier: Apache-2.0
package import CCoreAudio
package import MIDIMessages
package import MusicalTime
internal import Realtime
internal import Synchronization

/// A sink with which a player or clock of this package sends to an endpoint, at host times.
///
/// The endpoint is a destination, or a source of this process. Cancelled events are not sent. If
/// the endpoint does not exist any more, events are discarded.
package final class EndpointSink: EventSink, Sendable {
  /// The endpoint.
  package let endpoint: MIDIEndpointRef

  private let state = Mutex(State())

  private struct State: Sendable {
    var encoder = MessageEncoder()
    var port: OutputPortObject?
  }

  /// Creates a sink for an endpoint; each `send` checks that the endpoint exists.
  package init(to endpoint: MIDIEndpointRef) {
    self.endpoint = endpoint
  }

  /// True if the endpoint exists.
  package static func isThere(_ endpoint: MIDIEndpointRef) -> Bool {
    EndpointObject.find(endpoint) != nil
  }

  /// True: the kernel's queue and the delivery thread deliver each event at its time.
  package var ordersByTime: Bool { true }

  /// Sends events; all of them are accepted.
  package func send(_ events: Span<HostEvent>, payloads: Span<UInt8>) -> Int {
    guard let target = EndpointObject.find(endpoint) else { return events.count }
    var packets: [TimedBytes] = []
    state.withLock { state in
      for index in events.indices {
        let event = events[index]
        var bytes: [UInt8] = []
        switch event.payload {
        case .message(let message): state.encoder.encode(message, into: &bytes)
        case .sysEx(let place):
          let range = Int(place.offset)..<Int(place.offset) + Int(place.count)
          state.encoder.encode(sysEx: payloads.extracting(range), into: &bytes)
        case .parameter, .fact, .sysExPart: continue
        }
        let time = UInt64(clamping: max(1, event.time.nanoseconds))
        packets.append(TimedBytes(time: time, bytes: bytes))
      }
    }
    guard !packets.isEmpty else { return events.count }
    send(packets, to: target)
    return events.count
  }

  private func send(_ packets: [TimedBytes], to target: EndpointObject) {
    let sender = ObjectIdentifier(self)
    if let reader = target.reader {
      DeliveryThread.shared?.add(target.deliveries(of: packets, to: reader, by: sender))
    } else if target.isSource {
      // Ports receive each packet when it is due, because received packets cannot be cancelled.
      let deliveries = packets.map { packet in
        DeliveryQueue.Delivery(
          time: Int64(clamping: packet.time), target: endpoint, sender: sender,
          deed: .step { target.distribute([packet]) })
      }
      DeliveryThread.shared?.add(deliveries)
    } else {
      _ = port().send(packets, to: target)
    }
  }

  private func port() -> OutputPortObject {
    state.withLock { state in
      if let port = state.port { return port }
      let port = OutputPortObject(.internalClient, name: "out")
      state.port = port
      return port
    }
  }

  /// Cancels the events that are due at or after a time.
  package func cancel(from time: HostTime) {
    DeliveryThread.shared?.cancel(from: time.nanoseconds, by: ObjectIdentifier(self))
    let port = state.withLock(\.port)
    for link in port?.links(to: nil) ?? [] { link.cancel(from: time) }
  }
}

extension ClientObject {
  /// The client with which players and clocks send.
  fileprivate static let internalClient = ClientObject(
    name: "downbeat", alsa: MIDISetup.shared.openClient(name: "downbeat"), listener: nil)
}
