// SPDX-License-Identifier: Apache-2.0

extension FontHydra {
  /// The list `pdta` with the presets of some programs, their instruments and samples; nil without
  /// such presets.
  func excerpt(programs: Set<Int>) -> [UInt8]? {
    let presets = (0..<presetLevel.headers.count - 1).filter {
      programs.contains(presetLevel.headers.word($0, at: 20))
    }
    guard !presets.isEmpty else { return nil }
    let instruments = Self.targets(presetLevel, of: presets)
    let samples = Self.targets(instrumentLevel, of: instruments)
    var list = Array("pdta".utf8)
    LevelExcerpt(presetLevel, presets, leadingTo: instruments).append(to: &list, letter: "p")
    LevelExcerpt(instrumentLevel, instruments, leadingTo: samples).append(to: &list, letter: "i")
    list.appendChunk("shdr", samples.flatMap(unlinkedSample) + sampleHeaders.last)
    var tables: [UInt8] = []
    tables.appendChunk("LIST", list)
    return tables
  }

  /// The header of a sample without its link to another, which is not needed because zones refer to
  /// both.
  private func unlinkedSample(_ index: Int) -> [UInt8] {
    var header = Array(sampleHeaders.records(index..<index + 1))
    header.setWord(0, at: 42)
    return header
  }

  /// The instruments or samples to which the zones of headers refer, each once.
  private static func targets(_ level: Level, of headers: [Int]) -> [Int] {
    var found: Set<Int> = []
    for record in headers.flatMap({ zones(level, of: $0) }).joined()
    where level.generators.word(record, at: 0) == level.link {
      found.insert(level.generators.word(record, at: 2))
    }
    return found.filter { $0 < level.linkCount }.sorted()
  }
}

/// The four tables of a level with only some of its headers.
private struct LevelExcerpt {
  private var headers: [UInt8] = []
  private var bags: [UInt8] = []
  private var modulators: [UInt8] = []
  private var generators: [UInt8] = []

  /// Copies headers with their zones.
  ///
  /// The indices of links are those in the excerpt.
  init(_ level: FontHydra.Level, _ kept: [Int], leadingTo targets: [Int]) {
    let numbers = Dictionary(uniqueKeysWithValues: zip(targets, 0...))
    for header in kept {
      append(Array(level.headers.records(header..<header + 1)), level)
      for bag in FontHydra.bags(level, of: header) { append(bag, level, numbers) }
    }
    append(Array(level.headers.last), level)
    appendBag()
    modulators += level.modulators.last
    generators += level.generators.last
  }

  private mutating func append(_ header: [UInt8], _ level: FontHydra.Level) {
    var header = header
    header.setWord(bags.count / 4, at: level.bagField)
    headers += header
  }

  private mutating func append(_ bag: Int, _ level: FontHydra.Level, _ numbers: [Int: Int]) {
    appendBag()
    let next = bag + 1
    modulators += level.modulators.records(
      level.bags.word(bag, at: 2)..<level.bags.word(next, at: 2))
    for record in level.bags.word(bag, at: 0)..<level.bags.word(next, at: 0) {
      var generator = Array(level.generators.records(record..<record + 1))
      if level.generators.word(record, at: 0) == level.link,
        let number = numbers[level.generators.word(record, at: 2)]
      {
        generator.setWord(number, at: 2)
      }
      generators += generator
    }
  }

  /// Starts a zone, or ends the last one.
  private mutating func appendBag() {
    var bag = [UInt8](repeating: 0, count: 4)
    bag.setWord(generators.count / 4, at: 0)
    bag.setWord(modulators.count / 10, at: 2)
    bags += bag
  }

  func append(to list: inout [UInt8], letter: Character) {
    list.appendChunk(letter == "p" ? "phdr" : "inst", headers)
    list.appendChunk("\(letter)bag", bags)
    list.appendChunk("\(letter)mod", modulators)
    list.appendChunk("\(letter)gen", generators)
  }
}

extension [UInt8] {
  fileprivate mutating func setWord(_ value: Int, at place: Int) {
    self[place] = UInt8(value & 0xFF)
    self[place + 1] = UInt8(value >> 8 & 0xFF)
  }

  /// Appends a chunk of records, whose size is even, so that it does not need padding.
  fileprivate mutating func appendChunk(_ name: String, _ content: [UInt8]) {
    self += name.utf8
    for shift in stride(from: 0, to: 32, by: 8) { append(UInt8(content.count >> shift & 0xFF)) }
    self += content
  }
}
