// SPDX-License-Identifier: Apache-2.0

/// Names of keys: a letter, a sharp or a flat, and an octave.
extension Key {
  /// Returns the name of the key, with sharps except for Eb and Bb.
  ///
  /// - Parameter middleC: The octave number of middle C, key 60. Makers use 3, 4 or 5; the default
  ///   is 4.
  /// - Returns: A name such as `C4`, `F#3` or `Bb-1`.
  public func name(middleC: Int = 4) -> String {
    "\(Self.names[Int(number) % 12])\(Int(number) / 12 - 5 + middleC)"
  }

  /// Creates a key from a name such as `C4`, `f#3`, `Ebb5` or `B-1`; returns nil for any other
  /// string.
  ///
  /// - Parameters:
  ///   - name: A letter, at most two sharps `#` or flats `b`, and an octave.
  ///   - middleC: The octave number of middle C, key 60.
  public init?(named name: String, middleC: Int = 4) {
    guard let letter = name.first?.uppercased(),
      let semitones = Self.names.firstIndex(of: letter)
    else { return nil }
    let signs = name.dropFirst().prefix { $0 == "#" || $0 == "b" }
    let shift = signs.reduce(0) { $0 + ($1 == "#" ? 1 : -1) }
    guard signs.count < 3, let octave = Int(name.dropFirst(1 + signs.count)),
      (-20...20).contains(octave),
      let number = UInt8(exactly: 60 + (octave - middleC) * 12 + semitones + shift), number < 128
    else { return nil }
    self.init(number)
  }

  private static let names = ["C", "C#", "D", "Eb", "E", "F", "F#", "G", "G#", "A", "Bb", "B"]
}
