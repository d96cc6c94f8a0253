// SPDX-License-Identifier: Apache-2.0

/// The nine tables of a document, as bytes.
///
/// Source: SoundFont 2.04, section 7.
struct TableWriting {
  /// The content of each table, by its name.
  private(set) var tables: [String: [UInt8]] = [:]

  /// The maximum number of records, because indices have two bytes.
  static let limit = 65_535

  /// Creates the tables.
  ///
  /// - Parameters:
  ///   - document: The document.
  ///   - layout: The positions of its samples.
  /// - Throws: An error if a table has too many records, or an index is out of range.
  init(
    _ document: SoundFontDocument, _ layout: SampleLayout
  ) throws(UnwritableSoundFont) {
    guard !document.presets.isEmpty else { throw UnwritableSoundFont("presets are missing") }
    let closing = document.frame.closing
    try Self.check(document.instruments.count, "instruments")
    try Self.check(document.samples.count, "samples")
    try appendPresets(document.presets, closing, instrumentCount: document.instruments.count)
    try appendInstruments(document.instruments, closing, sampleCount: document.samples.count)
    var headers: [UInt8] = []
    for (sample, start) in zip(document.samples, layout.starts) {
      headers += sample.record(at: start)
    }
    tables["shdr"] = headers + closing.sample
  }

  private mutating func appendPresets(
    _ presets: [SoundFontDocument.Preset], _ closing: SoundFontDocument.Closing,
    instrumentCount: Int
  ) throws(UnwritableSoundFont) {
    var level = LevelWriting()
    for preset in presets {
      level.headers += preset.record(bag: level.bagCount)
      for zone in preset.zones {
        guard zone.isValid(SoundFontDocument.Generator.instrumentKind, below: instrumentCount)
        else {
          throw UnwritableSoundFont(
            "preset '\(preset.name.text)' has a zone for an instrument that does not exist")
        }
        level.append(zone)
      }
    }
    level.headers += closing.preset.record(bag: level.bagCount)
    level.close(closing.presetGenerator, closing.presetModulator)
    try finish(level, "presets", headers: "phdr", letter: "p")
  }

  private mutating func appendInstruments(
    _ instruments: [SoundFontDocument.Instrument], _ closing: SoundFontDocument.Closing,
    sampleCount: Int
  ) throws(UnwritableSoundFont) {
    var level = LevelWriting()
    for instrument in instruments {
      level.headers += instrument.name.record + .little(level.bagCount)
      for zone in instrument.zones {
        guard zone.isValid(SoundFontDocument.Generator.sampleKind, below: sampleCount) else {
          throw UnwritableSoundFont(
            "instrument '\(instrument.name.text)' has a zone for a sample that does not exist")
        }
        level.append(zone)
      }
    }
    level.headers += closing.instrument.record + .little(level.bagCount)
    level.close(closing.instrumentGenerator, closing.instrumentModulator)
    try finish(level, "instruments", headers: "inst", letter: "i")
  }

  private mutating func finish(
    _ level: LevelWriting, _ what: String, headers: String, letter: String
  ) throws(UnwritableSoundFont) {
    try Self.check(level.bagCount - 1, "zones of \(what)")
    try Self.check(level.generatorCount - 1, "generators of \(what)")
    try Self.check(level.modulatorCount - 1, "modulators of \(what)")
    tables[headers] = level.headers
    tables[letter + "bag"] = level.bags
    tables[letter + "mod"] = level.modulators
    tables[letter + "gen"] = level.generators
  }

  private static func check(_ count: Int, _ what: String) throws(UnwritableSoundFont) {
    guard count <= limit else {
      throw UnwritableSoundFont("it has \(count) \(what) (at most \(limit))")
    }
  }
}

/// The four tables of presets or of instruments while they are created.
private struct LevelWriting {
  var headers: [UInt8] = []
  private(set) var bags: [UInt8] = []
  private(set) var generators: [UInt8] = []
  private(set) var modulators: [UInt8] = []

  var bagCount: Int { bags.count / 4 }
  var generatorCount: Int { generators.count / 4 }
  var modulatorCount: Int { modulators.count / FontHydra.modulatorSize }

  mutating func append(_ zone: SoundFontDocument.Zone) {
    appendBag()
    for generator in zone.generators { append(generator) }
    for modulator in zone.modulators { modulators += modulator.bytes }
  }

  /// Appends the closing records.
  mutating func close(
    _ generator: SoundFontDocument.Generator, _ modulator: SoundFontDocument.Modulator
  ) {
    appendBag()
    append(generator)
    modulators += modulator.bytes
  }

  private mutating func append(_ generator: SoundFontDocument.Generator) {
    generators += .little(Int(generator.kind)) + .little(Int(generator.amount))
  }

  private mutating func appendBag() {
    bags += .little(generatorCount) + .little(modulatorCount)
  }
}

extension SoundFontDocument.Zone {
  /// True if its link is below a count, or if the zone is global.
  fileprivate func isValid(_ kind: UInt16, below count: Int) -> Bool {
    generators.last { $0.kind == kind }.map { $0.amount < count } ?? true
  }
}

extension SoundFontDocument.Name {
  /// Its 20 bytes in a table.
  fileprivate var record: [UInt8] {
    Array((bytes + [UInt8](repeating: 0, count: Self.length)).prefix(Self.length))
  }
}

extension SoundFontDocument.Preset {
  /// The header, with the index of its first zone.
  fileprivate func record(bag: Int) -> [UInt8] {
    var bytes = name.record
    for word in [Int(program), Int(bank), bag] { bytes += .little(word) }
    for long in [library, genre, morphology] { bytes += .little(long: Int(long)) }
    return bytes
  }
}

extension SoundFontDocument.Sample {
  /// The header of the sample.
  ///
  /// - Parameter place: The position in the file; nil for a sample in ROM, which keeps its own, and
  ///   for one that is not in the file, which is written as empty.
  /// - Returns: The 46 bytes of the record.
  fileprivate func record(at place: Int?) -> [UInt8] {
    let first = place ?? (isInROM ? start : 0)
    let length = place == nil && !isInROM ? 0 : end &- start
    let loopBase = isCompressed ? 0 : first
    var bytes = name.record
    for long in [first, first &+ length, loopBase &+ loopStart, loopBase &+ loopEnd] {
      bytes += .little(long: Int(UInt32(clamping: long)))
    }
    bytes += .little(long: Int(rate))
    bytes += [key, UInt8(bitPattern: correction)]
    return bytes + .little(Int(link)) + .little(Int(kind))
  }
}

extension [UInt8] {
  /// The lower two bytes of a number, little-endian.
  static func little(_ word: Int) -> [UInt8] { [UInt8(word & 0xFF), UInt8(word >> 8 & 0xFF)] }

  /// The lower four bytes of a number, little-endian.
  static func little(long: Int) -> [UInt8] { little(long) + little(long >> 16) }
}
