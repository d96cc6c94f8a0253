// SPDX-License-Identifier: Apache-2.0
import Foundation
import TestSupport
import Testing

@testable import SoundFontFiles

/// Documents that are changed: presets, generators, samples, texts, and merged fonts.
@Suite struct SoundFontChangeTests {
  private typealias Document = SoundFontDocument
  private typealias Zone = SoundFontDocument.Zone

  private func read(_ bytes: [UInt8]) throws -> Document { try Document(FontBytes(bytes)) }

  private func written(_ document: Document) throws -> [UInt8] {
    let writer = try SoundFontWriter(document)
    return try writer.bytes.bytes(0..<writer.byteCount)
  }

  private func data(_ frames: [UInt8]) -> Document.SampleData {
    Document.SampleData(frames: FontBytes(frames))
  }

  /// The frames of a sample in a file, with the silence after them.
  private func frames(_ index: Int, of file: [UInt8]) throws -> [UInt8] {
    let tables = try SoundFontTables(FontBytes(file))
    let (place, start) = (tables.samples[index].place, tables.sampleData.lowerBound)
    return Array(file[start + 2 * place.lowerBound..<start + 2 * (place.upperBound + 46)])
  }

  @Test func `a preset is renamed, and one generator changed, and nothing else`() throws {
    var document = try read(TinySoundFont.bytes)
    document.presets[1].name = Document.Name("Octave higher")
    document.instruments[1].zones[0].generators[0].amount = 24
    let (old, new) = (TinySoundFont.bytes, try written(document))
    #expect(old.count == new.count)
    let different = old.indices.filter { old[$0] != new[$0] }
    #expect(different.count == " higher".utf8.count + 1)
    let tables = try SoundFontTables(FontBytes(new))
    #expect(tables.presets.map(\.name) == ["Cosine", "Octave higher", "Kit"])
    #expect(tables.zones(ofInstrument: 1)[0].generators[51] == 24)
  }

  @Test func `a preset is added and others are removed, with what only they use`() throws {
    var document = try read(TinySoundFont.bytes)
    let sound = [UInt8](1...100)
    document.samples.append(
      Document.Sample(name: "New", data: data(sound), loop: 10..<40, rate: 22_050, key: 64))
    document.instruments.append(
      Document.Instrument(name: "New", zones: [Zone(generators: [.keys(3...90), .sample(1)])]))
    document.presets.append(
      Document.Preset(
        name: "New", bank: 1, program: 5, zones: [Zone(generators: [.instrument(2)])]))
    var file = try written(document)
    #expect(try SoundFontTables(FontBytes(file)).findings(in: FontBytes(file)).isEmpty)
    #expect(try frames(1, of: file) == sound + [UInt8](repeating: 0, count: 92))
    #expect(try frames(0, of: file) == frames(0, of: TinySoundFont.bytes))

    document.removePresets { $0.bank != 1 }
    #expect(document.instruments.map(\.name.text) == ["New"])
    #expect(document.samples.map(\.name.text) == ["New"])
    file = try written(document)
    let tables = try SoundFontTables(FontBytes(file))
    #expect(tables.presets.map(\.name) == ["New"] && tables.presets[0].instruments == [0])
    #expect(tables.sampleData.count == 100 + 92)
    #expect(try frames(0, of: file) == sound + [UInt8](repeating: 0, count: 92))
    let zone = tables.zones(ofInstrument: 0)[0]
    #expect(zone.keys == 3...90 && zone.sample == 0)
  }

  @Test func `a sound is replaced, and the old one is left out`() throws {
    var document = try read(TinySoundFont.bytes)
    document.samples[0].correction = -7
    document.replaceSound(ofSample: 0, with: data([UInt8](1...80)), loop: 4..<20, rate: 8000)
    let tables = try SoundFontTables(FontBytes(written(document)))
    let sample = try #require(tables.samples.first)
    #expect(sample.place == 0..<40 && sample.loop == 4..<20 && sample.rate == 8000)
    #expect(sample.name == "Cosine" && sample.key == 69 && sample.correction == -7)
    #expect(tables.sampleData.count == 80 + 92)

    let stream = Document.SampleData(compressed: FontBytes([1, 2, 3, 4, 5]))
    document.replaceSound(ofSample: 0, with: stream, isCompressed: true, loop: 4..<20)
    let compressed = try SoundFontTables(FontBytes(written(document)))
    #expect(compressed.version == (3, 0))
    #expect(compressed.samples[0].isCompressed && compressed.samples[0].place == 0..<5)
    #expect(compressed.samples[0].loop == 4..<20)
  }

