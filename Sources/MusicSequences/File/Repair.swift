// SPDX-License-Identifier: Apache-2.0
public import MusicalTime

/// What a lenient reading put right, or remarked on, and where.
///
/// A repair changed what the bytes say or guessed what they meant; a remark only points at
/// something legal that a musician may want to know of. `strict` reading throws at the first
/// repair and passes over remarks.
public struct Repair: Hashable, Sendable {
  /// The index of the track chunk, from 0; nil for the header and what lies between tracks.
  public let track: Int?
  /// The tick within the track; nil for the header and what lies between tracks.
  public let tick: Tick?
  /// The offset of the byte in the file.
  public let offset: Int
  /// What was found.
  public let kind: Kind
  /// The number in the message, such as a length, a count or a byte; 0 where it has none.
  public let value: Int

  init(_ kind: Kind, track: Int? = nil, tick: Tick? = nil, offset: Int, value: Int = 0) {
    self.kind = kind
    self.track = track
    self.tick = tick
    self.offset = offset
    self.value = value
  }

  /// Whether this is a remark: the file is as the standard allows, and nothing was changed.
  public var isRemark: Bool {
    switch kind {
    case .unreleasedNote, .unknownChunk, .longHeader: true
    default: false
    }
  }

  /// What can be found in a file; the raw values are the `kind` of `info --json`.
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
