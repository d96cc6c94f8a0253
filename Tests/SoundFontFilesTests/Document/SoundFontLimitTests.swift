// SPDX-License-Identifier: Apache-2.0
import TestSupport
import Testing

@testable import SoundFontFiles

/// Documents that are too large for the format, or inconsistent.
@Suite struct SoundFontLimitTests {
  private typealias Document = SoundFontDocument
  private typealias Zone = SoundFontDocument.Zone

  /// A document of one preset.
  private func document() throws -> Document { try Document(FontBytes(TinySoundFont.bytes)) }

  private func reason(_ document: Document) -> String? {
    do {
      _ = try SoundFontWriter(document)
      return nil
    } catch { return error.reason }
  }

  @Test func `the maximum of zones, generators and modulators is written, and one more is not`()
    throws
  {
    var document = try document()
    let link = Zone(generators: [.instrument(0)])
    document.presets[0].zones = Array(repeating: link, count: 65_533)
    #expect(reason(document) == nil)
    let tables = try SoundFontTables(SoundFontWriter.bytes(of: document))
    #expect(tables.presets[0].instruments.count == 65_533)
    document.presets[0].zones.append(link)
    #expect(reason(document) == "it has 65536 zones of presets (at most 65535)")

    document = try self.document()
    let setting = Document.Generator(kind: 48, value: -1)
    document.instruments[0].zones[0].generators = Array(repeating: setting, count: 65_532)
    #expect(reason(document) == nil)
    document.instruments[0].zones[0].generators.append(setting)
    #expect(reason(document) == "it has 65536 generators of instruments (at most 65535)")

    document = try self.document()
    let modulator = Document.Modulator(source: 2, destination: 8, amount: 1)
    document.presets[2].zones[0].modulators = Array(repeating: modulator, count: 65_536)
    #expect(reason(document) == "it has 65536 modulators of presets (at most 65535)")
  }

  @Test func `the maximum of samples and instruments is written, and one more is not`() throws {
    var document = try document()
    document.samples = Array(repeating: document.samples[0], count: 65_535)
    let instrument = Document.Instrument(name: "One", zones: [Zone(generators: [.sample(65_534)])])
    document.instruments = Array(repeating: instrument, count: 65_535)
    document.presets[0].zones[0].generators[0] = .instrument(65_534)
    #expect(reason(document) == nil)
    document.samples.append(document.samples[0])
    #expect(reason(document) == "it has 65536 samples (at most 65535)")
    document.samples.removeLast()
    document.instruments.append(document.instruments[0])
    #expect(reason(document) == "it has 65536 instruments (at most 65535)")
  }

  @Test func `a file of 4 GiB is written lazily, and a longer one is not`() throws {
    let whole = TinySoundFont.bytes
    let zeros = { (count: Int) in
      unsafe FontBytes(count: count) { target, _ in
        unsafe target.initializeMemory(as: UInt8.self, repeating: 0)
        return target.count
      }
    }
    var document = try document()
    document.samples[0].data = Document.SampleData(frames: zeros(0))
    (document.samples[0].start, document.samples[0].end) = (0, 0)
    document.closeGaps()
    let rest = try SoundFontWriter(document).byteCount
    #expect(rest < whole.count)
    // The size of the file without its first eight bytes is even and of 32 bits.
    let room = Int(UInt32.max) - 1 + 8 - rest
    document.samples[0].data = Document.SampleData(frames: zeros(room - 92))
    document.samples[0].end = (room - 92) / 2
    let writer = try SoundFontWriter(document)
    #expect(writer.byteCount == 1 << 32 + 6)
    let tables = try SoundFontTables(writer.bytes)
    #expect(tables.samples[0].place.count == (room - 92) / 2)
    document.samples[0].data = Document.SampleData(frames: zeros(room - 90))
    document.samples[0].end += 1
    #expect(reason(document) == "the file would have 4294967304 bytes (at most 4294967302)")
  }

  @Test func `inconsistencies are reported`() throws {
    var document = try document()
    document.presets[1].zones[0].generators[0] = .instrument(2)
    #expect(
      reason(document) == "preset 'Octave' has a zone for an instrument that does not exist")
    document = try self.document()
    document.instruments[1].zones[0].generators[2] = .sample(1)
    #expect(
      reason(document) == "instrument 'Octave' has a zone for a sample that does not exist")
    document = try self.document()
    document.presets = []
    #expect(reason(document) == "presets are missing")
    document = try self.document()
    document.information.removeFirst()
    #expect(reason(document) == "its format version is missing")
    for (start, end) in [(0, 4), (-1, 2), (2, 1), (.min, .max), (.max, .max - 1)] {
      document = try self.document()
      document.samples[0].data = Document.SampleData(frames: FontBytes([1, 2, 3, 4]))
      (document.samples[0].start, document.samples[0].end) = (start, end)
      #expect(
        reason(document)
          == "sample 'Cosine' is at \(start)…\(end), but its data ends at 2")
    }
  }

  @Test func `numbers out of range are written as the nearest`() throws {
    var document = try document()
    for (loop, other) in [(Int.min, Int.max), (.max, .min), (-5, 1 << 40)] {
      (document.samples[0].loopStart, document.samples[0].loopEnd) = (loop, other)
      #expect(reason(document) == nil)
    }
    document.samples[0].start = .max
    document.samples[0].end = .min
    #expect(reason(document) == nil)
  }
}
