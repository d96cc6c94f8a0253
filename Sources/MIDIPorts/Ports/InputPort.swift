// SPDX-License-Identifier: Apache-2.0
public import MIDIMessages

/// A port of the program that receives from connected sources.
///
/// Each event has the host time at which it arrived or, if the protocol transmits times, the time
/// at which it is due. Its `track` is the sender's address (`EndpointAddress(track:)`). A SysEx is
/// received as a whole. If events are lost, the next `drain` appends releases of all notes and
/// pedals that were held, so that no note hangs.
///
/// The description is the name by which other programs see the port, such as `129:0` or
/// `rtp:organ`.
///
/// - Note: `drain` is called by one thread, the other functions by any. Not real-time safe.
public protocol InputPort: EventInput, Sendable, CustomStringConvertible {
  /// Connects to a source of the port's kind.
  ///
  /// Call it again after the source has returned.
  ///
  /// - Throws: `EndpointError.vanished` if the source disappeared.
  func connect(to source: Endpoint) throws

  /// The number of times that events were lost because they were not drained in time.
  var overflows: Int { get }

  /// The name of the sender of events with this `track`: `20:0`, `rtp:studio`.
  func senderName(_ track: UInt16) -> String
}
