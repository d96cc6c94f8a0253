// SPDX-License-Identifier: Apache-2.0
public import MIDIMessages
public import MusicalTime

/// A port of ours that sends: to destinations it connects to, or to whoever connects to it.
///
/// It is a sink at host times: events are handed to it ahead, in spans, in any order of their times
/// where it `ordersByTime`, and it sees to it that each leaves at its time; what is due leaves at
/// once. `send` says how many it had room for; room is kept for releases, resets and clocks, so that
/// none is lost in a full queue. `cancel` takes back what has not left yet. `send` is called at
/// least every 250 ms while a long SysEx leaves, without events if need be.
///
/// Its description is how a person names it to others: `129:0`, `rtp:organ`.
///
/// - Note: any thread may call it. Not real-time safe.
public protocol OutputPort: EventSink<HostTime>, Sendable, CustomStringConvertible {
  /// Sends to a destination of the port's kind from now on, also again after it came back.
  ///
  /// - Throws: `EndpointError.vanished` where it went away.
  func connect(to destination: Endpoint) throws

  /// Whether anybody receives what it sends.
  ///
  /// - Throws: where what has the ports is gone.
  var hasListeners: Bool { get throws }

  /// Forgets everything that is still to come, and releases what sounds, at once: every key struck,
  /// and on each channel that was used pedals, bend, all notes and all sound.
  func silence()

  /// Lets what sounds ring on: from here on nothing releases it when this process ends.
  func leaveSounding()

  /// Waits until everything sent has left, or until an instant.
  ///
  /// - Returns: whether all of it has left.
  /// - Throws: where what has the ports is gone.
  func drain(until limit: HostTime) throws -> Bool

  /// How far the SysEx messages that are under way have come, in bytes, F0 and F7 included.
  ///
  /// Nothing is under way where both are zero.
  func sysExProgress(at time: HostTime) -> (sent: Int, total: Int)

  /// The longest time that an event left late because it waited behind a long SysEx, since the last
  /// call; zero if none did.
  func takeSysExDelay() -> Duration

  /// Events that the port took and could not send, such as a SysEx longer than its limit.
  var lostEventCount: Int { get }
}

extension OutputPort {
  /// The port as a sink: what the compiler does not see in `any OutputPort` by itself.
  public var sink: any EventSink<HostTime> { self }

  /// Zero: nothing waits behind a SysEx.
  public func takeSysExDelay() -> Duration { .zero }

  /// None.
  public var lostEventCount: Int { 0 }

  /// Takes a buffer's events from one on that are due before an instant, and says how many.
  ///
  /// - Throws: where what has the ports is gone.
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
