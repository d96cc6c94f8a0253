// SPDX-License-Identifier: Apache-2.0

/// A font while its document is created.
///
/// Its tables have been validated.
struct DocumentReading {
  private let bytes: FontBytes
  private let tables: SoundFontTables
  private(set) var information: [SoundFontDocument.Information] = []
  private(set) var frame = SoundFontDocument.Frame()
  private(set) var repairs: [String] = []

  /// The maximum number of bytes of texts and other information.
  private static let informationLimit = 16 << 20

  init(_ bytes: FontBytes) throws(SoundFontError) {
    (self.bytes, tables) = (bytes, try SoundFontTables(bytes))
    let size = try bytes.chunk(at: 0)?.content.upperBound ?? bytes.count
    var place = 12
    for kind in ["INFO", "sdta", "pdta"] {
      // The tables have been read, so the three lists exist.
      guard let list = try bytes.chunk(at: place) else { break }
      let walk = try ChunkWalk(
        bytes, list.content.dropFirst(4), named: "the list \(kind)")
      repairs += walk.repairs
      switch kind {
      case "INFO": try takeInformation(walk.chunks, byteCount: list.content.count)
      case "sdta": takeSampleChunks(walk.chunks)
      default: takeTableChunks(walk.chunks)
      }
      place = list.end
    }
    try takeFollowing(place, size)
    takeClosing()
  }

  private mutating func takeInformation(
    _ chunks: [ChunkWalk.Chunk], byteCount: Int
  ) throws(SoundFontError) {
    guard byteCount <= Self.informationLimit else {
      throw .damaged(
        reason: "the list INFO has \(byteCount) bytes (at most \(Self.informationLimit))")
    }
    for chunk in chunks {
      information.append(
        SoundFontDocument.Information(
          tag: chunk.tag, content: try bytes.bytes(chunk.content), padding: chunk.padding))
    }
  }

  private mutating func takeSampleChunks(_ chunks: [ChunkWalk.Chunk]) {
    frame.sampleChunks = []
    for chunk in chunks {
      if chunk.content == tables.sampleData {
        frame.sampleChunks.append(.known(chunk.name))
        frame.samplePadding = chunk.padding
      } else if chunk.content != tables.sampleLowBytes {
        frame.sampleChunks.append(.other(bytes.part(chunk.whole)))
      }
    }
  }

  private mutating func takeTableChunks(_ chunks: [ChunkWalk.Chunk]) {
    frame.tableChunks = []
    var missing = Set(FontHydra.tableNames)
    for chunk in chunks {
      guard missing.remove(chunk.name) != nil else {
        frame.tableChunks.append(.other(bytes.part(chunk.whole)))
        continue
      }
      frame.tableChunks.append(.known(chunk.name))
      guard let table = tables.hydra.tables[chunk.name] else { continue }
      if table.bytes.count > chunk.content.count {
        repairs.append("the table \(chunk.name) lacks its closing record")
      }
    }
  }

  private mutating func takeFollowing(_ place: Int, _ size: Int) throws(SoundFontError) {
    if place < size {
      let walk = try ChunkWalk(bytes, place..<size, named: "the file")
      frame.following = walk.chunks.map { bytes.part($0.whole) }
      repairs += walk.repairs
    } else if place > size {
      repairs.append("the size of the file leaves out its last padding byte")
    }
    let end = max(place, size + size % 2)
    if bytes.count > end {
      repairs.append("\(bytes.count - end) bytes after the font are left out")
    }
  }

  private mutating func takeClosing() {
    let (presets, instruments) = (tables.hydra.presetLevel, tables.hydra.instrumentLevel)
    frame.closing.preset = SoundFontDocument.Preset(presets, presets.headers.count - 1, zones: [])
    frame.closing.instrument = SoundFontDocument.Name(
      bytes: instruments.headers.last.prefix(SoundFontDocument.Name.length))
    frame.closing.presetModulator = .init(presets.modulators, presets.modulators.count - 1)
    frame.closing.presetGenerator = .init(presets.generators, presets.generators.count - 1)
    frame.closing.instrumentModulator = .init(
      instruments.modulators, instruments.modulators.count - 1)
    frame.closing.instrumentGenerator = .init(
      instruments.generators, instruments.generators.count - 1)
    frame.closing.sample = Array(tables.hydra.sampleHeaders.last)
  }
}

