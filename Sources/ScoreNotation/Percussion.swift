// SPDX-License-Identifier: Apache-2.0

/// Names of General MIDI percussion keys.
///
/// Source: General MIDI Level 1, percussion key map.
enum Percussion {
  static let keys: [String: Int] = [
    "kick": 36, "kick2": 35, "rim": 37, "snare": 38, "clap": 39, "snare2": 40, "tom6": 41,
    "hat": 42, "tom5": 43, "pedal": 44, "tom4": 45, "open": 46, "tom3": 47, "tom2": 48,
    "crash": 49, "tom1": 50, "ride": 51, "china": 52, "bell": 53, "tambourine": 54, "splash": 55,
    "cowbell": 56, "crash2": 57, "vibraslap": 58, "ride2": 59, "bongo": 60, "bongo2": 61,
    "congamute": 62, "conga": 63, "conga2": 64, "timbale": 65, "timbale2": 66, "agogo": 67,
    "agogo2": 68, "cabasa": 69, "maracas": 70, "whistle": 71, "whistle2": 72, "guiro": 73,
    "guiro2": 74, "claves": 75, "block": 76, "block2": 77, "cuica": 78, "cuica2": 79,
    "triangle2": 80, "triangle": 81, "shaker": 82, "jingle": 83,
  ]

  /// The velocity of a step, nil inside for a rest, nil for no step.
  ///
  /// `x` is plain, `X` loud, `o` soft; 1…9 are ninths of 127.
  static func velocity(of step: Character, plain: Int) -> Int?? {
    switch step {
    case "-", ".": .some(nil)
    case "x": .some(plain)
    case "X": .some(min(127, plain + 24))
    case "o": .some(max(1, plain - 36))
    case "1"..."9": .some((step.wholeNumberValue ?? 0) * 127 / 9)
    default: nil
    }
  }

  static let stepForm = "steps are x, X loud, o soft, 1…9, and . or - for silence"
}
