// SPDX-License-Identifier: Apache-2.0
public import MIDIMessages
public import MusicalTime

/// A port as a router's destination: it is given reference times, and tells the port the host times
/// at which they are heard.
///
/// - Note: owned by the event thread.
public final class PortSink: EventSink {
  private let port: any EventSink<HostTime>
  private let reference: ReferenceClock
  private var heard: ContiguousArray<HostEvent> = []

  /// Creates a destination of a port, for events in the time of a reference clock.
  public init(_ port: any EventSink<HostTime>, _ reference: ReferenceClock) {
    self.port = port
    self.reference = reference
    heard.reserveCapacity(1024)
  }

  /// As the port does.
  public var ordersByTime: Bool { port.ordersByTime }

  /// Sends events at the times at which they are heard.
  public func send(_ events: Span<TimedEvent>, payloads: Span<UInt8>) throws -> Int {
    heard.removeAll(keepingCapacity: true)
    for index in events.indices {
      heard.append(events[index].moved(to: reference.hostTime(of: events[index].time)))
    }
    return try Self.send(heard, payloads: payloads, to: port)
  }

  private static func send(
    _ events: borrowing ContiguousArray<HostEvent>, payloads: Span<UInt8>,
    to port: any EventSink<HostTime>
  ) throws -> Int {
    try port.send(events.span, payloads: payloads)
  }

  /// Has the port forget what is heard at or after an instant.
  public func cancel(from time: ReferenceTime) {
    port.cancel(from: reference.hostTime(of: time))
  }
}
