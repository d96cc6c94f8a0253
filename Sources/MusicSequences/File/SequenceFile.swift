// SPDX-License-Identifier: Apache-2.0
public import MusicalTime

/// What a file held: its sequences, how it was written, and what the reading put right.
public struct SequenceFile: Sendable {
  /// The kind of file.
  public var container: Container
  /// The format the header names, even where it does not exist.
  public var declaredFormat: UInt16
  /// The number of tracks the header names.
  public var declaredTracks: UInt16
  /// What one tick is.
  public var division: Division
  /// The sequences: one of all tracks, or for format 2 one for each track.
  public var sequences: [MusicSequence]
  /// The chunks that are no tracks, in order.
  public var unknownChunks: [UnknownChunk]
  /// What a lenient reading put right, and its remarks: at most 1,000.
  public var repairs: [Repair]
  /// The number of further repairs and remarks, which were not kept.
  public var omittedRepairs: Int

  /// The RIFF wrapper that the song was read from, with its bank and texts; nil without one.
  public internal(set) var wrapper: SongWrapper?

  /// Creates a file from sequences made in memory; several become the patterns of format 2.
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

  /// Whether something was put right, beyond mere remarks.
  public var isRepaired: Bool { repairs.contains { !$0.isRemark } }

  /// The number of track chunks.
  public var trackCount: Int { sequences.reduce(0) { $0 + $1.tracks.count } }

  /// The kinds of file.
  public enum Container: String, Hashable, Sendable, CaseIterable {
    /// A Standard MIDI File.
    case smf
    /// A Standard MIDI File in a RIFF wrapper.
    case rmid
    /// Extended MIDI of the Miles sound system.
    case xmi
    /// A score of the DMX sound system.
    case mus
  }

  /// A chunk that is no track, as the file has it.
  public struct UnknownChunk: Hashable, Sendable {
    /// The number of tracks before it.
    public var position: Int
    /// The four letters of its name, and its bytes.
    public var name: [UInt8]
    /// The bytes after the length.
    public var bytes: [UInt8]
  }
}
