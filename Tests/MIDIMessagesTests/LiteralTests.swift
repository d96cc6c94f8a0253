// SPDX-License-Identifier: Apache-2.0
import MIDIMessages
import Testing

/// Channels and keys as a person writes them.
@Suite struct LiteralTests {
  @Test func `a channel's literal is its shown number, a key's its number`() {
    let drums: Channel = 10
    #expect(drums == .percussion && drums.number == 10)
    #expect(Message.noteOn(1, 60, velocity: 9).status == 0x90)
    #expect((60 as Key).number == 60)
  }

  @Test func `an invalid channel literal ends the program`() async {
    await #expect(processExitsWith: .failure) {
      let channel: Channel = 17
      print(channel)
    }
  }

  @Test func `an invalid key literal ends the program`() async {
    await #expect(processExitsWith: .failure) {
      let key: Key = 128
      print(key)
    }
  }
}
