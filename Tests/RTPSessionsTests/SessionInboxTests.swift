// SPDX-License-Identifier: Apache-2.0
import MIDIMessages
import MusicalTime
import Testing

@testable import RTPMIDI
@testable import RTPSessions

@Suite struct SessionInboxTests {
  private func sysEx(_ count: Int) -> SessionEvent {
    SessionEvent(time: .zero, partner: 1, content: .sysEx([UInt8](repeating: 1, count: count)))
  }

  @Test func `waiting SysEx is bounded in octets, and each loss is counted`() throws {
    let inbox = try SessionInbox()
    for _ in 0..<20 { inbox.take([(sysEx(1 << 20), 1)]) }
    #expect(inbox.overflows > 0)
    var buffer = HostEventBuffer()
    inbox.drain(into: &buffer)
    #expect((1...SessionInbox.payloadLimit).contains(buffer.payloads.count))
    // After that there is room again.
    inbox.take([(sysEx(10), 1)])
    buffer = HostEventBuffer()
    inbox.drain(into: &buffer)
    #expect(buffer.events.count == 1)
  }
}
