// SPDX-License-Identifier: Apache-2.0

/// Reads Standard MIDI Files of formats 0, 1 and 2, RMID files, and game scores (XMI and MUS).
///
/// Reading is lenient by default: damaged parts are repaired or skipped, and each repair is
/// reported with its position. Memory use is limited by the size of the input, even if the input
/// states larger lengths.
///
/// `read` works on the caller's thread. To use several threads for a Standard MIDI File, find the
/// layout, parse the tracks on as many threads as you like, and assemble the results in order:
/// ```
/// let layout = try reader.layout(of: bytes)
/// var indices = layout.tracks.indices.makeIterator()
/// let parsed = reader.parseTracks(of: layout) { indices.next() }  // one call for each thread
/// let file = try reader.assemble(layout, parsed.map { $0.track })
/// ```
///
/// Source: Standard MIDI Files 1.0 (RP-001); RIFF-RMID (RP-029).
public struct SMFReader: Sendable {
  /// True to throw an error at the first repair; false by default.
  public var isStrict: Bool
  /// True, the default, to keep the bytes of tracks so that unedited tracks are written back
  /// unchanged.
  public var keepsSource: Bool

  /// Creates a reader.
  ///
  /// - Parameters:
  ///   - strict: True to throw an error at the first repair.
  ///   - keepsSource: True to keep the bytes of tracks for the writer.
  public init(strict: Bool = false, keepsSource: Bool = true) {
    isStrict = strict
    self.keepsSource = keepsSource
  }

  /// Reads a file.
  ///
  /// - Throws: `SequenceError.notMIDI`, `SequenceError.damagedHeader`, `SequenceError.tooLarge`;
  ///   `SequenceError.malformed` at the first repair if reading is strict.
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
  /// - Throws: The errors of `read` for the header and the bytes between tracks.
  public func layout(of bytes: [UInt8]) throws(SequenceError) -> SMFLayout {
    guard bytes.count <= 1 << 31 else { throw .tooLarge(bytes.count) }
    var layout = SMFLayout(ByteReader(bytes: bytes))
    try layout.scan()
    if isStrict, let repair = layout.log.firstRepair { throw .malformed(repair) }
    return layout
  }

  /// Parses the tracks that a closure selects, so that several threads can share the work.
  ///
  /// - Parameters:
  ///   - layout: The positions of the tracks.
  ///   - next: Returns the index of the next track to parse, or nil if none is left.
  /// - Returns: The parsed tracks, in the order in which they were selected.
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
