// SPDX-License-Identifier: Apache-2.0

/// Parts the sound of a radio station from the titles that it sends among it.
///
/// After each `interval` bytes of sound comes one that counts how many times 16 bytes of title
/// follow, 0 as a rule. It is a value: cutting the bytes into other pieces gives the same sound and
/// the same titles at the same places.
public struct TitleParser: Sendable {
  /// What was found, in the stream's order.
  public enum Piece: Hashable, Sendable {
    /// Sound, at least one byte.
    case sound([UInt8])
    /// A title, which holds from here on.
    case title(StreamTitle)
  }

  private enum Place {
    case sound(left: Int)
    case count
    case title(left: Int)
  }

  /// Bytes of sound between two titles.
  public let interval: Int
  private var place: Place
  /// What is here of a title, 4080 bytes at most.
  private var block: [UInt8] = []

  /// Creates a parser for a stream from its first byte.
  ///
  /// - Parameter interval: the bytes of sound between two titles, as `icy-metaint` says.
  /// - Precondition: at least 1.
  public init(interval: Int) {
    precondition(interval > 0, "the interval must be above 0")
    self.interval = interval
    place = .sound(left: interval)
  }

  /// Takes bytes.
  ///
  /// - Parameter bytes: any number of them.
  /// - Returns: what they hold.
  /// - Complexity: O(n) in the number of bytes.
  public mutating func append(_ bytes: some Collection<UInt8>) -> [Piece] {
    var pieces: [Piece] = []
    var rest = Array(bytes)[...]
    while let first = rest.first {
      switch place {
      case .sound(let left):
        let sound = rest.prefix(left)
        pieces.append(.sound(Array(sound)))
        place = sound.count == left ? .count : .sound(left: left - sound.count)
        rest = rest.dropFirst(sound.count)
      case .count:
        place = first > 0 ? .title(left: 16 * Int(first)) : .sound(left: interval)
        rest = rest.dropFirst()
      case .title(let left):
        let part = rest.prefix(left)
        block += part
        place = .title(left: left - part.count)
        rest = rest.dropFirst(part.count)
        if part.count == left { pieces += finishTitle() }
      }
    }
    return pieces
  }

  private mutating func finishTitle() -> [Piece] {
    defer { (block, place) = ([], .sound(left: interval)) }
    return StreamTitle(block).map { [.title($0)] } ?? []
  }
}
