// SPDX-License-Identifier: Apache-2.0
internal import Glibc

/// The power of a sound of a soundfont while its key is held and after it is released, in tenths of
/// a second.
///
/// Powers are relative to the power that `LoudnessEstimate` assumes for a note of full velocity, in
/// tenths of a decibel, −100…100 dB.
struct LevelProfile: Sendable {
  /// The number of tenths of a second for which the key is held.
  static let heldCount = 8
  /// The number of tenths of a second measured after the release.
  static let releasedCount = 4
  private static let range: ClosedRange<Int> = -1000...1000

  /// The power while it is held, in tenths of decibels.
  let held: [Int]
  /// The power after the release, in tenths of decibels relative to the last held value; empty for
  /// a drum, which does not react to the release.
  let released: [Int]

  private let heldPowers: [Double]
  private let releasedShares: [Double]
  /// The power of a note that is held longer than was measured: the mean of the last four values.
  private let steadyPower: Double

  /// Creates a profile from stored numbers; nil if they are not valid.
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

  /// Converts a power to tenths of decibels.
  static func tenths(_ power: Double) -> Int {
    let tenths = (100 * log10(max(power, 1e-12))).rounded()
    return min(range.upperBound, max(range.lowerBound, Int(tenths)))
  }

  /// The power of a note over time.
  ///
  /// - Parameters:
  ///   - count: The tenths of a second for which it is held; ignored for a drum.
  ///   - fall: The factor for each tenth of a second beyond the measured ones.
  /// - Returns: Its power in each tenth of a second, until it is inaudible.
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
