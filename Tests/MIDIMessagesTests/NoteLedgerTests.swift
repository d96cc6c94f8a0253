// SPDX-License-Identifier: Apache-2.0
import MIDIMessages
import Testing

@Suite struct NoteLedgerTests {
  private let channel = Channel(index: 2)

  @Test func `every sounding key is released once for each time it was struck`() {
    var ledger = NoteLedger()
    ledger.record(.noteOn(channel, Key(60), velocity: 90))
    ledger.record(.noteOn(channel, Key(60), velocity: 90))
    ledger.record(.noteOn(channel, Key(64), velocity: 90))
    ledger.record(.noteOff(channel, Key(64)))
    let releases = ledger.takeReleases(cuttingSound: true)
    #expect(releases.filter { $0 == .noteOff(channel, Key(60)) }.count == 2)
    #expect(!releases.contains(.noteOff(channel, Key(64))))
    #expect(ledger.isSilent)
  }

  @Test func `pedals and the bend are reset on used channels only`() {
    var ledger = NoteLedger()
    ledger.record(.control(channel, .sustain, value: 127))
    #expect(!ledger.isSilent)
    let releases = ledger.takeReleases(cuttingSound: true)
    #expect(releases.contains(.control(channel, .sustain, value: 0)))
    #expect(releases.contains(.bend(channel, 8192)))
    #expect(releases.contains(.control(channel, .allSoundOff, value: 0)))
    #expect(releases.allSatisfy { $0.channel == channel })
  }

  @Test func `released without a cut, notes end and pedals rise, and sound rings out`() {
    var ledger = NoteLedger()
    ledger.record(.noteOn(channel, Key(60), velocity: 90))
    ledger.record(.control(channel, .sustain, value: 127))
    let releases = ledger.takeReleases(cuttingSound: false)
    #expect(releases.first == .noteOff(channel, Key(60)))
    #expect(releases.contains(.control(channel, .sustain, value: 0)))
    #expect(!releases.contains(.control(channel, .allSoundOff, value: 0)))
    #expect(ledger.isSilent)
  }

  @Test(arguments: Controller.pedals)
  func `every pedal that is held is owed its release, and a way of playing is not`(
    pedal: Controller
  ) {
    var ledger = NoteLedger()
    ledger.record(.control(channel, pedal, value: 64))
    #expect(ledger.takeReleases(cuttingSound: false) == [.control(channel, pedal, value: 0)])
    for number in [UInt8(65), 68] {
      ledger.record(.control(channel, Controller(number), value: 127))
    }
    #expect(ledger.isSilent)
  }

  @Test func `a ledger that recorded nothing owes nothing`() {
    var ledger = NoteLedger()
    #expect(ledger.isSilent)
    #expect(ledger.takeReleases(cuttingSound: true).isEmpty)
  }

  @Test func `a note-on of velocity 0 counts as a release`() {
    var ledger = NoteLedger()
    ledger.record(.noteOn(channel, Key(60), velocity: 90))
    ledger.record(.noteOn(channel, Key(60), velocity: 0))
    #expect(ledger.isSilent)
  }
}
