// SPDX-License-Identifier: Apache-2.0

/// The connections of an instrument or a region.
///
/// Those of level 2 replace those of level 1.
///
/// A file that contains both lists supports both levels.
struct DLSArticulationList {
  /// The maximum number of connections.
  static let limit = 1024
  private var lists: [Int: [DLSConnection]] = [:]

  /// The connections, or nil without a list.
  var connections: [DLSConnection]? { lists[2] ?? lists[1] }

  /// The number of connections of a level, or 0.
  func count(level: Int) -> Int { lists[level]?.count ?? 0 }

  /// Adds connections, possibly none.
  mutating func append(_ connections: [DLSConnection], level: Int) {
    lists[level, default: []] += connections
  }
}

extension DLSReader {
  /// Reads a list `lart` or `lar2`, unless its condition excludes it.
  mutating func readConnections(
    _ list: RIFFChunk, into articulation: inout DLSArticulationList
  ) throws(SoundFontError) {
    guard try isUsed(list) else { return }
    let level = list.label == "lar2" ? 2 : 1
    if level == 2 { collection.level = 2 }
    articulation.append([], level: level)
    var read = articulation
    try forEachChunk(of: list) { (reader, chunk) throws(SoundFontError) in
      guard chunk.label == "art1" || chunk.label == "art2" else { return }
      let room = DLSArticulationList.limit - read.count(level: level)
      read.append(try reader.connections(chunk, atMost: room), level: level)
    }
    articulation = read
  }

  /// The connections of a chunk `art1` or `art2`.
  private mutating func connections(
    _ chunk: RIFFChunk, atMost room: Int
  ) throws(SoundFontError) -> [DLSConnection] {
    let isFirstLevel = chunk.label == "art1"
    if !isFirstLevel { collection.level = 2 }
    let head = max(8, try number(chunk, at: 0, size: 4))
    let claimed = try number(chunk, at: 4, size: 4)
    let count = min(claimed, max(0, chunk.content.count - head) / 12)
    if claimed > count {
      report(
        "articulation at byte \(chunk.start)", "claims \(claimed) connections, but has \(count)")
    }
    if count > room {
      report("articulation at byte \(chunk.start)", "only \(room) of its connections are used")
    }
    var connections: [DLSConnection] = []
    for index in 0..<min(count, room) {
      connections.append(
        try connection(chunk, at: head + 12 * index, isFirstLevel: isFirstLevel))
    }
    return connections
  }

  private mutating func connection(
    _ chunk: RIFFChunk, at offset: Int, isFirstLevel: Bool
  ) throws(SoundFontError) -> DLSConnection {
    let words = (
      UInt16(try number(chunk, at: offset, size: 2)),
      UInt16(try number(chunk, at: offset + 2, size: 2)),
      UInt16(try number(chunk, at: offset + 4, size: 2)),
      UInt16(try number(chunk, at: offset + 6, size: 2))
    )
    let isFirstLevel = isFirstLevel || Self.hasFirstTransform(words.3)
    let scale = Int32(
      truncatingIfNeeded: try number(chunk, at: offset + 8, size: 4, isSigned: true))
    return DLSConnection(
      source: words.0, control: words.1, destination: words.2,
      sourceCurve: isFirstLevel
        ? .firstLevel(words.3, of: words.0) : DLSCurve(bits: words.3 >> 10),
      controlCurve: isFirstLevel
        ? .firstLevel(0, of: words.1) : DLSCurve(bits: words.3 >> 4 & 0x3F),
      scale: scale)
  }

  /// True if a transform of level 2 contains only the shape of an output.
  ///
  /// The standard does not define shapes of outputs. Writers that set one mean the transform of
  /// level 1, which has the same bits.
  private static func hasFirstTransform(_ transform: UInt16) -> Bool {
    (1...3).contains(transform)
  }
}

extension DLSCurve {
  /// Reads six bits of level 2: shape, polarity and direction.
  ///
  /// Source: DLS 2.2, section 2.10.
  fileprivate init(bits: UInt16) {
    self.init(shape: bits & 0xF, isBipolar: bits & 0x10 != 0, isInverted: bits & 0x20 != 0)
  }

  /// The curve of a source of level 1, which does not have bits for polarity and direction.
  ///
  /// Oscillators, the pitch wheel and pan are bipolar. A concave source is a level, and decreases.
  ///
  /// Source: DLS 1.1b, section 1.6 and table 4.
  fileprivate static func firstLevel(_ transform: UInt16, of source: UInt16) -> DLSCurve {
    let isBipolar = [
      DLSSource.oscillator, DLSSource.vibrato, DLSSource.pitchWheel, DLSSource.pan,
    ].contains(source)
    let shape = transform & 0xF
    return DLSCurve(shape: shape, isBipolar: isBipolar, isInverted: shape == 1)
  }
}
