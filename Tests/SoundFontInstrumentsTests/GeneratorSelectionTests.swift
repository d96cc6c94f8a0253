// SPDX-License-Identifier: Apache-2.0
import MIDIMessages
import MusicalTime
import Testing

@testable import SoundFontInstruments

@Suite struct GeneratorSelectionTests {
  private func selection(_ controllers: [(UInt8, UInt8)]) -> GeneratorSelection {
    var selection = GeneratorSelection()
    for (number, value) in controllers { selection.receive(number, value) }
    return selection
  }

  @Test func `a generator is sent with its value, and the sum restarts`() throws {
    var selection = selection([(99, 120), (98, 30), (98, 18)])
    let firstTaken = selection.take()
    let first = try #require(firstTaken)
    #expect(first == (120, 48))
    let secondTaken = selection.take()
    let second = try #require(secondTaken)
    #expect(second == (120, 127))
  }

  @Test(arguments: [[(100, 5)], [(101, 5)], [(102, 5)], [(98, 70)]] as [[(UInt8, UInt8)]])
  func `a number above all generators selects none`(parts: [(UInt8, UInt8)]) throws {
    var selection = selection([(99, 120)] + parts.map { (98, $0.0) } + [(98, 50)])
    let sentTaken = selection.take()
    let sent = try #require(sentTaken)
    #expect(sent.upper == 120 && sent.lower > 62)
  }

  @Test(arguments: [0, 1, 2, 3, 4, 12, 45, 50] as [UInt8])
  func `a sample address is not sent`(generator: UInt8) throws {
    var selection = selection([(99, 120), (98, generator)])
    let sentTaken = selection.take()
    let sent = try #require(sentTaken)
    #expect(sent == (120, 127))
  }

  @Test func `an RPN selects no generator, and another NRPN is passed on`() throws {
    var registered = selection([(99, 120), (98, 48), (101, 0), (100, 1)])
    let none = registered.take()
    #expect(none == nil)
    var other = selection([(99, 5), (98, 48)])
    let sentTaken = other.take()
    let sent = try #require(sentTaken)
    #expect(sent == (5, 48))
  }

  @Test func `FluidSynth survives a generator number that passes 2^31`() throws {
    let rate = try #require(SampleRate(hertz: 44_100))
    let synth = try SynthHandle(InstrumentConfiguration(rate: rate))
    let send = { (number: UInt8, value: UInt8) in
      _ = synth.apply(Message(status: 0xB0, data1: number, data2: value))
    }
    send(99, 120)
    for _ in 0..<215_000 { send(98, 102) }
    send(98, 5)
    send(6, 64)
    let isTaken = synth.apply(Message(status: 0xB0, data1: 7, data2: 100))
    #expect(isTaken)
  }
}
