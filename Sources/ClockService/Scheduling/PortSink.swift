// SPDX-License-Identifier: Apache-2.0
public import MIDIMessages
public import MusicalTime

/// A destination that sends a router's events to a port, and converts their reference times to host
/// times.
///
/// - Note: Owned by the event thread.
public final class PortSink: EventSink {
  private let port: any EventSink<HostTime>
  private let reference: ReferenceClock
  private let master: ExternalClock?
  private var heard: ContiguousArray<HostEvent> = []

  /// Creates a destination for a port.
  ///
  /// - Parameters:
  ///   - port: The port.
  ///   - reference: The relation of the events' reference time to host time.
  ///   - master: The master whose start the output may wait for; nil (the default) for none.
  public init(
    _ port: any EventSink<HostTime>, _ reference: ReferenceClock,
    behind master: ExternalClock? = nil
  ) {
    (self.port, self.reference, self.master) = (port, reference, master)
    heard.reserveCapacity(1024)
  }

  /// True if events may be sent to the port in any order of their times.
  public var ordersByTime: Bool { port.ordersByTime }

  /// True if the port accepts parts of SysEx messages.
  public var takesSysExParts: Bool { port.takesSysExParts }

  /// True if events are held back until a long SysEx message has been sent.
  public var isHoldingBack: Bool { port.isHoldingBack }

  /// Sends events to the port, each for the time at which it is audible.
  ///
  /// Events whose audible time is not known yet are kept until it is.
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

  /// Cancels the events of the port that are audible at or after an instant.
  ///
  /// - Returns: The instant from which events were in fact cancelled.
  public func takeBack(from time: ReferenceTime) -> ReferenceTime {
    let wanted = reference.hostTime(of: time)
    let forgotten = port.takeBack(from: wanted)
    return forgotten > wanted ? reference.time(at: forgotten) : time
  }
}
