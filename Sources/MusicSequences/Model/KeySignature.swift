// SPDX-License-Identifier: Apache-2.0

/// A key: how many sharps or flats, and major or minor.
///
/// Source: Standard MIDI Files 1.0 (RP-001), Key Signature.
public struct KeySignature: Hashable, Sendable, CustomStringConvertible {
  /// Sharps above zero, flats below: −7…7.
  public let sharps: Int
  /// Whether the key is minor.
  public let isMinor: Bool

  /// Creates a key from the two bytes of a meta event, or nil where they have no meaning.
  public init?(_ bytes: [UInt8]) {
    guard bytes.count == 2, bytes[1] <= 1 else { return nil }
    let sharps = Int(Int8(bitPattern: bytes[0]))
    guard (-7...7).contains(sharps) else { return nil }
    self.sharps = sharps
    isMinor = bytes[1] == 1
  }

  /// The key's name: `E♭ major`, `F♯ minor`.
  public var description: String {
    // Fifths from F: seven naturals, then the same with sharps; below with flats.
    let letters = ["F", "C", "G", "D", "A", "E", "B"]
    let fifth = sharps + 1 + (isMinor ? 3 : 0)
    let index = ((fifth % 7) + 7) % 7
    let accidental = fifth < 0 ? "♭" : fifth > 6 ? "♯" : ""
    return "\(letters[index])\(accidental) \(isMinor ? "minor" : "major")"
  }
}