  @Test func `new lower bytes require version 2·04, with zeros for 16-bit samples`() throws {
    var document = try read(TinySoundFont.bytes)
    let low = FontBytes([7, 8, 9])
    document.samples.append(
      Document.Sample(
        name: "24",
        data: Document.SampleData(frames: FontBytes([1, 2, 3, 4, 5, 6]), lowBytes: low),
        loop: 0..<2, rate: 8000, key: 60))
    let file = try written(document)
    let tables = try SoundFontTables(FontBytes(file))
    #expect(tables.version == (2, 4))
    let range = try #require(tables.sampleLowBytes)
    #expect(range.count == 1046 + 3 + 46 + 1)
    var expected = [UInt8](repeating: 0, count: range.count)
    expected.replaceSubrange(1046..<1049, with: [7, 8, 9])
    #expect(Array(file[range]) == expected)
  }

  @Test func `overlapping samples of one sound still overlap, with silence after the last`() throws
  {
    var document = Document(name: "Halves")
    let sound = data([UInt8](1...120))
    for (start, end) in [(0, 30), (20, 60), (5, 6)] {
      var sample = Document.Sample(name: "Part", data: sound, loop: 0..<1, rate: 8000, key: 60)
      (sample.start, sample.end) = (start, end)
      document.samples.append(sample)
    }
    document.instruments = [
      Document.Instrument(
        name: "All",
        zones: (0..<3).map { index in
          Zone(generators: [.sample(UInt16(index))])
        })
    ]
    document.presets = [
      Document.Preset(
        name: "All", bank: 0, program: 0, zones: [Zone(generators: [.instrument(0)])])
    ]
    let file = try written(document)
    let tables = try SoundFontTables(FontBytes(file))
    #expect(tables.samples.map(\.place) == [0..<30, 20..<60, 5..<6])
    #expect(Array(file[tables.sampleData]) == Array(1...120) + [UInt8](repeating: 0, count: 92))
  }

  @Test func `a remaining half of a stereo sample becomes mono`() throws {
    var document = try read(TinySoundFont.bytes)
    var right = document.samples[0]
    (right.kind, right.link) = (2, 0)
    document.samples[0].kind = 4
    document.samples[0].link = 1
    document.samples += [document.samples[0], right]
    document.samples[1] = right
    // Both halves in one instrument, one in the other; the third and fourth are unused.
    document.instruments[0].zones.append(Zone(generators: [.sample(1)]))
    document.removeUnused()
    #expect(document.samples.map(\.kind) == [4, 2] && document.samples.map(\.link) == [1, 0])
    document.removePresets { $0.program != 1 }
    #expect(document.samples.map(\.kind) == [1] && document.samples.map(\.link) == [0])
  }

  @Test func `texts are set, cut and removed, and ISFT states creator and editor`() throws {
    var document = try read(TinySoundFont.bytes)
    document.setText("ICOP", "© 2026")
    document.setText("INAM", String(repeating: "ä", count: 200))
    #expect(document.information.map(\.name) == ["ifil", "isng", "INAM", "ICOP"])
    #expect(document.text("INAM") == String(repeating: "ä", count: 127))
    #expect(document.information.allSatisfy { $0.content.count.isMultiple(of: 2) })
    document.setText("ICOP", "")
    #expect(document.text("ICOP") == nil)
    document.setTool("Downbeat")
    #expect(document.text("ISFT") == "Downbeat:Downbeat")
    document.setText("ISFT", "Preditor 2.00a:Awave 3")
    document.setTool("Downbeat 1: 2")
    #expect(document.text("ISFT") == "Preditor 2.00a:Downbeat 1 2")
    document.setText("ISFT", String(repeating: "x", count: 300))
    document.setTool("Downbeat")
    #expect(document.text("ISFT") == String(repeating: "x", count: 246) + ":Downbeat")
  }
}
