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
  private let master: ExternalClock?
  private var heard: ContiguousArray<HostEvent> = []

  /// Creates a destination of a port, for events in the time of a reference clock.
  ///
  /// - Parameters:
  ///   - port: the port.
  ///   - reference: where the time of events lies on the host's clock.
  ///   - master: what is followed, whose start an output may wait for; nil for nothing.
  public init(
    _ port: any EventSink<HostTime>, _ reference: ReferenceClock,
    behind master: ExternalClock? = nil
  ) {
    (self.port, self.reference, self.master) = (port, reference, master)
    heard.reserveCapacity(1024)
  }

  /// As the port does.
  public var ordersByTime: Bool { port.ordersByTime }

  /// As the port does.
  public var takesSysExParts: Bool { port.takesSysExParts }

  /// As the port does.
  public var isHoldingBack: Bool { port.isHoldingBack }

  /// Sends events at the times at which they are heard; those of which that is not known yet stay.
  public func send(_ events: Span<TimedEvent>, payloads: Span<UInt8>) throws -> Int {
    heard.removeAll(keepingCapacity: true)
    for index in events.indices {
      // What waits with the output has no time on the host's clock before that goes on.
      if let hold = master?.master.hold, events[index].time >= hold.start { break }
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

  /// Has the port forget what is heard at or after an instant, and says from when on it has.
  public func takeBack(from time: ReferenceTime) -> ReferenceTime {
    let wanted = reference.hostTime(of: time)
    let forgotten = port.takeBack(from: wanted)
    return forgotten > wanted ? reference.time(at: forgotten) : time
  }
}
