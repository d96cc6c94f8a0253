// SPDX-License-Identifier: Apache-2.0

/// A key signature: the number of sharps or flats, and major or minor.
///
/// Source: Standard MIDI Files 1.0 (RP-001), Key Signature.
public struct KeySignature: Hashable, Sendable, CustomStringConvertible {
  /// The number of sharps, 1…7, or of flats as a negative number, −7…−1; 0 for C major and A minor.
  public let sharps: Int
  /// True for a minor key, false for a major key.
  public let isMinor: Bool

  /// Creates a key from the two bytes of a meta event, or returns nil if they are not valid.
  public init?(_ bytes: [UInt8]) {
    guard bytes.count == 2, bytes[1] <= 1 else { return nil }
    let sharps = Int(Int8(bitPattern: bytes[0]))
    guard (-7...7).contains(sharps) else { return nil }
    self.sharps = sharps
    isMinor = bytes[1] == 1
  }

  /// The name of the key, such as `E♭ major` or `F♯ minor`.
  public var description: String {
    // A circle of fifths from F: the seven naturals, then the same letters with sharps; flats
    // below.
    let letters = ["F", "C", "G", "D", "A", "E", "B"]
    let fifth = sharps + 1 + (isMinor ? 3 : 0)
    let index = ((fifth % 7) + 7) % 7
    let accidental = fifth < 0 ? "♭" : fifth > 6 ? "♯" : ""
    return "\(letters[index])\(accidental) \(isMinor ? "minor" : "major")"
  }
}
