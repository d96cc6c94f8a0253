// SPDX-License-Identifier: Apache-2.0

/// Joins an audio device's sample count to host time: a delay-locked loop that starts wide.
///
/// Fed with the pair (sample frames, host time) of each period, it filters the wake-up's jitter
/// out. It begins at the median of the first eight pairs. Its bandwidth begins at 2 Hz and narrows to
/// 0.02 Hz as the time grows that it has looked back on, whatever the periods: usable at once, quiet
/// later.
///
/// Source: Adriaensen, "Using a DLL to filter time", LAC 2005; that the bandwidth falls as 0.45 / t
/// makes of the first 20 s what the straight line through all pairs would be.
///
/// - Note: Real-time safe.
public struct PeriodFollower: BitwiseCopyable, Sendable {
  /// The device's nominal sample frames a second.
  public let nominalRate: SampleRate
  /// How many times the loop lost its origin: where it began, after an xrun, after a step.
  public private(set) var epoch: UInt32 = 0

  private static let widest = 2.0
  private static let narrowest = 0.02
  /// A loop's bandwidth in Hz, times the seconds over which a straight line is as quiet: of n pairs
  /// such a line takes 4 / n of the last one's error, the loop √2 · 2π of bandwidth times period.
  private static let quiet = 0.45
  /// The bandwidth at which the rate is known to some parts in a million.
  private static let settled = 0.2
  /// What of an error counts, as a multiple of the scatter, and at least in nanoseconds: who was late
  /// once, or was woken by somebody else, moves the line by no more.
  private static let heed = 4.0
  private static let leastHeed = 20e3
  /// The number of pairs at the start through whose median the line goes, at the rate known so far.
  private static let openingCount = 8
  /// An error past this, twice in a row, begins a new epoch; in nanoseconds.
  private static let step = 3e6

  private var frames: Int64 = 0
  private var anchor: Int64 = 0
  /// Where the filtered time of `frames` lies after `anchor`, in nanoseconds.
  private var offset = 0.0
  private var nanosecondsPerFrame: Double
  private var bandwidth = widest
  /// What the loop has looked back on since it began, in nanoseconds.
  private var looked = 0.0
  private var pairCount = 0
  /// How late the pairs at the start are, in order and in nanoseconds, and the first of them.
  private var opening = InlineArray<8, Double>(repeating: 0)
  private var firstFrames: Int64 = 0
  private var firstTime: Int64 = 0
  private var isEmpty = true
  private var isDoubtful = false
  private var error = 0.0
  private var spread = 0.0

  /// Creates a follower that believes the nominal rate.
  public init(nominalRate: SampleRate) {
    self.nominalRate = nominalRate
    nanosecondsPerFrame = 1e9 / Double(nominalRate.hertz)
  }

  /// Takes a pair: so many frames had passed at an instant.
  ///
  /// - Parameters:
  ///   - count: The device's count; above the last one.
  ///   - time: The instant the device reached it.
  public mutating func update(frames count: Int64, at time: HostTime) {
    guard !isEmpty, count > frames else { return begin(count, time.nanoseconds) }
    let length = Double(count - frames)
    let nominal = length * 1e9 / Double(nominalRate.hertz)
    let predicted = offset + length * nanosecondsPerFrame
    error = Double(time.nanoseconds - anchor) - predicted
    if abs(error) > Self.step {
      // One late wake-up is nothing; two in a row are an xrun or a step of the clock.
      guard !isDoubtful else { return begin(count, time.nanoseconds) }
      isDoubtful = true
      offset = predicted
      frames = count
      return
    }
    isDoubtful = false
    looked += nominal
    if pairCount < Self.openingCount { return open(count, time.nanoseconds) }
    let omega = min(2 * Double.pi * bandwidth * nominal * 1e-9, 0.7)
    let limit = max(Self.heed * jitter, Self.leastHeed)
    let heeded = min(limit, max(-limit, error))
    offset = predicted + 1.414_213_562_373_095 * omega * heeded - Double(time.nanoseconds - anchor)
    nanosecondsPerFrame += omega * omega * heeded / length
    bandwidth = max(Self.narrowest, min(Self.widest, Self.quiet * 1e9 / looked))
    spread += (error * error - spread) * min(1, omega)
    frames = count
    anchor = time.nanoseconds
  }

  /// Begins a new epoch: after an xrun or a stop, the rate is kept and the origin learnt anew.
  public mutating func reset() {
    isEmpty = true
  }

  private mutating func begin(_ count: Int64, _ time: Int64) {
    epoch &+= 1
    isEmpty = false
    isDoubtful = false
    error = 0
    (firstFrames, firstTime) = (count, time)
    pairCount = 0
    looked = 0
    bandwidth = Self.widest
    open(count, time)
  }

  /// Puts the line through the median of the pairs at the start.
  ///
  /// Right after a start, while a program is still loading, a wake-up is often late by a millisecond,
  /// which would take the loop a second to forget. On frames of a bus an early pair shows nothing: the
  /// line through the earliest is half a frame off.
  private mutating func open(_ count: Int64, _ time: Int64) {
    let late = Double(time - firstTime) - Double(count - firstFrames) * nanosecondsPerFrame
    var place = pairCount
    while place > 0, opening[place - 1] > late {
      opening[place] = opening[place - 1]
      place -= 1
    }
    opening[place] = late
    pairCount += 1
    let median = 0.5 * (opening[(pairCount - 1) / 2] + opening[pairCount / 2])
    frames = count
    anchor = time
    offset = median - late
  }

  /// The device's measured rate against its nominal one, in parts per million; fast is above zero.
  public var drift: Double {
    (1e9 / (Double(nominalRate.hertz) * nanosecondsPerFrame) - 1) * 1e6
  }

  /// Whether the loop has narrowed so far that `drift` is the device's, and no longer the jitter's.
  public var isSettled: Bool { !isEmpty && bandwidth <= Self.settled }

  /// How far the pairs scatter about the filtered line: a standard deviation, in nanoseconds.
  public var jitter: Double { spread.squareRoot() }

  /// Where sample frames stand in host time; nil before the first pair.
  public var timeline: Timeline<SampleTime, HostTime>? {
    guard !isEmpty else { return nil }
    // 2^30: a frame of 192 kHz is 5 µs, told apart to 2·10⁻¹³ of it.
    let scale = Double(Self.denominator)
    let scaled = Int128(anchor) * Int128(Self.denominator) + Int128(Int64(offset * scale))
    return Timeline<SampleTime, HostTime>(
      countOrigin: frames, scaledOrigin: scaled,
      numerator: max(1, Int64((nanosecondsPerFrame * scale).rounded())),
      denominator: Self.denominator)
  }

  private static let denominator: Int64 = 1 << 30
}