extension DocumentReading {
  /// The presets; reports parts of their tables that do not belong to a preset.
  mutating func presets() -> [SoundFontDocument.Preset] {
    let level = tables.hydra.presetLevel
    reportUnused(of: level)
    return (0..<level.headers.count - 1).map {
      SoundFontDocument.Preset(level, $0, zones: Self.zones(level, of: $0))
    }
  }

  /// The instruments; reports parts of their tables that do not belong to an instrument.
  mutating func instruments() -> [SoundFontDocument.Instrument] {
    let level = tables.hydra.instrumentLevel
    reportUnused(of: level)
    return (0..<level.headers.count - 1).map { index in
      SoundFontDocument.Instrument(
        name: SoundFontDocument.Name(
          bytes: level.headers.records(index..<index + 1).prefix(SoundFontDocument.Name.length)),
        zones: Self.zones(level, of: index))
    }
  }

  /// The samples, which share the font's sample data.
  mutating func samples() -> [SoundFontDocument.Sample] {
    let data = SoundFontDocument.SampleData(
      bytes: bytes.part(tables.sampleData), lowBytes: tables.sampleLowBytes.map(bytes.part),
      isChunk: true)
    frame.wholeData = [data]
    let headers = tables.hydra.sampleHeaders
    return (0..<headers.count - 1).map { SoundFontDocument.Sample(headers, $0, data: data) }
  }

  private static func zones(_ level: FontHydra.Level, of index: Int) -> [SoundFontDocument.Zone] {
    FontHydra.bags(level, of: index).map { bag in
      let generators = level.bags.word(bag, at: 0)..<level.bags.word(bag + 1, at: 0)
      let modulators = level.bags.word(bag, at: 2)..<level.bags.word(bag + 1, at: 2)
      return SoundFontDocument.Zone(
        generators: generators.map { SoundFontDocument.Generator(level.generators, $0) },
        modulators: modulators.map { SoundFontDocument.Modulator(level.modulators, $0) })
    }
  }

  /// Reports zones and records outside all presets or instruments.
  private mutating func reportUnused(of level: FontHydra.Level) {
    // The index in a lone closing record has not been validated.
    guard level.headers.count > 1 else { return }
    let field = level.bagField
    let first = level.headers.word(0, at: field)
    let last = level.headers.word(level.headers.count - 1, at: field)
    report(first, last, of: level.bags, "zones", level)
    report(
      level.bags.word(first, at: 0), level.bags.word(last, at: 0), of: level.generators,
      "generators", level)
    report(
      level.bags.word(first, at: 2), level.bags.word(last, at: 2), of: level.modulators,
      "modulators", level)
  }

  private mutating func report(
    _ first: Int, _ last: Int, of table: FontTable, _ what: String, _ level: FontHydra.Level
  ) {
    let count = first + max(0, table.count - 1 - last)
    if count > 0 { repairs.append("\(count) \(what) that no \(level.what) has are left out") }
  }
}

extension SoundFontDocument.Preset {
  init(_ level: FontHydra.Level, _ index: Int, zones: [SoundFontDocument.Zone]) {
    let headers = level.headers
    name = SoundFontDocument.Name(
      bytes: headers.records(index..<index + 1).prefix(SoundFontDocument.Name.length))
    (program, bank) = (
      UInt16(headers.word(index, at: 20)), UInt16(headers.word(index, at: 22))
    )
    (library, genre, morphology) = (
      UInt32(headers.long(index, at: 26)), UInt32(headers.long(index, at: 30)),
      UInt32(headers.long(index, at: 34))
    )
    self.zones = zones
  }
}

extension SoundFontDocument.Sample {
  init(_ headers: FontTable, _ index: Int, data: SoundFontDocument.SampleData) {
    name = SoundFontDocument.Name(
      bytes: headers.records(index..<index + 1).prefix(SoundFontDocument.Name.length))
    self.data = data
    (start, end) = (headers.long(index, at: 20), headers.long(index, at: 24))
    kind = UInt16(headers.word(index, at: 44))
    // The loop of a compressed sample is relative to its first frame.
    let first = kind & 0x10 != 0 ? 0 : start
    loopStart = headers.long(index, at: 28) - first
    loopEnd = headers.long(index, at: 32) - first
    rate = UInt32(headers.long(index, at: 36))
    key = UInt8(headers.byte(index * headers.recordSize + 40))
    correction = Int8(truncatingIfNeeded: headers.byte(index * headers.recordSize + 41))
    link = UInt16(headers.word(index, at: 42))
  }
}
