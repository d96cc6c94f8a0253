// SPDX-License-Identifier: Apache-2.0
public import MIDIMessages
public import MusicalTime

/// A port as a destination of a router, which converts reference times of events to host times.
///
/// - Note: Owned by the event thread.
public final class PortSink: EventSink {
  private let port: any EventSink<HostTime>
  private let reference: ReferenceClock
  private let master: ExternalClock?
  private var heard: ContiguousArray<HostEvent> = []

  /// Creates a destination for a port and events in the time of a reference clock.
  ///
  /// - Parameters:
  ///   - port: The port.
  ///   - reference: The relation of the events' time to host time.
  ///   - master: The master for whose start an output may wait; nil (the default) for none.
  public init(
    _ port: any EventSink<HostTime>, _ reference: ReferenceClock,
    behind master: ExternalClock? = nil
  ) {
    (self.port, self.reference, self.master) = (port, reference, master)
    heard.reserveCapacity(1024)
  }

  /// True if the port accepts events in any order of their times.
  public var ordersByTime: Bool { port.ordersByTime }

  /// True if the port accepts parts of SysEx messages.
  public var takesSysExParts: Bool { port.takesSysExParts }

  /// True if events wait in the port for a long SysEx message.
  public var isHoldingBack: Bool { port.isHoldingBack }

  /// Sends events at the times at which they are audible; events whose time is not known yet are
  /// kept.
  public func send(_ events: Span<TimedEvent>, payloads: Span<UInt8>) throws -> Int {
    heard.removeAll(keepingCapacity: true)
    for index in events.indices {
      // The host time of events after the pause is not known before the output continues.
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

  /// Cancels the events of the port that are audible at or after an instant.
  public func cancel(from time: ReferenceTime) {
    port.cancel(from: reference.hostTime(of: time))
  }

  /// Cancels the events of the port that are audible at or after an instant, and returns the
  /// instant from which they were cancelled.
  public func takeBack(from time: ReferenceTime) -> ReferenceTime {
    let wanted = reference.hostTime(of: time)
    let forgotten = port.takeBack(from: wanted)
    return forgotten > wanted ? reference.time(at: forgotten) : time
  }
}
