// SPDX-License-Identifier: Apache-2.0
public import MIDIMessages

/// A port of ours that receives: from sources it connects to, or from whoever connects to it.
///
/// Each event carries the host time at which it came or, where the wire tells, at which it is meant;
/// in `track` it has its sender's address (`EndpointAddress(track:)`). A SysEx comes whole. Where
/// events are lost, the next drain brings the releases of everything that was held, so that nothing
/// hangs on what was lost.
///
/// Its description is how a person names it to others: `129:0`, `rtp:organ`.
///
/// - Note: one thread drains, any may call the rest. Not real-time safe.
public protocol InputPort: EventInput, Sendable, CustomStringConvertible {
  /// Receives from a source of the port's kind from now on, also again after it came back.
  ///
  /// - Throws: `EndpointError.vanished` where it went away.
  func connect(to source: Endpoint) throws

  /// How often events were lost because nobody drained them in time.
  var overflows: Int { get }

  /// What a person calls the sender of an event with this `track`: `20:0`, `rtp:studio`.
  func senderName(_ track: UInt16) -> String
}
