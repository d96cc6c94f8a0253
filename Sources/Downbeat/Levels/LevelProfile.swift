// SPDX-License-Identifier: Apache-2.0
internal import Glibc

/// How a sound of a soundfont goes on when a key is struck and let go, in tenths of a second.
///
/// Powers are shares of what `LoudnessEstimate` holds a note of full velocity for, kept as tenths
/// of decibels, −100…100 dB.
struct LevelProfile: Sendable {
  /// The tenths of a second in which it is held.
  static let heldCount = 8
  /// The tenths of a second after that.
  static let releasedCount = 4
  private static let range: ClosedRange<Int> = -1000...1000

  /// The power while it is held, in tenths of decibels.
  let held: [Int]
  /// The power after that, in tenths of decibels of the last while it was held; nothing of a drum,
  /// which rings as long as it rings.
  let released: [Int]

  private let heldPowers: [Double]
  private let releasedShares: [Double]
  /// What of it goes on, where it is held for longer: the mean of the last four.
  private let steadyPower: Double

  /// Creates a profile of numbers that were kept; nil where they can be none.
  init?(held: [Int], released: [Int]) {
    guard held.count == Self.heldCount, [0, Self.releasedCount].contains(released.count),
      (held + released).allSatisfy(Self.range.contains)
    else { return nil }
    self.held = held
    self.released = released
    heldPowers = held.map { pow(10, Double($0) / 100) }
    releasedShares = released.map { pow(10, Double($0) / 100) }
    steadyPower = heldPowers.suffix(4).reduce(0, +) / 4
  }

  /// The number that is kept of a power.
  static func tenths(_ power: Double) -> Int {
    let tenths = (100 * log10(max(power, 1e-12))).rounded()
    return min(range.upperBound, max(range.lowerBound, Int(tenths)))
  }

  /// What becomes of a note.
  ///
  /// - Parameters:
  ///   - count: how long it is held; a drum sounds as long as it does.
  ///   - fall: what is left after a tenth of a second where it is held for longer than was measured.
  /// - Returns: its power in each tenth of a second, to where nothing is left to hear.
  func powers(count: Int, fall: Double) -> [Double] {
    if released.isEmpty { return heldPowers }
    var powers = Array(heldPowers.prefix(count))
    var rest = steadyPower
    while powers.count < count, rest > 1e-9 {
      rest *= fall
      powers.append(rest)
    }
    let last = powers.last ?? 0
    return powers + releasedShares.map { last * $0 }
  }
}
