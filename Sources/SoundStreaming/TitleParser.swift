// SPDX-License-Identifier: Apache-2.0

/// Separates the sound of a radio station from the titles within it.
///
/// After every `interval` bytes of sound, one byte states the size of the following title in units
/// of 16 bytes, usually 0. The stream can be appended in pieces of any size; their sizes do not
/// affect the result.
public struct TitleParser: Sendable {
  /// A part of the stream, in order.
  public enum Piece: Hashable, Sendable {
    /// Bytes of sound, at least one.
    case sound([UInt8])
    /// A title, which belongs to the sound that follows.
    case title(StreamTitle)
  }

  private enum Place {
    case sound(left: Int)
    case count
    case title(left: Int)
  }

  /// The number of bytes of sound between two titles.
  public let interval: Int
  private var place: Place
  /// The bytes of an incomplete title, at most 4080.
  private var block: [UInt8] = []

  /// Creates a parser for a stream, from its first byte.
  ///
  /// - Parameter interval: The number of bytes of sound between two titles, which the server states
  ///   in the field `icy-metaint`.
  /// - Precondition: `interval` is at least 1.
  public init(interval: Int) {
    precondition(interval > 0, "the interval must be above 0")
    self.interval = interval
    place = .sound(left: interval)
  }

  /// Parses the next bytes of the stream.
  ///
  /// - Parameter bytes: Any number of bytes.
  /// - Returns: The sound and titles in the bytes.
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
