// SPDX-License-Identifier: Apache-2.0
import MIDIMessages
import Testing

/// Tests for held notes, pedals and bends, and the messages that release them.
@Suite struct HoldTests {
  private let channel = Channel(index: 9)

  @Test func `each hold has a unique index, and its release ends it`() {
    for index in 0..<Hold.count {
      let hold = Hold(index: index)
      #expect(hold.index == index)
      #expect(hold.release.hold?.hold == hold)
      #expect(hold.release.hold?.begins == false)
      #expect(hold.release.isRelease)
    }
  }

  @Test func `the pedals are named once, in their order`() {
    #expect(Controller.pedals.map(\.number) == [64, 66, 67, 69])
    #expect((0..<128).compactMap { Controller($0).pedalIndex } == Array(0..<4))
  }

  @Test(arguments: [(UInt8(0), false), (63, false), (64, true), (127, true)])
  func `a pedal is down from 64`(value: UInt8, isDown: Bool) {
    #expect(Message.control(channel, .sustain, value: value).hold?.begins == isDown)
    #expect(Message.control(channel, .volume, value: value).hold == nil)
  }

  @Test func `keys are owed an end for each beginning, a pedal one`() {
    var ledger = NoteLedger()
    for _ in 0..<300 {
      ledger.record(.noteOn(channel, Key(1), velocity: 9))
      ledger.record(.control(channel, .hold2, value: 90))
    }
    let releases = ledger.takeReleases(cuttingSound: false)
    #expect(releases.count == 256)
    #expect(releases.last == .control(channel, .hold2, value: 0))
  }

  @Test(arguments: UInt8(120)...127)
  func `a mode message can only end something, and what was begun stays owed`(number: UInt8) {
    let message = Message.control(channel, Controller(number), value: 0)
    #expect(message.isRelease)
    var ledger = NoteLedger()
    ledger.record(.noteOn(channel, Key(60), velocity: 9))
    ledger.record(.control(channel, .sustain, value: 127))
    ledger.record(message)
    #expect(
      ledger.takeReleases(cuttingSound: false)
        == [.noteOff(channel, Key(60)), .control(channel, .sustain, value: 0)])
  }

  @Test func `every channel is silenced if the held notes are unknown`() {
    var ledger = NoteLedger()
    ledger.assumeEverything()
    let releases = ledger.takeReleases(cuttingSound: true)
    for channel in Channel.all {
      let own = releases.filter { $0.channel == channel }
      #expect(
        own == Controller.pedals.map { .control(channel, $0, value: 0) } + [.bend(channel, 8192)]
          + [.allNotesOff, .allSoundOff].map { .control(channel, $0, value: 0) })
    }
    #expect(ledger.takeReleases(cuttingSound: true).isEmpty)
  }
}
