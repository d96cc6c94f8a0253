// SPDX-License-Identifier: Apache-2.0
import ClipPlayback
import MIDIMessages
import MusicalTime
import Testing

@Suite struct ClipKitTests {
  @Test func `a note starts its pad at its frame, with the square of its velocity as gain`() throws
  {
    let rig = try SoundBoardTests.Rig()
    let click = SystemSound(name: "click", interleaved: [1], channelCount: 1, rate: rig.rate)
    let drums = Channel(index: 9)
    let kit = ClipKit(
      [
        ClipKit.Pad(key: Key(36), channel: drums, sound: click),
        ClipKit.Pad(key: Key(38), sound: click, gain: 0.5),
      ], on: rig.board)
    let messages: [(Int64, Message)] = [
      (100, .noteOn(drums, Key(36), velocity: 127)),
      (101, .noteOff(drums, Key(36))),
      (102, .noteOn(Channel(index: 0), Key(36), velocity: 127)),
      (200, .noteOn(Channel(index: 3), Key(38), velocity: 64)),
      (300, .noteOn(drums, Key(50), velocity: 100)),
      (5000, .noteOn(drums, Key(36), velocity: 127)),
    ]
    let events = messages.map { frame, message in
      TimedEvent(
        time: rig.rate.timeRoundedUp(of: SampleTime(frames: frame)),
        payload: .message(message))
    }
    let none: [UInt8] = []
    #expect(kit.send(events.span, payloads: none.span) == events.count)
    rig.render(20)
    kit.cancel(from: rig.rate.timeRoundedUp(of: SampleTime(frames: 4000)))
    rig.render(80)
    let struck = rig.left.indices.filter { rig.left[$0] != 0 }
    #expect(struck == [100, 200])
    #expect(rig.left[100] == 1)
    #expect(abs(rig.left[200] - 0.5 * (64.0 / 127) * (64.0 / 127)) < 1e-6)
    #expect(kit.refusedNoteCount == 0)
  }
}
