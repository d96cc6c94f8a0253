// SPDX-License-Identifier: Apache-2.0

/// The first bytes of a stream, until its container is known.
///
/// ID3 tags before any container are skipped when they arrive.
///
/// Source: ID3 2.4.0, section 3.1.
struct StreamOpening: Sendable {
  /// The parsers of containers with a signature.
  ///
  /// Without a signature, packets of MPEG audio and ADTS are searched for.
  private static let parsers: [any StreamParsing.Type] = [
    MP4StreamParser.self, OggStreamParser.self, FLACStreamParser.self, PCMStreamParser.self,
    TransportStreamParser.self,
  ]
  private static let tagHeaderByteCount = 10
  /// The number of bytes after which a parser is selected in any case.
  private static let patience = 1 << 14

  /// The container if it is given; nil to detect it.
  let kind: SoundStream.Kind?
  private var window: ByteWindow
  private var tagReader: ID3Reader?

  /// Creates an opening.
  ///
  /// - Parameters:
  ///   - offset: The position of the first byte in the stream.
  ///   - kind: The container; nil to detect it.
  init(at offset: Int64, kind: SoundStream.Kind?) {
    (self.kind, window) = (kind, ByteWindow(at: offset))
  }

  /// The position of the first byte after tags.
  var offset: Int64 { window.offset }
  /// The bytes from `offset` on.
  var rest: [UInt8] { Array(window.unread) }
  /// The position after the last appended byte.
  var endOffset: Int64 { window.endOffset }
  /// The texts of the skipped tags.
  private(set) var tags: [SoundFileMetadata.Tag: String] = [:]

  /// Appends bytes.
  mutating func append(_ bytes: [UInt8]) {
    window.append(bytes)
    readTags()
  }

  /// Drops an incomplete start, because bytes after it are missing.
  mutating func noteDiscontinuity() {
    tagReader = nil
    window.clear()
  }

  /// Skips the rest of a tag without receiving it; returns the position of the next byte that is
  /// needed.
  mutating func pass() -> Int64 {
    if let reader = tagReader {
      tagReader = nil
      window.drop(reader.leftByteCount)
    }
    return window.pass()
  }

  /// Selects a parser.
  ///
  /// - Parameters:
  ///   - current: The parser before a discontinuity, which continues unless the bytes start another
  ///     container; nil at the start.
  ///   - isFinished: True if no more bytes follow.
  /// - Returns: The parser; nil if more bytes are needed.
  func choose(
    current: (any StreamParsing)?, isFinished: Bool
  ) -> (any StreamParsing.Type)? {
    let bytes = window.unread
    guard isFinished || tagReader == nil && !bytes.isEmpty && !Self.mayBeTag(bytes) else {
      return nil
    }
    if let kind { return kind.parser }
    var standing: any StreamParsing.Type = MPEGStreamParser.self
    var candidates = Self.parsers
    if let current {
      standing = type(of: current)
      candidates.append(MPEGStreamParser.self)
    }
    guard !bytes.isEmpty else { return standing }
    var isOpen = false
    for parser in candidates {
      switch parser.recognizes(bytes, isWhole: isFinished) {
      case true?: return parser
      case nil: isOpen = true
      case false?: break
      }
    }
    return isOpen && !isFinished && bytes.count < Self.patience ? nil : standing
  }

  /// True if the bytes can be the start of an ID3 tag.
  private static func mayBeTag(_ bytes: ArraySlice<UInt8>) -> Bool {
    bytes.count < tagHeaderByteCount
      && "ID3".utf8.prefix(bytes.count).elementsEqual(bytes.prefix(3))
  }

  private mutating func readTags() {
    while window.count > 0 {
      if tagReader == nil {
        guard let reader = ID3Reader(header: window.unread) else { return }
        tagReader = reader
      }
      guard var reader = tagReader else { return }
      tagReader = nil
      let count = reader.append(window.unread)
      window.drop(count)
      if reader.leftByteCount > 0 {
        tagReader = reader
      } else {
        tags.merge(reader.tags) { _, new in new }
      }
      if count == 0 { return }
    }
  }
}

extension SoundStream.Kind {
  /// The parser of a container.
  fileprivate var parser: any StreamParsing.Type {
    switch self {
    case .adts, .mpegAudio: MPEGStreamParser.self
    case .mp4: MP4StreamParser.self
    case .ogg: OggStreamParser.self
    case .flac: FLACStreamParser.self
    case .wave, .aiff, .au, .caf: PCMStreamParser.self
    case .transport: TransportStreamParser.self
    }
  }
}
