// SPDX-License-Identifier: Apache-2.0

/// The steps of a drum grid.
enum Percussion {
  /// The velocity of a step.
  ///
  /// The inner optional is nil for a rest, the outer for an invalid step.
  ///
  /// `x` is normal, `X` loud, `o` soft; 1…9 are ninths of 127.
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

  static let stepForm = "steps are x, X (loud), o (soft), 1…9, and . or - (rest)"
}
