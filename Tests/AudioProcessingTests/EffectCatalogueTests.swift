// SPDX-License-Identifier: Apache-2.0
import AudioProcessing
import AudioTestSupport
import Foundation
import MusicalTime
import TestSupport
import Testing

@Suite struct EffectCatalogueTests {
  private let catalogue = EffectCatalogue.standard

  private func unit(_ text: String) throws(EffectError) -> any ParametricUnit {
    try catalogue.unit(text, rate: Rate.studio)
  }

  private func value(_ unit: any ParametricUnit, _ name: String) -> Float? {
    unit.parameters.parameters.firstIndex { $0.name == name }.map { unit.parameters[$0] }
  }

  private func sentence(_ text: String) -> String {
    do {
      _ = try unit(text)
      return "no error"
    } catch {
      return "\(error)"
    }
  }

  @Test func `a text creates the unit with its parameters set`() throws {
    let reverb = try unit("Reverb wet=30% decay=2s predelay=20ms size=30m width=.5")
    #expect(reverb is ReverbUnit)
    #expect(value(reverb, "mix") == 0.3 && value(reverb, "decay") == 2)
    #expect(value(reverb, "pre-delay") == 0.02 && value(reverb, "size") == 30)
    #expect(value(reverb, "width") == 0.5 && value(reverb, "early") == 0.2)
    let filter = try unit("high-pass frequency=1.2kHz slope=24")
    #expect((filter as? FilterUnit)?.slope == 24 && value(filter, "frequency") == 1200)
    let delay = try unit("delay time=250ms ping-pong=on feedback=0.5")
    #expect(value(delay, "time") == 0.25 && value(delay, "ping-pong") == 1)
    let equaliser = try unit("equaliser low=3dB band-2-frequency=400Hz")
    #expect(value(equaliser, "band 1 gain") == 3 && value(equaliser, "band 2 frequency") == 400)
    #expect(try unit("compressor look-ahead=5ms").latency == 240)
    #expect(try unit("limiter").parameters[0] == -1.1)
    #expect((try unit("chorus voices=5") as? ChorusUnit)?.voiceCount == 5)
  }

  @Test func `a time in notes is set from the tempo and follows it`() throws {
    let tempo = try Tempo(beatsPerMinute: 90)
    let unit = try catalogue.unit("delay time=1/8.", rate: Rate.studio, tempo: tempo)
    let delay = try #require(unit as? DelayUnit)
    #expect(delay[.time] == 0.5 && delay.quarterNotes == 0.75)
    delay.follow(try Tempo(beatsPerMinute: 180))
    #expect(delay[.time] == 0.25)
    #expect(delay.follow(tempo, from: SampleTime(frames: 0)))
    try PlanListener(SignalUnit(.constant(0)), through: delay).render(quanta: 1)
    #expect(delay[.time] == 0.5)
    delay.setTime(quarterNotes: 1, at: tempo)
    #expect(delay.quarterNotes == 1)
  }

  @Test func `an unknown name is reported with similar names`() {
    #expect(sentence("reverbb") == "reverbb: unknown effect (did you mean reverb?)")
    #expect(sentence("comp") == "comp: unknown effect (did you mean compressor?)")
    #expect(sentence("flute").hasPrefix("flute: unknown effect (available: reverb, convolution,"))
    #expect(sentence("reverb dekay=2") == "reverb: unknown parameter dekay (did you mean decay?)")
    #expect(sentence("gate wet=1").hasPrefix("gate: unknown parameter wet (available: look-ahead,"))
  }

