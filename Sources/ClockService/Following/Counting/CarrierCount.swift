// SPDX-License-Identifier: Apache-2.0

/// Decides whether odd intervals are losses and doubles, or a carrier whose frame is near the
/// clock's period.
///
/// A carrier that delivers in frames of nearly a clock shows two frames between clocks, or two
/// clocks in a frame, again and again at nearly the same distance: that *is* the tempo. Losses and
/// doubles come at random. The logarithm of how much likelier the one makes the distances than the
/// other is the evidence; before there are two distances the jitter decides: a line without jitter
/// is a carrier, and what arrives is counted.
struct CarrierCount: BitwiseCopyable, Sendable {
  /// An interval that is odd.
  enum Oddity: Int64 {
    /// About two periods without a clock.
    case gap = 1
    /// Two clocks at nearly one instant.
    case pair = -1
  }

  /// Above zero for a carrier.
  private(set) var evidence = 0.0
  /// Clocks to add to the count if the odd intervals were losses and doubles after all.
  private(set) var pending: Int64 = 0
  /// Clocks added to the count by repairs since the odd intervals began.
  var repaired: Int64 = 0
  /// All even clocks that the odd intervals allow on such a carrier, and how many there were.
  private var line = DigitalLine()
  private var count = 0
  /// Arrivals since the last odd interval.
  private var since = 0

  /// Whether odd intervals are counted as they come.
  var isCarrier: Bool { line.age > 0 && evidence > 0 }
  /// Whether the count may be off by what was not repaired.
  var isUncertain: Bool { isCarrier && pending != 0 }

  @inline(__always)
  mutating func pass() { since += 1 }

  /// Takes an odd interval.
  ///
  /// - Returns: Clocks by which the count must change: the verdict on all odd intervals so far may
  ///   have become another.
  mutating func add(_ oddity: Oddity, isExact: Bool) -> Int64 {
    let wasCarrier = isCarrier
    if line.age == 0 || since > CountTuning.forgotten {
      evidence = isExact ? CountTuning.exact : CountTuning.inexact
      (pending, repaired) = (0, 0)
      begin(oddity)
      if isCarrier { pending = oddity.rawValue }
      return 0
    }
    compare(oddity)
    guard isCarrier != wasCarrier else {
      if isCarrier { pending += oddity.rawValue }
      // One clock was held up until the next one came: that is no carrier.
      if isCarrier, pending == 0, count <= 2 { forget() }
      return 0
    }
    if wasCarrier {
      repaired = pending + oddity.rawValue
      pending = 0
      return repaired
    }
    pending = repaired + oddity.rawValue
    repaired = 0
    return oddity.rawValue - pending
  }

  private mutating func begin(_ oddity: Oddity) {
    line.begin(CountTuning.leastRatio...CountTuning.mostRatio, slack: CountTuning.slack)
    _ = line.add(steps: 1, frames: 1 + Double(oddity.rawValue))
    (count, since) = (1, 0)
  }

  private mutating func compare(_ oddity: Oddity) {
    let between = Double(since - 1)
    let isOnLine =
      (between < 1 || line.add(steps: between, frames: between))
      && line.add(steps: 1, frames: 1 + Double(oddity.rawValue))
    if isOnLine {
      (count, since) = (count + 1, 0)
      if count > 2 { evidence += CountTuning.alike }
    } else {
      evidence += CountTuning.unlike
      begin(oddity)
    }
    evidence = min(max(evidence, -CountTuning.evidenceMost), CountTuning.evidenceMost)
  }

  /// Takes an interval that the frames do not explain; some of them, and there is no carrier.
  mutating func weaken() {
    evidence -= CountTuning.weakened
    if evidence <= 0 { forget() }
  }

  /// Takes the count as it stands.
  mutating func settle() { (pending, repaired) = (0, 0) }

  mutating func forget() { self = CarrierCount() }
}

/// The constants of counting on carriers.
enum CountTuning {
  /// The evidence at the start: for intervals of whole frames, and for others.
  ///
  /// Intervals are whole frames within `exactMost` nanoseconds. If they are off by more than
  /// `gridPart` of a frame too, there are no frames.
  static let exactMost = 0.4e6
  static let gridPart = 0.06
  static let weakened = 3.0
  static let exact = 3.0
  static let inexact = -4.0
  static let evidenceMost = 6.0
  /// What an odd interval says that fits those before, and one that does not.
  static let alike = 0.7
  static let unlike = -2.5
  /// Periods of a clock in frames, and how far in frames a clock may be off.
  static let leastRatio = 0.5
  static let mostRatio = 1.9
  static let slack = 0.15
  /// After so many clocks without an odd interval those before say nothing.
  static let forgotten = 4096
  /// How far off a whole number of frames an odd interval is, in frames.
  static let oddMost = 0.15

  /// An interval shorter than this part of the period, and than this many nanoseconds, joins two
  /// clocks of one batch.
  static let shortPart = 0.15
  static let shortMost = 2.5e6
  /// Batches: so many of the last 32 intervals are short, and so many are too few again.
  static let batched = 15
  static let unbatched = 10
}
