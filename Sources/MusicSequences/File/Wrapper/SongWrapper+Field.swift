// SPDX-License-Identifier: Apache-2.0

extension SongWrapper {
  /// The supported fields in the `INFO` list of a RIFF wrapper.
  public enum Field: String, Hashable, Sendable, CaseIterable {
    /// The title of the song (`INAM`).
    case title
    /// The artist, or the creator of the MIDI file (`IART`).
    case artist
    /// The album (`IALB`, or `IPRD`).
    case album
    /// The copyright (`ICOP`).
    case copyright
    /// The date of creation (`ICRD`; older files have `ICRT`).
    case date
    /// The genre (`IGNR`).
    case genre
    /// The comment (`ICMT`).
    case comment
    /// The engineer, or the creator of the bank (`IENG`).
    case engineer
    /// The subject (`ISBJ`).
    case subject
    /// The program that wrote the file (`ISFT`).
    case software
    /// The name of the encoding of these texts (`IENC`).
    case encoding
    /// The name of the encoding of the texts in the song (`MENC`).
    case songEncoding
    /// The bank offset, two bytes (`DBNK`).
    case bankOffset
    /// A picture, such as the cover of the album (`IPIC`).
    case picture

    /// The names of the field's chunk, the preferred one first.
    public var names: [ChunkName] {
      switch self {
      case .title: [ChunkName("INAM")]
      case .artist: [ChunkName("IART")]
      case .album: [ChunkName("IALB"), ChunkName("IPRD")]
      case .copyright: [ChunkName("ICOP")]
      case .date: [ChunkName("ICRD"), ChunkName("ICRT")]
      case .genre: [ChunkName("IGNR")]
      case .comment: [ChunkName("ICMT")]
      case .engineer: [ChunkName("IENG")]
      case .subject: [ChunkName("ISBJ")]
      case .software: [ChunkName("ISFT")]
      case .encoding: [ChunkName("IENC")]
      case .songEncoding: [ChunkName("MENC")]
      case .bankOffset: [ChunkName("DBNK")]
      case .picture: [ChunkName("IPIC")]
      }
    }

    /// True if the field contains text; false for a number or a picture.
    public var isText: Bool { self != .bankOffset && self != .picture }

    /// True if the field is text for people, in the encoding that the `IENC` field names.
    public var isDescription: Bool { isText && self != .encoding && self != .songEncoding }
  }
}
