// SPDX-License-Identifier: Apache-2.0

/// Reads Standard MIDI Files, formats 0, 1 and 2, plain or in a RIFF wrapper, and the scores of
/// two game sound systems (XMI and MUS).
///
/// Reading is lenient: what can be read is read, and each repair is reported with its place.
/// Memory is bounded by the bytes given, whatever a length in them claims.
///
/// `read` does everything on the caller's thread. To share the work, take the layout, parse its
/// tracks (of a Standard MIDI File) on as many threads as there are cores, and put the results
/// together in order:
/// ```
/// let layout = try reader.layout(of: bytes)
/// let tracks = layout.tracks.indices.map { reader.parseTrack($0, of: layout) }
/// let file = try reader.assemble(layout, tracks)
/// ```
///
/// Source: Standard MIDI Files 1.0 (RP-001); RIFF-RMID (RP-029).
public struct SMFReader: Sendable {
  /// Whether the first repair is thrown instead of made.
  public var isStrict: Bool
  /// Whether tracks keep the bytes they were read from, so that the writer gives them back.
  public var keepsSource: Bool

  /// Creates a reader.
  public init(strict: Bool = false, keepsSource: Bool = true) {
    isStrict = strict
    self.keepsSource = keepsSource
  }

  /// Reads a file.
  ///
  /// - Throws: `SequenceError.notMIDI`, `SequenceError.damagedHeader`, `SequenceError.tooLarge`;
  ///   `SequenceError.malformed` at the first repair where reading is strict.
  /// - Complexity: O(n) in bytes, in time and in memory.
  public func read(_ bytes: [UInt8]) throws(SequenceError) -> SequenceFile {
    if let file = try readGameScore(ByteReader(bytes: bytes)) { return file }
    let layout = try layout(of: bytes)
    var scratch = ParserScratch(for: layout)
    var tracks: [ParsedTrack] = []
    tracks.reserveCapacity(layout.tracks.count)
    for index in layout.tracks.indices {
      tracks.append(parse(index, of: layout, scratch: &scratch))
      if isStrict, let repair = tracks[index].log.firstRepair { throw .malformed(repair) }
    }
    return try assemble(layout, tracks)
  }

  /// Finds the chunks of a file.
  ///
  /// - Throws: as `read`, for the header and what lies between tracks.
  public func layout(of bytes: [UInt8]) throws(SequenceError) -> SMFLayout {
    guard bytes.count <= 1 << 31 else { throw .tooLarge(bytes.count) }
    var layout = SMFLayout(ByteReader(bytes: bytes))
    try layout.scan()
    if isStrict, let repair = layout.log.firstRepair { throw .malformed(repair) }
    return layout
  }

  /// Parses the tracks that a closure names until it gives nil: one thread's share of the work.
  ///
  /// - Parameters:
  ///   - layout: Where the tracks lie.
  ///   - next: Gives the index of the next track that nobody has taken yet, nil after the last.
  /// - Returns: The tracks in the order in which they were named.
  public func parseTracks(
    of layout: SMFLayout, taking next: () -> Int?
  ) -> [(index: Int, track: ParsedTrack)] {
    var scratch = ParserScratch(for: layout)
    var parsed: [(index: Int, track: ParsedTrack)] = []
    while let index = next() {
      parsed.append((index, parse(index, of: layout, scratch: &scratch)))
    }
    return parsed
  }

  private func parse(
    _ index: Int, of layout: SMFLayout, scratch: inout ParserScratch
  ) -> ParsedTrack {
    let range = layout.tracks[index]
    scratch.reserve(bytes: range.count)
    return unsafe layout.reader.bytes.withUnsafeBytes { bytes in
      guard let base = bytes.baseAddress else { return ParsedTrack() }
      var parser = unsafe TrackParser(
        base, range: range, track: index, strict: isStrict, scratch: scratch)
      parser.parse()
      return ParsedTrack(parser, end: range.upperBound)
    }
  }
}
