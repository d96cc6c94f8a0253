// SPDX-License-Identifier: Apache-2.0
public import MusicalTime

/// The contents of a file: its sequences, its format, and the repairs made by the reader.
public struct SequenceFile: Sendable {
  /// The kind of file.
  public var container: Container
  /// The format number in the header, even if it is not a valid format.
  public var declaredFormat: UInt16
  /// The number of tracks in the header.
  public var declaredTracks: UInt16
  /// The unit of ticks: parts of a quarter note or of an SMPTE frame.
  public var division: Division
  /// The sequences: one for each track in format 2, otherwise one with all tracks.
  public var sequences: [MusicSequence]
  /// The chunks that are not tracks, in order.
  public var unknownChunks: [UnknownChunk]
  /// The repairs and remarks of a lenient reader, at most 1,000.
  public var repairs: [Repair]
  /// The number of repairs and remarks beyond those in `repairs`.
  public var omittedRepairs: Int

  /// The RIFF wrapper of an RMID file, with its bank and texts; nil for other files.
  public internal(set) var wrapper: SongWrapper?

  /// Creates a file from sequences.
  ///
  /// Two or more sequences become the patterns of format 2.
  public init(_ sequences: [MusicSequence]) {
    container = .smf
    declaredFormat = (sequences.first?.format ?? .pattern).rawValue
    division = sequences.first?.division ?? .standard
    self.sequences = sequences
    unknownChunks = []
    repairs = []
    omittedRepairs = 0
    declaredTracks = 0
    declaredTracks = UInt16(clamping: trackCount)
  }

  init(
    container: Container, declaredFormat: UInt16, declaredTracks: UInt16, division: Division,
    sequences: [MusicSequence], unknownChunks: [UnknownChunk], repairs: [Repair],
    omittedRepairs: Int
  ) {
    self.container = container
    self.declaredFormat = declaredFormat
    self.declaredTracks = declaredTracks
    self.division = division
    self.sequences = sequences
    self.unknownChunks = unknownChunks
    self.repairs = repairs
    self.omittedRepairs = omittedRepairs
  }

  /// True if the reader made repairs; remarks are ignored.
  public var isRepaired: Bool { repairs.contains { !$0.isRemark } }

  /// The number of track chunks.
  public var trackCount: Int { sequences.reduce(0) { $0 + $1.tracks.count } }

  /// The kinds of file.
  public enum Container: String, Hashable, Sendable, CaseIterable {
    /// A Standard MIDI File without a wrapper.
    case smf
    /// A Standard MIDI File in a RIFF wrapper.
    case rmid
    /// Extended MIDI (XMI) of the Miles sound system, used by games.
    case xmi
    /// A score of the DMX sound system (MUS), used by Doom and other games.
    case mus
  }

  /// A chunk that is not a track, unchanged from the file.
  public struct UnknownChunk: Hashable, Sendable {
    /// The number of track chunks before this chunk.
    public var position: Int
    /// The four bytes of its name.
    public var name: [UInt8]
    /// The content of the chunk, after its name and length.
    public var bytes: [UInt8]
  }
}
