// SPDX-License-Identifier: Apache-2.0

/// Reads the metadata blocks of a FLAC stream as their bytes arrive; pictures are skipped.
///
/// Source: RFC 9639, section 8.
struct FLACBlockReader: Sendable {
  private enum State {
    /// The header of a block is next.
    case header
    /// STREAMINFO is next, in a block of this size.
    case description(byteCount: Int)
    /// This number of bytes of comments remains.
    case comments(left: Int)
    /// This number of bytes of a seek table remains.
    case seekTable(left: Int)
    /// All blocks have been read.
    case end
  }

  /// The STREAMINFO block; nil if it is missing.
  private(set) var stream: FLACStreamBlock?
  private(set) var seekTable = FLACSeekTable()
  private var comments = VorbisCommentReader()
  private var state = State.header
  private var isLast = false

  /// The tags.
  var tags: [SoundFileMetadata.Tag: String] { comments.tags }

  /// True after the last block.
  var isComplete: Bool {
    if case .end = state { true } else { false }
  }

  /// Reads all blocks that are available; returns false if more bytes are needed.
  mutating func read(_ window: inout ByteWindow) -> Bool {
    while !isComplete {
      guard step(&window) else { return false }
    }
    return true
  }

  private mutating func step(_ window: inout ByteWindow) -> Bool {
    switch state {
    case .header: return readHeader(&window)
    case .description(let byteCount):
      guard window.count >= FLACStreamBlock.byteCount else { return false }
      stream = stream ?? FLACStreamBlock(window.unread)
      window.drop(byteCount)
      endBlock()
    case .comments(let left):
      let part = window.unread.prefix(left)
      comments.take(part)
      state = .comments(left: left - part.count)
      return endPart(part.count, of: left, &window)
    case .seekTable(let left):
      let part = window.unread.prefix(left)
      seekTable.take(part)
      state = .seekTable(left: left - part.count)
      return endPart(part.count, of: left, &window)
    case .end: break
    }
    return true
  }

  private mutating func endPart(_ count: Int, of left: Int, _ window: inout ByteWindow) -> Bool {
    window.drop(count)
    if count == left { endBlock() }
    return count == left
  }

  private mutating func endBlock() { state = isLast ? .end : .header }

  private mutating func readHeader(_ window: inout ByteWindow) -> Bool {
    guard let header = FLACBlockHeader(window.unread) else { return false }
    let size = header.contentByteCount
    // The number 127 would look like a frame.
    guard header.kind != 127 else {
      state = .end
      return true
    }
    isLast = header.isLast
    window.drop(FLACBlockHeader.byteCount)
    switch header.kind {
    case 0 where size >= FLACStreamBlock.byteCount: state = .description(byteCount: size)
    case 3: state = .seekTable(left: size)
    case 4: state = .comments(left: size)
    default:
      window.drop(size)
      endBlock()
    }
    return true
  }
}
