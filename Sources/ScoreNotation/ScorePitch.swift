// SPDX-License-Identifier: Apache-2.0

/// A pitch: a letter in either case, sharps or flats, and optionally an octave.
struct ScorePitch: Hashable, Sendable {
  /// Semitones above C, including sharps and flats; −2…13.
  let semitones: Int
  /// The octave, −1…9, of which 4 begins at middle C; nil for the octave of the last note.
  let octave: Int?

  static let form = "notes are a…g with # or b and an octave, as in c, f#3, eb5; r is a rest"

  private static let letters: [Character: Int] = [
    "c": 0, "d": 2, "e": 4, "f": 5, "g": 7, "a": 9, "b": 11,
  ]

  /// Parses a pitch at the start of a text and removes it; nil if the text does not begin with one.
  init?(_ text: inout Substring) {
    var rest = text
    guard let letter = rest.popFirst(), let base = Self.letters[Character(letter.lowercased())]
    else { return nil }
    var shift = 0
    while let sign = rest.first, sign == "#" || sign == "b", abs(shift) < 2 {
      guard shift == 0 || (shift > 0) == (sign == "#") else { return nil }
      shift += sign == "#" ? 1 : -1
      rest.removeFirst()
    }
    var octave: Int?
    if rest.first == "-", rest.dropFirst().first == "1" {
      octave = -1
      rest = rest.dropFirst(2)
    } else if let digit = rest.first, digit.isASCII, let number = digit.wholeNumberValue {
      octave = number
      rest.removeFirst()
    }
    // A further letter follows: a word such as "snare" is not a note.
    if let next = rest.first, next.isLetter || next.isNumber { return nil }
    (semitones, self.octave, text) = (base + shift, octave, rest)
  }

  /// The key number in an octave, or nil outside 0…127.
  func key(octave: Int) -> Int? {
    let key = (octave + 1) * 12 + semitones
    return (0...127).contains(key) ? key : nil
  }
}
