// SPDX-License-Identifier: Apache-2.0

/// The host time at which an output's frame 0 was heard, as seen again and again.
///
/// A position is read some time after it was reached, never before: of what was seen in the last
/// two seconds the earliest is the truest. Older sights are forgotten, since the two clocks part
/// by some parts in a million, and since an output that was starved is late from then on.
struct OriginWatch {
  /// A quarter of a second; eight of them are remembered.
  private static let span: Int64 = 250_000_000
  /// A frame at 48 kHz: less is no reason to move what is to come.
  private static let tolerance: Int64 = 20_000

  private var earliest = ContiguousArray(repeating: Int64.max, count: 8)
  private var current = 0
  private var begun = Int64.min
  private var adopted: Int64?

  /// Takes a sight, in nanoseconds; returns an origin where a new one is to be believed.
  mutating func look(origin: Int64, now: Int64) -> Int64? {
    if begun == .min || now - begun >= Self.span {
      begun = now
      current = (current + 1) % earliest.count
      earliest[current] = .max
    }
    earliest[current] = min(earliest[current], origin)
    let best = earliest.reduce(.max, min)
    if let adopted, abs(best - adopted) <= Self.tolerance { return nil }
    adopted = best
    return best
  }
}
