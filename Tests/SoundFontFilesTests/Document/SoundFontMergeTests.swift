// SPDX-License-Identifier: Apache-2.0
import Foundation
import TestSupport
import Testing

@testable import SoundFontFiles

/// Two fonts that are merged.
@Suite struct SoundFontMergeTests {
  private typealias Document = SoundFontDocument

  private func read(_ bytes: [UInt8]) throws -> Document { try Document(FontBytes(bytes)) }

  private func tables(_ document: Document) throws -> SoundFontTables {
    try SoundFontTables(SoundFontWriter.bytes(of: document))
  }

  @Test func `banks are moved, kits are not, and an existing preset stays`() throws {
    var document = try read(TinySoundFont.bytes)
    let other = try read(TinySoundFont.with([.init(127, 9), .init(3, 4)]))
    let left = document.append(other, bankOffset: 1)
    #expect(left.map { [$0.bank, $0.program] } == [[128, 0], [127, 9]])
    let merged = try tables(document)
    #expect(
      merged.presets.map { [$0.bank, $0.program] } == [
        [0, 0], [0, 1], [1, 0], [1, 1], [4, 4], [128, 0],
      ])
    #expect(merged.samples.map(\.place) == [0..<1000, 1046..<2046])
    #expect(merged.samples.map(\.loop) == [200..<800, 1246..<1846])
    #expect(merged.presets.map(\.instruments) == [[0], [1], [2], [3], [3], [0]])
    #expect(merged.zones(ofInstrument: 3)[0].sample == 1)
    #expect(try tables(document).findings(in: SoundFontWriter.bytes(of: document)).isEmpty)
  }

  @Test(arguments: [-1, .min, .max, 65_536, 128])
  func `impossible banks are left out`(offset: Int) throws {
    var document = try read(TinySoundFont.bytes)
    let left = document.append(try read(TinySoundFont.bytes), bankOffset: offset)
    #expect(left.count == 3 && document.presets.count == 3 && document.samples.count == 1)
    #expect(try SoundFontWriter.bytes(of: document).bytes(0..<9999) == TinySoundFont.bytes)
  }

  @Test func `a font without silence at its end gets it before the next`() throws {
    var short = FontParts()
    short.samples[0].content.removeLast(80)
    var document = try read(short.bytes)
    document.append(try read(TinySoundFont.bytes), bankOffset: 1)
    let merged = try tables(document)
    #expect(merged.samples.map(\.place) == [0..<1000, 1046..<2046])
  }

  @Test func `each font keeps its own default modulators`() throws {
    typealias Modulator = Document.Modulator
    let own = Modulator(source: 0x502, destination: 48, amount: 500)
    let extra = Modulator(source: 0x0AB, destination: 8, amount: 77)
    var document = try read(TinySoundFont.bytes)
    var other = try read(TinySoundFont.bytes)
    other.defaultModulators = [own, extra]
    let zone = Modulator(source: 0x502, destination: 48, amount: 1)
    other.instruments[1].zones.insert(Document.Zone(modulators: [zone]), at: 0)
    document.append(other, bankOffset: 1)
    #expect(document.defaultModulators == nil)
    #expect(document.instruments[0].zones.count == 1)
    let first = document.instruments[2].zones
    #expect(first.count == 2 && first[0].generators.isEmpty)
    // Its own two, and the nine others of the standard's ten with the amount 0.
    #expect(Array(first[0].modulators.prefix(2)) == [own, extra])
    #expect(first[0].modulators.count == 11)
    #expect(first[0].modulators.dropFirst(2).allSatisfy { $0.amount == 0 })
    let second = document.instruments[3].zones
    #expect(second.count == 2 && second[0].modulators.first == zone)
    #expect(second[0].modulators.count == 11)
    // Fonts with the same modulators keep them.
    var same = other
    same.append(other, bankOffset: 1)
    #expect(same.instruments[0] == same.instruments[2].withSample(0))
  }

  @Test func `a version and 24 bits are taken from either font`() throws {
    var wide = FontParts()
    wide.information[0].content = [2, 0, 4, 0]
    wide.samples.append(FontParts.Chunk("sm24", [UInt8](repeating: 3, count: 1046)))
    for isFirst in [true, false] {
      let fonts = try [read(wide.bytes), read(TinySoundFont.bytes)]
      var document = fonts[isFirst ? 0 : 1]
      document.append(fonts[isFirst ? 1 : 0], bankOffset: 1)
      let file = try SoundFontWriter.bytes(of: document)
      let merged = try SoundFontTables(file)
      #expect(merged.version == (2, 4))
      let low = try file.bytes(#require(merged.sampleLowBytes))
      let (some, none) = ([UInt8](repeating: 3, count: 1046), [UInt8](repeating: 0, count: 1046))
      #expect(low == (isFirst ? some + none : none + some))
    }
  }
}

extension SoundFontDocument.Instrument {
  /// The instrument with another sample in all its zones.
  fileprivate func withSample(_ index: UInt16) -> Self {
    var instrument = self
    for zone in instrument.zones.indices {
      for place in instrument.zones[zone].generators.indices
      where instrument.zones[zone].generators[place].kind == 53 {
        instrument.zones[zone].generators[place].amount = index
      }
    }
    return instrument
  }
}
