// SPDX-License-Identifier: Apache-2.0

/// An index of an instrument's zones by key and velocity, to find those that share notes with a
/// preset's zone.
///
/// It has one bit for each zone in 512 rows, so a search reads a bit of each zone instead of the
/// zone. A font has at most 65 535 zones of each kind, so all its searches together are fast.
///
/// Up to 64 zones are compared one by one, because rows for 65 535 instruments with one zone each
/// would need 268 MB.
struct ZoneIndex {
  private static let notes = 128
  /// The maximum number of zones without rows.
  private static let fewZones = 64
  /// The ranges of a few zones; empty if rows are used.
  private var ranges: [(keys: FontZone.Range, velocities: FontZone.Range)] = []
  private let wordCount: Int
  /// For each of 128 numbers, the zones whose lowest key (then lowest velocity) is at most the
  /// number, and those whose highest key (then highest velocity) is at least the number.
  private var rows: [UInt64]
  private let lowKeys = 0
  private let lowVelocities = 128
  private let highKeys = 256
  private let highVelocities = 384

  /// Creates the index.
  ///
  /// Ranges that are empty or start above 127 do not match.
  init(_ zones: [FontZone]) {
    guard zones.count > Self.fewZones else {
      (wordCount, rows) = (0, [])
      ranges = zones.map { ($0.keys, $0.velocities) }
      return
    }
    wordCount = (zones.count + 63) / 64
    rows = Array(repeating: 0, count: 512 * wordCount)
    for (number, zone) in zones.enumerated() where !zone.keys.isEmpty && !zone.velocities.isEmpty {
      mark(number, lowKeys, highKeys, zone.keys)
      mark(number, lowVelocities, highVelocities, zone.velocities)
    }
    for number in 1..<Self.notes {
      for start in [lowKeys, lowVelocities] { copy(start + number - 1, to: start + number) }
    }
    for number in (0..<Self.notes - 1).reversed() {
      for start in [highKeys, highVelocities] { copy(start + number + 1, to: start + number) }
    }
  }

  private mutating func mark(_ zone: Int, _ lows: Int, _ highs: Int, _ range: FontZone.Range) {
    guard range.low < 128 else { return }
    let (word, bit) = (zone / 64, UInt64(1) << UInt64(zone % 64))
    rows[(lows + Int(range.low)) * wordCount + word] |= bit
    rows[(highs + min(127, Int(range.high))) * wordCount + word] |= bit
  }

  private mutating func copy(_ from: Int, to row: Int) {
    for word in 0..<wordCount { rows[row * wordCount + word] |= rows[from * wordCount + word] }
  }

  /// The indices of the zones that share a key and a velocity with both ranges, ascending.
  func matches(_ keys: FontZone.Range, _ velocities: FontZone.Range) -> [Int] {
    guard !keys.isEmpty, !velocities.isEmpty, keys.low < 128, velocities.low < 128 else {
      return []
    }
    if wordCount == 0 {
      return ranges.indices.filter { number in
        Self.shares(ranges[number].keys, keys) && Self.shares(ranges[number].velocities, velocities)
      }
    }
    let places = [
      lowKeys + min(127, Int(keys.high)), highKeys + Int(keys.low),
      lowVelocities + min(127, Int(velocities.high)), highVelocities + Int(velocities.low),
    ].map { $0 * wordCount }
    var found: [Int] = []
    for word in 0..<wordCount {
      var bits =
        rows[places[0] + word] & rows[places[1] + word] & rows[places[2] + word]
        & rows[places[3] + word]
      while bits != 0 {
        found.append(64 * word + bits.trailingZeroBitCount)
        bits &= bits - 1
      }
    }
    return found
  }

  /// True if two ranges share a number from 0 to 127.
  private static func shares(_ one: FontZone.Range, _ other: FontZone.Range) -> Bool {
    let both = one.and(other)
    return !both.isEmpty && both.low < 128
  }
}
