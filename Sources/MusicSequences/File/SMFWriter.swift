// SPDX-License-Identifier: Apache-2.0
import MusicalTime

/// Writes sequences as Standard MIDI Files.
///
/// A track that was not edited is given back byte for byte; an edited one is written in the order
/// of its events, note-offs before what else its tick has.
///
/// Source: Standard MIDI Files 1.0 (RP-001).
public struct SMFWriter: Sendable {
  /// Whether a status byte that repeats is left out.
  public var usesRunningStatus: Bool

  /// Creates a writer.
  public init(usesRunningStatus: Bool = true) {
    self.usesRunningStatus = usesRunningStatus
  }

  /// The bytes of a file that holds one sequence.
  ///
  /// - Parameters:
  ///   - sequence: The sequence to write.
  ///   - format: Format 0 or 1; nil for the sequence's own.
  /// - Returns: The whole file.
  /// - Throws: `SequenceError.notRepresentable` for a division no file can name, more than
  ///   65,535 tracks, or notes and channel messages in the tempo track.
  /// - Complexity: O(n log p) for p notes that sound at once.
  public func write(
    _ sequence: MusicSequence, format: MusicSequence.Format? = nil
  ) throws(SequenceError) -> [UInt8] {
    let format = format ?? sequence.format
    var out = OutputBytes(capacity: 1 << 16)
    var tracks = sequence.tracks
    // Tempo events need a track to stand in.
    if tracks.isEmpty, !sequence.tempoTrack.isEmpty { tracks = [MusicTrack()] }
    let single = format == .single && tracks.count > 1
    try header(format, count: single ? 1 : tracks.count, sequence.division, into: &out)
    if single {
      try checkConductor(sequence.tempoTrack)
      let merged = MergedTracks(tracks).track
      try append(merged, conductor: sequence.tempoTrack.conductorEvents { _ in true }, into: &out)
      return out.bytes
    }
    try append(tracks, of: sequence, into: &out)
    return out.bytes
  }

  /// The bytes of a file with everything it was read with: the same, where nothing was edited and
  /// nothing had to be repaired.
  ///
  /// - Throws: as for one sequence.
  public func write(_ file: SequenceFile) throws(SequenceError) -> [UInt8] {
    guard let first = file.sequences.first else { return try write(emptyOf: file) }
    var out = OutputBytes()
    try header(first.format, count: file.trackCount, first.division, into: &out)
    var position = 0
    var chunks = file.unknownChunks[...]
    for sequence in file.sequences {
      try append(sequence.tracks, of: sequence, into: &out) { out in
        Self.append(&chunks, at: position, into: &out)
        position += 1
      }
    }
    Self.append(&chunks, at: .max, into: &out)
    return out.bytes
  }

  private func write(emptyOf file: SequenceFile) throws(SequenceError) -> [UInt8] {
    var out = OutputBytes()
    try header(.pattern, count: 0, file.division, into: &out)
    var chunks = file.unknownChunks[...]
    Self.append(&chunks, at: .max, into: &out)
    return out.bytes
  }

  private func header(
    _ format: MusicSequence.Format, count: Int, _ division: Division, into out: inout OutputBytes
  ) throws(SequenceError) {
    guard let bits = division.smfBits else {
      throw .notRepresentable("SMPTE division of a rate other than 24, 25, 29.97 or 30")
    }
    guard let tracks = UInt16(exactly: count) else {
      throw .notRepresentable("\(count) tracks, a file holds 65535")
    }
    out.append("MThd")
    out.append(long: 6)
    for word in [format.rawValue, tracks, bits] { out.append(word: word) }
  }

  private static func append(
    _ chunks: inout ArraySlice<SequenceFile.UnknownChunk>, at position: Int,
    into out: inout OutputBytes
  ) {
    while let chunk = chunks.first, chunk.position <= position {
      chunks.removeFirst()
      out.append(contentsOf: chunk.name)
      out.append(long: UInt32(truncatingIfNeeded: chunk.bytes.count))
      out.append(contentsOf: chunk.bytes)
    }
  }
}
