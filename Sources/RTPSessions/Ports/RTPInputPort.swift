// SPDX-License-Identifier: Apache-2.0
internal import MIDIMessages
internal import MIDIPorts

/// A port of the program that receives from RTP-MIDI sessions: from invited ones, or from all that
/// join.
///
/// The time of an event is its time on the sender's clock, plus the session's delay.
final class RTPInputPort: InputPort {
  private let session: RTPSession
  private let provider: RTPPorts

  init(_ session: RTPSession, of provider: RTPPorts) {
    (self.session, self.provider) = (session, provider)
  }

  deinit { provider.close(session) }

  func connect(to source: Endpoint) throws { try provider.connect(session, to: source) }

  var descriptors: [Int32] { [session.descriptor] }

  func drain(into buffer: inout HostEventBuffer) { session.drain(into: &buffer) }

  var overflows: Int { session.overflows }

  func senderName(_ track: UInt16) -> String { provider.senderName(track) }

  var description: String { "rtp:\(session.name)" }
}
