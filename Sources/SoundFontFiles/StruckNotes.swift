// SPDX-License-Identifier: Apache-2.0

/// The notes that a preset is played with: a bit for each pair of key and velocity.
public struct StruckNotes: Hashable, Sendable {
  /// The words of the bits: two for each key.
  package static let wordCount = 256

  /// The bits, from key 0 and velocity 0.
  private var words: [UInt64]

  /// Creates a set without notes.
  public init() { words = Array(repeating: 0, count: Self.wordCount) }

  /// Creates a set from its bits.
  ///
  /// - Parameter words: `wordCount` words; two words for each key, velocities from the lowest bit.
  package init(words: [UInt64]) {
    precondition(words.count == Self.wordCount)
    self.words = words
  }

  /// True if the set has no note.
  public var isEmpty: Bool { words.allSatisfy { $0 == 0 } }

  /// The keys with a note, ascending.
  public var keys: [UInt8] {
    (0..<128).filter { words[2 * $0] | words[2 * $0 + 1] != 0 }.map { UInt8($0) }
  }

  /// The number of pairs of key and velocity.
  public var count: Int { words.reduce(0) { $0 + $1.nonzeroBitCount } }

  /// Adds a note.
  ///
  /// - Parameters:
  ///   - key: 0…127.
  ///   - velocity: 0…127.
  public mutating func insert(key: UInt8, velocity: UInt8) {
    words[Self.word(key, velocity)] |= Self.bit(velocity)
  }

  /// Returns true if a note is in the set.
  ///
  /// - Parameters:
  ///   - key: 0…127.
  ///   - velocity: 0…127.
  public func contains(key: UInt8, velocity: UInt8) -> Bool {
    words[Self.word(key, velocity)] & Self.bit(velocity) != 0
  }

  /// Returns true if a note of the set is in both ranges, as a note strikes a zone.
  ///
  /// - Parameters:
  ///   - keys: numbers above 127 are never struck.
  ///   - velocities: numbers above 127 are never struck.
  /// - Complexity: O(n) in the number of keys.
  public func contains(keys: ClosedRange<UInt8>, velocities: ClosedRange<UInt8>) -> Bool {
    guard keys.lowerBound < 128, velocities.lowerBound < 128 else { return false }
    let low = Self.mask(velocities, from: 0)
    let high = Self.mask(velocities, from: 64)
    return (keys.lowerBound...min(127, keys.upperBound)).contains { key in
      words[2 * Int(key)] & low != 0 || words[2 * Int(key) + 1] & high != 0
    }
  }

  /// Adds the notes of another set.
  public mutating func formUnion(_ other: StruckNotes) {
    for index in words.indices { words[index] |= other.words[index] }
  }

  private static func word(_ key: UInt8, _ velocity: UInt8) -> Int {
    Int(key & 0x7F) * 2 + Int(velocity >> 6 & 1)
  }

  private static func bit(_ velocity: UInt8) -> UInt64 { 1 << UInt64(velocity & 63) }

  /// The bits of the velocities of a range among 64 of them.
  private static func mask(_ range: ClosedRange<UInt8>, from first: Int) -> UInt64 {
    let low = max(0, Int(range.lowerBound) - first)
    let high = min(63, Int(range.upperBound) - first)
    guard low <= high else { return 0 }
    return (UInt64.max >> UInt64(63 - (high - low))) << UInt64(low)
  }
}
