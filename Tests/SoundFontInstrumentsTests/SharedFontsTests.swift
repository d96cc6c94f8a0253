// SPDX-License-Identifier: Apache-2.0
import AudioProcessing
import AudioTestSupport
import MIDIMessages
import MusicalTime
import SoundFontFiles
import SoundFontInstruments
import TestSupport
import Testing

/// Fonts shared by several instruments, and fonts with different levels, with both engines.
@Suite(.bothEngines) struct SharedFontsTests {
  private static let channel = Channel(index: 0)
  private let folder: ScratchFolder

  init() throws {
    folder = try ScratchFolder()
    try folder.write(TinySoundFont.bytes, to: "tiny.sf2")
  }

  private func layer(bankOffset: Int = 0, gain: Float = 1) throws -> SoundFontLayer {
    SoundFontLayer(
      try SoundFont(path: folder.path("tiny.sf2")), bankOffset: bankOffset, gain: gain)
  }

  private var configuration: InstrumentConfiguration {
    var configuration = InstrumentConfiguration(rate: .hertz48000)
    configuration.engine = BothEngines.engine
    configuration.dryBuses = .mixed
    configuration.hasEffects = false
    return configuration
  }

  /// A tenth of a second of a note in a bank.
  private func note(_ instrument: InstrumentUnit, bank: UInt8 = 0) -> [Float] {
    let events = [
      Message.control(Self.channel, Controller(0), value: bank), .program(Self.channel, 0),
      .noteOn(Self.channel, Key(69), velocity: 100),
    ].map { TimedEvent(time: .zero, payload: .message($0)) }
    let none: [UInt8] = []
    _ = instrument.send(events.span, payloads: none.span)
    let source = AheadUnit(instrument, capacity: 75)
    source.renderAhead(startFrame: 0, count: 75) {}
    return (0..<75).flatMap { quantum in
      let bus = source.bus(0, quantum: quantum)
      return (0..<64).map { bus[0, $0] }
    }
  }

  @Test func `instruments on shared fonts sound as with separate fonts`() throws {
    let alone = note(try InstrumentUnit([layer()], configuration: configuration))
    let fonts = try SharedFonts([layer()], for: configuration)
    let parts = try (0..<3).map { _ in try InstrumentUnit(fonts, configuration: configuration) }
    #expect(alone.peak > 0.01)
    for part in parts { #expect(note(part) == alone) }
  }

  @Test func `a font inside another file sounds as from its file`() throws {
    let part = FontBytes([7] + TinySoundFont.bytes + [7]).part(1..<1 + TinySoundFont.bytes.count)
    let inside = SoundFontLayer(try SoundFont(path: "song.rmi", bytes: part))
    for programs in [nil, [0]] as [Set<Int>?] {
      var configuration = configuration
      configuration.programs = programs
      let sound = note(try InstrumentUnit([inside], configuration: configuration))
      #expect(sound.peak > 0.01)
      #expect(try sound == note(InstrumentUnit([layer()], configuration: configuration)))
    }
  }

  @Test(arguments: [(1, 0.5), (2, 1), (4, 2)] as [(Float, Float)])
  func `a font's gain sets its level`(first: Float, second: Float) throws {
    let layers = [try layer(gain: first), try layer(bankOffset: 1, gain: second)]
    let plain = note(try InstrumentUnit([layer()], configuration: configuration))
    for (bank, gain) in [(0, first), (1, second)] as [(UInt8, Float)] {
      let heard = note(try InstrumentUnit(layers, configuration: configuration), bank: bank)
      #expect(abs(heard.rms / plain.rms / gain - 1) < 0.01)
    }
  }
}
