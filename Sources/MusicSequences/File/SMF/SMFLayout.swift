// SPDX-License-Identifier: Apache-2.0
public import MusicalTime

/// The positions of a file's chunks, found before events are parsed.
///
/// If the stated length of a track is wrong, its range ends at the next track. Each track can
/// therefore be parsed separately, in any order and on any thread.
public struct SMFLayout: Sendable {
  /// The range of each track's bytes in the file, after the chunk's name and length.
  public internal(set) var tracks: [Range<Int>] = []
  /// The unit of ticks: parts of a quarter note or of an SMPTE frame.
  public internal(set) var division: Division = .standard
  var container = SequenceFile.Container.smf
  /// The RIFF wrapper; nil for a plain file.
  var wrapper: SongWrapper?
  var declaredFormat: UInt16 = 1
  var declaredTracks: UInt16 = 0
  var unknownChunks: [(position: Int, chunk: Range<Int>)] = []
  var log = RepairLog(limit: RepairLog.fileLimit)
  let reader: ByteReader
  /// The end of the MIDI file's bytes; a RIFF wrapper can contain more.
  var end: Int

  init(_ reader: ByteReader) {
    self.reader = reader
    end = reader.count
  }

  /// The format of the sequence.
  ///
  /// Invalid formats are read as format 1.
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