  @Test func `a value out of range is reported with the range`() {
    #expect(sentence("reverb decay=90") == "reverb: decay=90 is out of range (use 0.2…60 s)")
    #expect(
      sentence("reverb decay=2dB") == "reverb: decay=2dB is not a valid value (use 0.2…60 s)")
    #expect(
      sentence("low-pass slope=18")
        == "low-pass: slope=18 is out of range (use 12…48 in steps of 12)")
    #expect(sentence("delay ping-pong=maybe").hasSuffix("is not a valid value (use off or on)"))
    for text in ["nan", "inf", "0x1", "1e400", "", "-", "1 000"] {
      #expect(sentence("gate threshold=\(text)").hasPrefix("gate: "), "\(text)")
    }
  }

  @Test func `a text without an effect is reported, too`() {
    #expect(sentence("") == "effect: no name (write it first: 'reverb mix=0.3')")
    #expect(sentence("mix=0.3") == sentence(" "))
    #expect(
      sentence("gate loud")
        == "gate: loud is not a setting (write a parameter, = and a value: mix=0.3)")
    #expect(sentence("reverb mix=1 mix=0") == "reverb: mix is set twice (remove one)")
    #expect(sentence("reverb mix=1 wet=0") == "reverb: wet is set twice (remove one)")
    #expect(
      sentence("convolution") == "convolution: response is not set (add response=…)")
    #expect(sentence("convolution ir=\"a hall.wav\"").hasPrefix("convolution: a hall.wav: "))
    #expect(sentence("convolution ir='a hall.wav'").hasPrefix("convolution: a hall.wav: "))
    #expect(sentence("convolution ir=Bob's.wav").hasPrefix("convolution: Bob's.wav: "))
    #expect(sentence("gate a='b") == "effect: gate a='b: closing quotation mark is missing")
    #expect(sentence("gate a=\"b") == "effect: gate a=\"b: closing quotation mark is missing")
  }

  @Test func `settings override those of a library's preset`() throws {
    let rate = Rate.studio
    let library = EffectLibrary(prefix: "own:") { _ in
      EffectLibrary.Effect(
        summary: "a room", parameters: ReverbUnit(rate: rate).parameters.parameters,
        make: { ReverbUnit(rate: $0) },
        loadPreset: { unit, name in
          guard name == "Large hall" else {
            throw EffectError.noValue(
              effect: "room", parameter: "preset", name, range: "Large hall")
          }
          for index in 0..<2 {
            try unit.parameters.set(index, to: unit.parameters.parameters[index].range.upperBound)
          }
        })
    }
    let catalogue = self.catalogue.adding(library)
    let unit = try catalogue.unit("own:room preset='Large hall' decay=2s", rate: rate)
    #expect(value(unit, "size") == 50 && value(unit, "decay") == 2)
    #expect(throws: EffectError.self) { try catalogue.unit("own:room preset=Attic", rate: rate) }
  }

  @Test func `the caller's function reads an impulse response`() throws {
    let unit = try catalogue.unit(
      "convolution response=\"a hall.wav\" mix=50%", rate: Rate.studio,
      response: { path, rate in
        #expect(path == "a hall.wav" && rate == Rate.studio)
        return [[1, 0, 0.5]]
      })
    #expect(unit.tail == 2 && value(unit, "mix") == 0.5)
    for bad in [[], [[1], [1], [1]], [[]], [[.nan]], [[1], [1, 2]]] as [[[Float]]] {
      #expect(throws: EffectError.self) {
        try catalogue.unit("convolution response=x", rate: Rate.studio, response: { _, _ in bad })
      }
    }
  }

  @Test func `a chain of texts is a saved graph that creates the same units again`() throws {
    let texts = ["high-pass frequency=100 slope=24", "delay time=1/8", "delay mix=0", "limiter"]
    let tempo = try Tempo(beatsPerMinute: 150)
    let chain = try catalogue.chain(texts, rate: Rate.studio, tempo: tempo)
    let restored = try SavedGraph(Array(chain.text.utf8)).restored(rate: Rate.studio)
    #expect(restored.inlet != nil && restored.graph.nodes.count == 5)
    let units = ["1 high-pass", "2 delay", "4 limiter"].compactMap { id in
      restored.nodes[id].flatMap { restored.graph.unit(at: $0) as? any ParametricUnit }
    }
    #expect(units.map { $0.parameters[0] } == [100, 0.2, -1.1])
    #expect((units[0] as? FilterUnit)?.slope == 24)
    #expect(throws: EffectError.notSavable(effect: "convolution")) {
      try catalogue.chain(["convolution response=x"], rate: Rate.studio)
    }
    #expect(try catalogue.chain([], rate: Rate.studio).head == SavedGraph.Place("in"))
  }

  @Test func `every effect can be created by its name alone, at any rate`() throws {
    for hertz in [8000, 44_100, 192_000] {
      let rate = try #require(SampleRate(hertz: hertz))
      for entry in catalogue.entries {
        let text = entry.readsResponse ? "\(entry.name) response=x" : entry.name
        let unit = try catalogue.unit(text, rate: rate, response: { _, _ in [[1]] })
        #expect(unit.rate == rate && unit.parameters.parameters.count == entry.parameters.count)
        #expect(entry.parameters.allSatisfy { !$0.name.contains(" ") })
      }
    }
  }

  /// Every row of every table: name, range and default.
  @Test func `the effects page agrees with the catalogue`() throws {
    let root = #filePath.split(separator: "/").dropLast(3).joined(separator: "/")
    let data = try FileContent.data("/\(root)/Documentation/Effects.md")
    let page = String(decoding: data, as: UTF8.self)
    let sections = page.split(separator: "\n### ")
    for entry in catalogue.entries {
      let text = try #require(sections.first { $0.hasPrefix("\(entry.name)\n") }, "\(entry.name)")
      for parameter in entry.parameters + entry.options.map(\.parameter) {
        let row =
          "| `\(parameter.name)` | \(parameter.rangeText) |"
          + " \(parameter.text(of: parameter.initialValue)) |"
        #expect(text.contains(row), "\(entry.name): \(row)")
      }
    }
  }

  @Test func `any text is refused or accepted, and never ends the program`() {
    var random = SplitMix(seed: 24)
    let letters = Array("reverb delay=12.%\"kHzdBms/ -1e°é")
    for _ in 0..<2000 {
      let length = Int(random.next() % 24)
      let text = String(
        (0..<length).map { _ in letters[Int(random.next() % UInt64(letters.count))] })
      _ = sentence(text)
      _ = sentence("delay time=" + text)
    }
  }
}
