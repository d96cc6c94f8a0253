// SPDX-License-Identifier: Apache-2.0

/// What a body holds: sound and titles, after its beginning has been looked at.
struct ReplyBody {
  /// A part of it, in its order.
  enum Piece: Hashable {
    case sound([UInt8])
    case title(StreamTitle)
    /// Content of another kind than sound; nothing follows.
    case foreign(ForeignContent)
  }

  /// A body behind the end of the sound.
  static let end = ReplyBody(isEnd: true)

  /// Whether there is no sound in it, since it would lie behind the end.
  let isEnd: Bool
  private var toSkip: Int64
  private var titles: TitleParser?
  /// What is kept until it is known not to be a text; nil once it is.
  private var beginning: [UInt8]?

  private init(isEnd: Bool) {
    (self.isEnd, toSkip) = (isEnd, 0)
  }

  /// Prepares for a body.
  ///
  /// - Parameters:
  ///   - count: the bytes at its start that are known already.
  ///   - titleInterval: the bytes between two titles; nil where none are sent.
  ///   - isBeginning: whether it begins with the first byte, which tells a text from sound.
  init(skipping count: Int64, titleInterval: Int?, isBeginning: Bool) {
    (isEnd, toSkip) = (false, count)
    titles = titleInterval.map { TitleParser(interval: $0) }
    beginning = isBeginning ? [] : nil
  }

  /// Takes bytes in pieces of any size.
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

  /// Says that no more bytes come.
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
