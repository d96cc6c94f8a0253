// SPDX-License-Identifier: Apache-2.0
public import MIDIMessages
public import MusicalTime

/// A port of the program that sends to connected destinations.
///
/// The port accepts events ahead of their host times, and sends each at its time; late events are
/// sent immediately. If `ordersByTime` is true, the events of a call can be in any order. `send`
/// returns the number of accepted events. Room is reserved for releases, resets and clocks, so that
/// they are not lost if the queue is full. `cancel` cancels events that have not been sent yet.
/// While a long SysEx is sent, `send` must be called at least every 250 ms, if necessary without
/// events.
///
/// The description is the name by which other programs see the port, such as `129:0` or
/// `rtp:organ`.
///
/// - Note: Can be called from any thread. Not real-time safe.
public protocol OutputPort: EventSink<HostTime>, Sendable, CustomStringConvertible {
  /// Connects to a destination of the port's kind.
  ///
  /// Call it again after the destination has returned.
  ///
  /// - Throws: `EndpointError.vanished` if the destination disappeared.
  func connect(to destination: Endpoint) throws

  /// True if the port is connected to a receiver.
  ///
  /// - Throws: An error if the system that provides the port has ended.
  var hasListeners: Bool { get throws }

  /// Cancels all pending events and silences everything at once.
  ///
  /// It releases every pressed key. On each channel that was used it also releases pedals, centres
  /// the bend, and sends all notes off and all sound off.
  func silence()

  /// Lets sounding notes continue: they are not released when this process ends.
  func leaveSounding()

  /// Waits until all events have been sent, or until an instant.
  ///
  /// - Returns: True if all events have been sent.
  /// - Throws: An error if the system that provides the port has ended.
  func drain(until limit: HostTime) throws -> Bool

  /// The progress of SysEx messages that are being sent, in bytes including F0 and F7.
  ///
  /// Both numbers are 0 if no message is being sent.
  func sysExProgress(at time: HostTime) -> (sent: Int, total: Int)

  /// The longest delay of an event behind a long SysEx since the last call; zero without delays.
  func takeSysExDelay() -> Duration

  /// The number of accepted events that could not be sent, such as a SysEx longer than the port's
  /// limit.
  var lostEventCount: Int { get }
}

extension OutputPort {
  /// The port as a sink.
  ///
  /// Use it because the compiler cannot convert `any OutputPort` implicitly.
  public var sink: any EventSink<HostTime> { self }

  /// Returns zero: events are not delayed by SysEx messages.
  public func takeSysExDelay() -> Duration { .zero }

  /// Always zero: events that were accepted are not lost.
  public var lostEventCount: Int { 0 }

  /// Sends those events of a list, from an index on, that are due before an instant.
  ///
  /// - Returns: The number of accepted events.
  /// - Throws: An error if the system that provides the port has ended.
  /// - Complexity: O(n) in the number of events.
  public func send(
    _ buffer: borrowing HostEventBuffer, from start: Int = 0,
    before limit: HostTime = HostTime(nanoseconds: .max)
  ) throws -> Int {
    var end = start
    while end < buffer.events.count, buffer.events[end].time < limit { end += 1 }
    return try send(buffer.events.span.extracting(start..<end), payloads: buffer.payloads.span)
  }
}
