// SPDX-License-Identifier: Apache-2.0
import CALSA
import MIDIMessages
import Testing

@testable import ALSAMIDI

@Suite struct EventConversionTests {
  @Test func `every message survives the conversion to an event and back`() throws {
    for status in UInt8(0x80)...0xFF where ![0xF0, 0xF4, 0xF5, 0xF7, 0xF9, 0xFD].contains(status) {
      for (data1, data2) in [(0, 0), (1, 127), (64, 64), (127, 1), (127, 127)] as [(UInt8, UInt8)] {
        let length = Message(status: status).length
        let message = Message(
          status: status, data1: length > 1 ? data1 : 0, data2: length > 2 ? data2 : 0)
        let event = unsafe try #require(EventConversion.event(for: message))
        var back: [Message] = []
        unsafe EventConversion.forEachMessage(of: event) { back.append($0) }
        #expect(back == [message])
      }
    }
  }

  @Test(arguments: [0xF0, 0xF4, 0xF5, 0xF7, 0xF9, 0xFD] as [UInt8])
  func `a status without an event is not converted`(status: UInt8) {
    #expect(unsafe EventConversion.event(for: Message(status: status)) == nil)
  }

  @Test func `controllers have 7 bits and the bend is signed`() throws {
    let control = unsafe try #require(
      EventConversion.event(for: .control(Channel(index: 3), .volume, value: 100)))
    #expect(unsafe UInt32(control.type) == SND_SEQ_EVENT_CONTROLLER.rawValue)
    #expect(unsafe control.data.control.param == 7)
    #expect(unsafe control.data.control.value == 100)
    #expect(unsafe control.data.control.channel == 3)
    let bend = unsafe try #require(EventConversion.event(for: .bend(Channel(index: 0), 0)))
    #expect(unsafe bend.data.control.value == -8192)
  }

  @Test func `14-bit controllers and parameters are split`() {
    var event = unsafe snd_seq_event_t()
    unsafe event.data.control = snd_seq_ev_ctrl_t(
      channel: 1, unused: (0, 0, 0), param: 7, value: 0x81)
    unsafe event.type = UInt8(SND_SEQ_EVENT_CONTROL14.rawValue)
    #expect(unsafe bytes(of: event) == [[0xB1, 7, 1], [0xB1, 39, 1]])
    unsafe event.data.control.param = 0x102
    unsafe event.type = UInt8(SND_SEQ_EVENT_REGPARAM.rawValue)
    #expect(
      unsafe bytes(of: event) == [[0xB1, 101, 2], [0xB1, 100, 2], [0xB1, 6, 1], [0xB1, 38, 1]])
    unsafe event.type = UInt8(SND_SEQ_EVENT_NONREGPARAM.rawValue)
    #expect(unsafe bytes(of: event).map { $0[1] } == [99, 98, 6, 38])
  }

  @Test func `an event that is not MIDI is not converted`() {
    var event = unsafe snd_seq_event_t()
    unsafe event.type = UInt8(SND_SEQ_EVENT_PORT_SUBSCRIBED.rawValue)
    #expect(unsafe bytes(of: event).isEmpty)
  }

  private func bytes(of event: snd_seq_event_t) -> [[UInt8]] {
    var found: [[UInt8]] = []
    unsafe EventConversion.forEachMessage(of: event) { message in
      found.append([message.status, message.data1, message.data2])
    }
    return found
  }
}
