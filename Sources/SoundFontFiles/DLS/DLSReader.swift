// SPDX-License-Identifier: Apache-2.0

/// Reads a DLS file: its collection of instruments, and the headers of the waves that they use.
///
/// Sound is not read. A file with a damaged structure is refused. A wave that cannot be played is
/// reported and silent.
///
/// Source: DLS 1.1b and DLS 2.2, section 2.
struct DLSReader {
  /// The maximum number of instruments, and of regions, which is that of a soundfont's tables.
  static let limit = 65_534
  /// The maximum number of texts in a list.
  private static let textCount = 64
  /// The maximum size of a text in bytes.
  static let textLimit = 65_535
  /// The maximum number of findings.
  private static let findingLimit = 1000

  var window: ChunkWindow
  var collection = DLSCollection()
  /// The number of regions read so far.
  var regionCount = 0
  /// The table of the positions of waves in the wave pool.
  var cues: RIFFChunk?
  var pool: RIFFChunk?

  private init(_ bytes: FontBytes) { window = ChunkWindow(bytes) }

  /// Returns true if bytes start as a DLS file: `RIFF`, a size, `DLS `.
  static func isDLS(_ bytes: FontBytes) throws(SoundFontError) -> Bool {
    guard let head = try bytes.chunk(at: 0) else { return false }
    return head.name == "RIFF" && head.kind == "DLS "
  }

  /// Reads a file.
  ///
  /// - Throws: `SoundFontError`.
  /// - Complexity: O(n) in the number of chunks; at most 4 KiB is read around each.
  static func collection(_ bytes: FontBytes) throws(SoundFontError) -> DLSCollection {
    var reader = DLSReader(bytes)
    try reader.readForm()
    return reader.collection
  }

  private mutating func readForm() throws(SoundFontError) {
    let form = try form()
    guard try isUsed(form) else {
      throw .notSoundFont(reason: "its condition excludes this player")
    }
    var instruments: RIFFChunk?
    try forEachChunk(of: form) { (reader, chunk) throws(SoundFontError) in
      switch chunk.label {
      case "INFO": reader.collection.information += try reader.texts(of: chunk)
      case "lins": instruments = instruments ?? chunk
      case "ptbl": reader.cues = reader.cues ?? chunk
      case "wvpl": reader.pool = reader.pool ?? chunk
      default: break
      }
    }
    guard let instruments else { throw .damaged(reason: "the list 'lins' is missing") }
    try readInstruments(instruments)
    try readWaves()
  }

  /// The chunk that contains all others.
  ///
  /// Some writers include the chunk's header in its size, or padding at the end that is missing.
  private mutating func form() throws(SoundFontError) -> RIFFChunk {
    guard let form = try window.chunk(at: 0), form.kind == "DLS " else {
      throw .notSoundFont(reason: "it does not start with RIFF and DLS")
    }
    let end = form.content.upperBound
    guard end <= window.count || [1, 8].contains(end - window.count) else {
      throw .truncated(byteCount: window.count, expected: end)
    }
    return RIFFChunk(
      name: form.name, kind: form.kind, start: 0,
      content: form.content.lowerBound..<min(end, window.count))
  }

  /// Calls a function with each chunk of a list, or with the first ones.
  mutating func forEachChunk(
    of list: RIFFChunk, atMost limit: Int = .max,
    _ body: (inout DLSReader, RIFFChunk) throws(SoundFontError) -> Void
  ) throws(SoundFontError) {
    var place = list.content.lowerBound
    var count = 0
    while count < limit, let chunk = try window.chunk(at: place, in: list) {
      try body(&self, chunk)
      place = chunk.end
      count += 1
    }
  }

  /// Returns true if the condition of a list is met, or missing.
  ///
  /// A condition that cannot be evaluated is reported, and the list is used.
  mutating func isUsed(_ list: RIFFChunk) throws(SoundFontError) -> Bool {
    var place = list.content.lowerBound
    while let chunk = try window.chunk(at: place, in: list) {
      if chunk.name == "cdl " { return try isMet(chunk) }
      place = chunk.end
    }
    return true
  }

  private mutating func isMet(_ condition: RIFFChunk) throws(SoundFontError) -> Bool {
    let program = try window.bytes(condition.content.prefix(Self.textLimit))
    do throws(DLSCondition.Fault) {
      return try DLSCondition.isMet(program)
    } catch {
      report("condition at byte \(condition.start)", "cannot be evaluated, the list is used")
      return true
    }
  }

  /// The information chunks of a list, in order.
  private mutating func texts(
    of list: RIFFChunk
  ) throws(SoundFontError) -> [(name: String, content: [UInt8])] {
    var texts: [(name: String, content: [UInt8])] = []
    try forEachChunk(of: list, atMost: Self.textCount) { (reader, chunk) throws(SoundFontError) in
      let content = try reader.window.bytes(chunk.content.prefix(Self.textLimit))
      texts.append((chunk.name.description, Array(content)))
    }
    return texts
  }

  /// The name in a list of information; empty if it is missing.
  mutating func name(in list: RIFFChunk) throws(SoundFontError) -> String {
    var name = ""
    try forEachChunk(of: list, atMost: Self.textCount) { (reader, chunk) throws(SoundFontError) in
      guard chunk.name == "INAM" else { return }
      name = FontTable.text(try reader.window.bytes(chunk.content.prefix(255)))
    }
    return name
  }

  /// A number in a chunk's content.
  ///
  /// - Throws: `SoundFontError.damaged` if the chunk is too short.
  mutating func number(
    _ chunk: RIFFChunk, at offset: Int, size: Int, isSigned: Bool = false
  ) throws(SoundFontError) -> Int {
    let place = chunk.content.lowerBound + offset
    guard place + size <= chunk.content.upperBound,
      let value = try window.number(at: place, size: size)
    else {
      throw .damaged(
        reason: "the chunk '\(chunk.label)' at byte \(chunk.start) has "
          + "\(chunk.content.count) bytes, too few")
    }
    return isSigned && value >= 1 << (8 * size - 1) ? value - 1 << (8 * size) : value
  }

  /// Reports a part of the file that cannot be played.
  mutating func report(_ place: String, _ reason: String) {
    guard collection.findings.count < Self.findingLimit else { return }
    collection.findings.append(SoundFontTables.Finding(place: place, reason: reason))
  }
}
