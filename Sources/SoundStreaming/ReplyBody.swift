// SPDX-License-Identifier: Apache-2.0

/// The sound and titles in the body of a reply, after a check of its first bytes.
struct ReplyBody {
  /// A part of the body, in order.
  enum Piece: Hashable {
    case sound([UInt8])
    case title(StreamTitle)
    /// Content that is not sound; nothing follows.
    case foreign(ForeignContent)
  }

  /// A body after the end of the sound.
  static let end = ReplyBody(isEnd: true)

  /// True if the body does not contain sound, because it is after the end.
  let isEnd: Bool
  private var toSkip: Int64
  private var titles: TitleParser?
  /// The first bytes, until they are known not to be text; then nil.
  private var beginning: [UInt8]?

  private init(isEnd: Bool) {
    (self.isEnd, toSkip) = (isEnd, 0)
  }

  /// Prepares for a body.
  ///
  /// - Parameters:
  ///   - count: The number of bytes at its start that were received before.
  ///   - titleInterval: The number of bytes between two titles; nil if titles are not sent.
  ///   - isBeginning: True if it starts with the first byte of the sound, so that text can be
  ///     detected.
  init(skipping count: Int64, titleInterval: Int?, isBeginning: Bool) {
    (isEnd, toSkip) = (false, count)
    titles = titleInterval.map { TitleParser(interval: $0) }
    beginning = isBeginning ? [] : nil
  }

  /// Adds bytes in pieces of any size.
  mutating func take(_ bytes: [UInt8]) -> [Piece] {
    guard !isEnd else { return [] }
    let skipped = Int(min(toSkip, Int64(bytes.count)))
    toSkip -= Int64(skipped)
    let rest = skipped == 0 ? bytes : Array(bytes.dropFirst(skipped))
    guard let before = beginning else { return part(rest) }
    let head = before + rest
    if ContentSniff.isOpen(beginning: head) {
      beginning = head
      return []
    }
    return look(head)
  }

  /// Notes that no more bytes follow.
  mutating func finish() -> [Piece] { beginning.map { look($0) } ?? [] }

  private mutating func look(_ head: [UInt8]) -> [Piece] {
    beginning = nil
    if let kind = ContentSniff.foreignKind(beginning: head) { return [.foreign(kind)] }
    return part(head)
  }

  private mutating func part(_ bytes: [UInt8]) -> [Piece] {
    guard !bytes.isEmpty else { return [] }
    guard let pieces = titles?.append(bytes) else { return [.sound(bytes)] }
    return pieces.map {
      switch $0 {
      case .sound(let bytes): .sound(bytes)
      case .title(let title): .title(title)
      }
    }
  }
}
