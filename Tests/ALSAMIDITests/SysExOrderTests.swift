// SPDX-License-Identifier: Apache-2.0
import MIDIMessages
import MusicalTime
import Testing

@testable import ALSAMIDI

@Suite struct SysExOrderTests {
  private var order = SysExOrder()
  private var sent = HostEventBuffer()

  /// The passed events: the bytes and the sender of each.
  private var passed: [String] {
    sent.events.map { event in
      let bytes: [UInt8] =
        switch event.payload {
        case .message(let message): [message.status]
        case .sysEx(let place):
          Array(sent.payloads[Int(place.offset)..<Int(place.offset + place.count)])
        default: []
        }
      return "\(event.track):" + bytes.map { String($0, radix: 16) }.joined(separator: " ")
    }
  }

  private mutating func piece(_ bytes: [UInt8], from sender: UInt16, at time: Int64 = 0) {
    var given = HostEventBuffer()
    given.append(sysEx: bytes.span, time: HostTime(nanoseconds: time), track: sender)
    order.take(given.events[0], payloads: given.payloads.span, into: &sent)
  }

  private mutating func message(_ status: UInt8, from sender: UInt16, at time: Int64 = 0) {
    let event = HostEvent(
      time: HostTime(nanoseconds: time), payload: .message(Message(status: status)), track: sender)
    order.take(event, payloads: HostEventBuffer().payloads.span, into: &sent)
  }

  @Test mutating func `pieces pass at once, and events of other senders wait for the end`() {
    piece([0xF0, 1], from: 1)
    message(0x90, from: 2)
    piece([0xF0, 9], from: 3)
    message(0xF8, from: 2)
    piece([2], from: 1)
    #expect(passed == ["1:f0 1", "2:f8", "1:2"])
    #expect(!order.isIdle)
    piece([3, 0xF7], from: 1)
    #expect(passed == ["1:f0 1", "2:f8", "1:2", "1:3 f7", "2:90", "3:f0 9"])
    piece([0xF7], from: 3)
    #expect(order.isIdle)
  }

  @Test mutating func `a SysEx that its sender interrupts is ended, and the rest dropped`() {
    piece([0xF0, 1], from: 1)
    message(0x90, from: 1)
    piece([2, 0xF7], from: 1)
    #expect(passed == ["1:f0 1", "1:f7", "1:90"])
  }

  @Test mutating func `a SysEx that pauses for a second does not delay other senders any more`() {
    piece([0xF0, 1], from: 1)
    message(0x90, from: 2)
    order.settle(at: HostTime(nanoseconds: SysExOrder.patience), into: &sent)
    #expect(passed == ["1:f0 1"])
    order.settle(at: HostTime(nanoseconds: SysExOrder.patience + 1), into: &sent)
    #expect(passed == ["1:f0 1", "1:f7", "2:90"])
    #expect(order.isIdle)
  }

  @Test mutating func `no more events wait than the limit`() {
    piece([0xF0, 1], from: 1)
    for _ in 0...SysExOrder.limit.events { message(0x90, from: 2) }
    #expect(order.isIdle)
    #expect(passed.prefix(2) == ["1:f0 1", "1:f7"])
    #expect(passed.count == SysExOrder.limit.events + 3)
  }
}
