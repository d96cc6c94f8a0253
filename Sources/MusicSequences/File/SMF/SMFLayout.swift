// SPDX-License-Identifier: Apache-2.0
public import MusicalTime

/// Where the chunks of a file lie, found before any event is parsed.
///
/// A track that claims a wrong length is given the bytes up to the next track, so that each can be
/// parsed by itself, in any order and on any thread.
public struct SMFLayout: Sendable {
  /// The bytes of each track chunk, without its name and length.
  public internal(set) var tracks: [Range<Int>] = []
  /// What one tick is.
  public internal(set) var division: Division = .standard
  var container = SequenceFile.Container.smf
  /// The RIFF wrapper; nil for a plain file.
  var wrapper: SongWrapper?
  var declaredFormat: UInt16 = 1
  var declaredTracks: UInt16 = 0
  var unknownChunks: [(position: Int, chunk: Range<Int>)] = []
  var log = RepairLog(limit: RepairLog.fileLimit)
  let reader: ByteReader
  /// The end of the bytes that belong to the file: a RIFF wrapper may hold more.
  var end: Int

  init(_ reader: ByteReader) {
    self.reader = reader
    end = reader.count
  }

  /// How the tracks belong together; what cannot be is read as format 1.
  var format: MusicSequence.Format {
    switch declaredFormat {
    case 0 where tracks.count <= 1: .single
    case 2: .pattern
    default: .simultaneous
    }
  }

  mutating func note(_ kind: Repair.Kind, at offset: Int, value: Int = 0, track: Int? = nil) {
    log.append(Repair(kind, track: track, offset: offset, value: value))
  }
}
