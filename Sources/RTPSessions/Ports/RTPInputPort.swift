// SPDX-License-Identifier: Apache-2.0
internal import MIDIMessages
internal import MIDIPorts

/// A port of ours that receives from sessions on the network: from those it invites, or from all
/// that come.
///
/// Each event has the time at which it is meant, by its sender's clock, and the delay of all.
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
