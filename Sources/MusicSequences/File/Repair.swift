// SPDX-License-Identifier: Apache-2.0
public import MusicalTime

/// A repair or remark by a lenient reader, with its position in the file.
///
/// A repair changes the content of a damaged file, or guesses its meaning. A remark points out
/// something legal that a musician may want to know. Strict reading throws an error at the first
/// repair and ignores remarks.
public struct Repair: Hashable, Sendable {
  /// The index of the track chunk, from 0; nil for the header and for bytes between tracks.
  public let track: Int?
  /// The tick within the track; nil for the header and for bytes between tracks.
  public let tick: Tick?
  /// The position in the file, in bytes from its start.
  public let offset: Int
  /// The defect or remark.
  public let kind: Kind
  /// The number in the message, such as a length, a count or a byte; 0 if the message has none.
  public let value: Int

  init(_ kind: Kind, track: Int? = nil, tick: Tick? = nil, offset: Int, value: Int = 0) {
    self.kind = kind
    self.track = track
    self.tick = tick
    self.offset = offset
    self.value = value
  }

  /// True for a remark: the file conforms to the standard, and nothing was changed.
  public var isRemark: Bool {
    switch kind {
    case .unreleasedNote, .unknownChunk, .longHeader: true
    default: false
    }
  }

  /// The kinds of repairs and remarks.
  ///
  /// The raw values are the `kind` in the output of `info --json`.
  public enum Kind: String, Hashable, Sendable, CaseIterable {
    case leadingBytes
    case wrapperLength
    case wrapperChunk
    case bankLength
    case furtherBank
    case bankOffset
    case longHeader
    case headerLength
    case unknownFormat
    case formatZeroTracks
    case trackCount
    case divisionZero
    case frameRate
    case ticksPerFrame
    case chunkName
    case unknownChunk
    case trailingBytes
    case trackLength
    case missingEndOfTrack
    case endOfTrackLength
    case bytesAfterEndOfTrack
    case truncatedEvent
    case truncatedPayload
    case longQuantity
    case longDelta
    case endlessQuantity
    case dataByte
    case systemStatus
    case missingStatus
    case runningStatusAcrossMeta
    case metaType
    case tempoLength
    case tempoZero
    case timeSignature
    case keySignature
    case tickRange
    case noteLength
    case unreleasedNote
    case trackFull
  }
}
