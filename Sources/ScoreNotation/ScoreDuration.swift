// SPDX-License-Identifier: Apache-2.0

/// A length as a fraction of a whole note: `/4`, `/8.`, `/12`, `/1*3`, `/4~/16`.
struct ScoreDuration: Hashable, Sendable {
  /// The length in ticks of the score's division.
  let ticks: Int64

  static let form = "lengths are /4, /8., /12 (a third of a quarter), /1*3 or sums such as /4~/16"

  /// Parses a length that begins with `/`.
  init(
    _ text: Substring, of token: ScoreToken, ticksPerWhole: Int64
  ) throws(ScoreError) {
    var total: Int64 = 0
    for part in text.split(separator: "~", omittingEmptySubsequences: false) {
      total += try Self.part(part, of: token, ticksPerWhole)
    }
    ticks = total
  }

  private static func part(
    _ text: Substring, of token: ScoreToken, _ ticksPerWhole: Int64
  ) throws(ScoreError) -> Int64 {
    guard text.first == "/" else {
      throw ScoreError(token, "has an invalid length", allowed: form)
    }
    var rest = text.dropFirst()
    let digits = rest.prefix { $0.isASCII && $0.isNumber }
    rest = rest.dropFirst(digits.count)
    let dots = rest.prefix { $0 == "." }
    rest = rest.dropFirst(dots.count)
    var count: Int64 = 1
    if rest.first == "*" {
      guard let times = Int64(rest.dropFirst()), (1...1000).contains(times) else {
        throw ScoreError(token, "needs a number after *", allowed: "/1*1 to /1*1000")
      }
      count = times
      rest = ""
    }
    guard rest.isEmpty, let part = Int64(digits), (1...4096).contains(part), dots.count <= 3
    else { throw ScoreError(token, "has an invalid length", allowed: form) }
    // n dots: the length times (2ⁿ⁺¹ − 1) / 2ⁿ.
    let numerator = ticksPerWhole * count * (Int64(2) << dots.count - 1)
    let denominator = part << dots.count
    guard numerator % denominator == 0 else {
      throw ScoreError(
        token, "is not a whole number of ticks at \(ticksPerWhole / 4) ticks per quarter note",
        allowed: "set a resolution that fits, such as ppqn 840 for /5 and /7")
    }
    return numerator / denominator
  }
}
