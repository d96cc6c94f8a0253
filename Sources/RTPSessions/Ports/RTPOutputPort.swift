// SPDX-License-Identifier: Apache-2.0
internal import MIDIMessages
internal import MIDIPorts
internal import MusicalTime
internal import RTPMIDI

/// A port of the program that sends to RTP-MIDI sessions: to invited ones, or to all that join.
///
/// Events are sent 5 ms before they are due, with the time at which they must be played. When the
/// session ends, the other machines release everything that this port has begun.
final class RTPOutputPort: OutputPort {
  private let session: RTPSession
  private let provider: RTPPorts

  init(_ session: RTPSession, of provider: RTPPorts) {
    (self.session, self.provider) = (session, provider)
  }

  deinit { provider.close(session) }

  func connect(to destination: Endpoint) throws {
    try provider.connect(session, to: destination)
  }

  var hasListeners: Bool { session.standings.contains { $0.isJoined } }

  var ordersByTime: Bool { true }

  var takesSysExParts: Bool { true }

  func send(_ events: Span<HostEvent>, payloads: Span<UInt8>) -> Int {
    session.send(events, payloads: payloads)
  }

  func cancel(from time: HostTime) { session.cancel(from: time) }

  func silence() { session.silence() }

  func leaveSounding() {}

  func drain(until limit: HostTime) -> Bool { session.drain(until: limit) }

  var isHoldingBack: Bool { session.isHoldingBack }

  func takeSysExDelay() -> Duration { session.takeSysExDelay() }

  func sysExProgress(at time: HostTime) -> (sent: Int, total: Int) { session.sysExProgress }

  var description: String { "rtp:\(session.name)" }
}
