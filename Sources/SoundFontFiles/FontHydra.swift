// SPDX-License-Identifier: Apache-2.0

/// The nine tables in which presets, instruments and samples refer to each other.
///
/// Source: SoundFont 2.04, section 7.
package struct FontHydra: Sendable {
  /// The headers of presets or instruments, and the tables of their zones.
  package struct Level: Sendable {
    package let headers: FontTable
    package let bagField: Int
    package let bags: FontTable
    package let generators: FontTable
    package let modulators: FontTable
    let what: String
    /// The number of the generator that links a zone to an instrument or a sample.
    package let link: Int
    package let linkCount: Int
  }

  package let sampleHeaders: FontTable
  package let presetLevel: Level
  package let instrumentLevel: Level

  /// The highest generator number in the standard.
  private static let lastGenerator = 60

  /// The number of bytes of a modulator.
  static let modulatorSize = 10
  /// The tables that some writers leave empty, or without the closing record.
  private static let unclosed: Set = ["pmod", "pgen", "imod", "igen"]

  private static let recordSizes: [(name: String, size: Int)] = [
    ("phdr", 38), ("pbag", 4), ("pmod", 10), ("pgen", 4), ("inst", 22), ("ibag", 4),
    ("imod", 10), ("igen", 4), ("shdr", 46),
  ]

  /// The names of the tables, in the order of the standard.
  static var tableNames: [String] { recordSizes.map(\.name) }

  /// The tables by their names, with closing records that are missing in the file.
  var tables: [String: FontTable] {
    [
      "phdr": presetLevel.headers, "pbag": presetLevel.bags, "pmod": presetLevel.modulators,
      "pgen": presetLevel.generators, "inst": instrumentLevel.headers,
      "ibag": instrumentLevel.bags, "imod": instrumentLevel.modulators,
      "igen": instrumentLevel.generators, "shdr": sampleHeaders,
    ]
  }

  init(_ bytes: FontBytes, _ places: [String: Range<Int>]) throws(SoundFontError) {
    var tables: [FontTable] = []
    for (name, size) in Self.recordSizes {
      guard let place = places[name] else { throw .damaged(reason: "the table \(name) is missing") }
      let mayBeEmpty = Self.unclosed.contains(name)
      guard place.count % size == 0, mayBeEmpty || place.count >= size else {
        throw .damaged(
          reason: "the table \(name) has \(place.count) bytes, not a multiple of \(size)")
      }
      tables.append(FontTable(try bytes.bytes(place), recordSize: size))
    }
    for (bags, generators, modulators) in [(1, 3, 2), (5, 7, 6)] {
      tables[generators] = tables[generators].closed(after: tables[bags], field: 0)
      tables[modulators] = tables[modulators].closed(after: tables[bags], field: 2)
    }
    sampleHeaders = tables[8]
    presetLevel = Level(
      headers: tables[0], bagField: 24, bags: tables[1], generators: tables[3],
      modulators: tables[2], what: "preset", link: 41, linkCount: tables[4].count - 1)
    instrumentLevel = Level(
      headers: tables[4], bagField: 20, bags: tables[5], generators: tables[7],
      modulators: tables[6], what: "instrument", link: 53, linkCount: tables[8].count - 1)
    guard presetLevel.headers.count > 1 else { throw .damaged(reason: "presets are missing") }
    try Self.check(presetLevel)
    try Self.check(instrumentLevel)
  }

  var presets: [SoundFontTables.Preset] {
    let headers = presetLevel.headers
    return (0..<headers.count - 1).map { index in
      SoundFontTables.Preset(
        name: headers.name(index), bank: headers.word(index, at: 22),
        program: headers.word(index, at: 20),
        instruments: Self.zones(presetLevel, of: index).compactMap { Self.link(presetLevel, $0) })
    }
  }

  var instrumentCount: Int { max(0, instrumentLevel.headers.count - 1) }

  /// The zones with a sample, including the settings of the instrument's global zone.
  func zones(ofInstrument index: Int) -> [SoundFontTables.Zone] {
    var zones: [SoundFontTables.Zone] = []
    var common: [Int: Int] = [:]
    for (place, records) in Self.zones(instrumentLevel, of: index).enumerated() {
      let generators = amounts(records)
      if let sample = generators[53] {
        zones.append(
          SoundFontTables.Zone(generators: common.merging(generators) { $1 }, sample: sample))
      } else if place == 0 {
        common = generators
      }
    }
    return zones
  }

  /// The amounts of generators by their numbers; ranges and links are unsigned.
  private func amounts(_ records: Range<Int>) -> [Int: Int] {
    var amounts: [Int: Int] = [:]
    for record in records {
      let kind = instrumentLevel.generators.word(record, at: 0)
      // Each zone inherits from the first. With unknown numbers the time would be quadratic.
      guard kind <= Self.lastGenerator else { continue }
      let amount = instrumentLevel.generators.word(record, at: 2)
      let hasSign = ![43, 44, 53, 54].contains(kind) && amount >= 0x8000
      amounts[kind] = hasSign ? amount - 0x10000 : amount
    }
    return amounts
  }

  var samples: [SoundFontTables.Sample] {
    (0..<sampleHeaders.count - 1).map { index in
      let at = { sampleHeaders.long(index, at: $0) }
      let kind = sampleHeaders.word(index, at: 44)
      let correction = sampleHeaders.byte(index * 46 + 41)
      return SoundFontTables.Sample(
        name: sampleHeaders.name(index), place: Self.range(at(20), at(24)),
        loop: Self.range(at(28), at(32)), rate: at(36), key: sampleHeaders.byte(index * 46 + 40),
        correction: correction > 127 ? correction - 256 : correction,
        isCompressed: kind & 0x10 != 0, isInROM: kind & 0x8000 != 0)
    }
  }

  /// A range; empty if the end is before the start, as in a damaged file.
  private static func range(_ start: Int, _ end: Int) -> Range<Int> { start..<max(start, end) }

  /// The generator records of each zone of a header.
  package static func zones(_ level: Level, of index: Int) -> [Range<Int>] {
    bags(level, of: index).map { level.bags.word($0, at: 0)..<level.bags.word($0 + 1, at: 0) }
  }

  /// The range of bags of a header, one for each zone.
  package static func bags(_ level: Level, of index: Int) -> Range<Int> {
    let field = level.bagField
    return level.headers.word(index, at: field)..<level.headers.word(index + 1, at: field)
  }

  /// Validates every index of a level.
  private static func check(_ level: Level) throws(SoundFontError) {
    for index in 0..<max(0, level.headers.count - 1) {
      let place = "\(level.what) \(index + 1) refers to"
      let bags = try span(
        level.headers.word(index, at: level.bagField),
        level.headers.word(index + 1, at: level.bagField), of: level.bags.count - 1,
        "\(place) zones")
      for bag in bags { try check(level, bag, place) }
    }
  }

  private static func check(
    _ level: Level, _ bag: Int, _ place: String
  ) throws(SoundFontError) {
    let records = try span(
      level.bags.word(bag, at: 0), level.bags.word(bag + 1, at: 0),
      of: level.generators.count - 1, "\(place) generators")
    _ = try span(
      level.bags.word(bag, at: 2), level.bags.word(bag + 1, at: 2),
      of: level.modulators.count - 1, "\(place) modulators")
    if let link = link(level, records), link >= level.linkCount {
      throw .damaged(
        reason: "\(place) \(level.what == "preset" ? "instrument" : "sample") \(link + 1) of "
          + "\(max(level.linkCount, 0))")
    }
  }

  /// The index of a zone's instrument or sample, or nil for a global zone.
  private static func link(_ level: Level, _ records: Range<Int>) -> Int? {
    records.last { level.generators.word($0, at: 0) == level.link }
      .map { level.generators.word($0, at: 2) }
  }

  private static func span(
    _ first: Int, _ last: Int, of count: Int, _ what: String
  ) throws(SoundFontError) -> Range<Int> {
    guard first <= last, last <= count else {
      throw .damaged(reason: "\(what) \(first)…\(last) (valid: 0…\(max(count, 0)))")
    }
    return first..<last
  }
}
