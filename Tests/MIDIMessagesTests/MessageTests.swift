// SPDX-License-Identifier: Apache-2.0
import MIDIMessages
import Testing

@Suite struct MessageTests {
  @Test func `a message takes four bytes or fewer`() {
    #expect(MemoryLayout<Message>.stride <= 4)
  }

  @Test(arguments: [
    (UInt8(0x80), 3), (0x90, 3), (0xA0, 3), (0xB0, 3), (0xC0, 2), (0xD0, 2), (0xE0, 3),
    (0xF1, 2), (0xF2, 3), (0xF3, 2), (0xF6, 1), (0xF8, 1), (0xFF, 1),
  ])
  func `the length is what the standard's tables give`(status: UInt8, length: Int) {
    #expect(Message(status: status).length == length)
  }

  @Test func `a note-on of velocity 0 is a note-off`() {
    let message = Message.noteOn(Channel(index: 3), Key(60), velocity: 0)
    #expect(message.kind == .noteOff(Channel(index: 3), Key(60), velocity: 64))
  }

  @Test func `the kind of every channel message returns its parts`() throws {
    let channel = try #require(Channel(number: 16))
    #expect(
      Message.noteOn(channel, Key(127), velocity: 1).kind
        == .noteOn(channel, Key(127), velocity: 1))
    #expect(
      Message.control(channel, .sustain, value: 127).kind == .control(channel, .sustain, 127))
    #expect(Message.program(channel, 5).kind == .program(channel, 5))
    #expect(Message.bend(channel, 16383).kind == .bend(channel, 16383))
    #expect(Message.bend(channel, 8192).data2 == 64)
  }

  @Test func `the channel of system messages is nil`() {
    #expect(Message(status: 0xF8).channel == nil)
    #expect(Message(status: 0xEF).channel == Channel(index: 15))
  }

  @Test func `channels are shown from 1 to 16 and refused outside`() {
    #expect(Channel(number: 0) == nil)
    #expect(Channel(number: 17) == nil)
    #expect(Channel(number: 10) == .percussion)
  }
}
