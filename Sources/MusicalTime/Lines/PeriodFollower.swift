// SPDX-License-Identifier: Apache-2.0

/// A delay-locked loop that relates the frame count of a sound device to host time.
///
/// For each period of the device, the follower receives a frame count and the host time at which
/// the process was woken, and filters the jitter of these times. The filter starts at the median of
/// the first eight measurements. Its bandwidth narrows from 2 Hz to 0.02 Hz as it observes the
/// device, for periods of any length. The result can therefore be used at once, and becomes more
/// accurate.
///
/// Source: Adriaensen, "Using a DLL to filter time", LAC 2005. The bandwidth of 0.45 / t makes the
/// first 20 s equivalent to a straight line through all pairs.
///
/// - Note: Real-time safe.
public struct PeriodFollower: BitwiseCopyable, Sendable {
  /// The nominal sample rate of the device.
  public let nominalRate: SampleRate
  /// The number of starts of the filter: the first one, and one after each xrun or jump of the
  /// times.
  public private(set) var epoch: UInt32 = 0

  private static let widest = 2.0
  private static let narrowest = 0.02
  /// The loop's bandwidth in Hz times the seconds of a straight line that is as steady: a line
  /// through n pairs takes over 4 / n of the last error, and the loop √2 · 2π of bandwidth times
  /// period.
  private static let quiet = 0.45
  /// The bandwidth below which the rate is known to a few parts per million.
  private static let settled = 0.2
  /// The limit for errors, as a multiple of the jitter and at least in nanoseconds.
  ///
  /// A single late wake-up moves the line by no more than that.
  private static let heed = 4.0
  private static let leastHeed = 20e3
  /// The number of first pairs whose median determines the line, at the rate known so far.
  private static let openingCount = 8
  /// Two consecutive errors above this limit, in nanoseconds, start a new epoch.
  private static let step = 3e6

  private var frames: Int64 = 0
  private var anchor: Int64 = 0
  /// The filtered time of `frames` minus `anchor`, in nanoseconds.
  private var offset = 0.0
  private var nanosecondsPerFrame: Double
  private var bandwidth = widest
  /// The observed time since the start of the loop, in nanoseconds.
  private var looked = 0.0
  private var pairCount = 0
  /// The delays of the first pairs in ascending order, in nanoseconds, and the first pair.
  private var opening = InlineArray<8, Double>(repeating: 0)
  private var firstFrames: Int64 = 0
  private var firstTime: Int64 = 0
  private var isEmpty = true
  private var isDoubtful = false
  private var error = 0.0
  private var spread = 0.0

  /// Creates a follower that assumes the nominal rate until it has measured the actual one.
  public init(nominalRate: SampleRate) {
    self.nominalRate = nominalRate
    nanosecondsPerFrame = 1e9 / Double(nominalRate.hertz)
  }

  /// Adds a frame count and the host time at which the device reached it.
  ///
  /// - Parameters:
  ///   - count: The number of frames since the start of the stream; above that of the last call.
  ///   - time: The host time at which the device reached the count.
  public mutating func update(frames count: Int64, at time: HostTime) {
    guard !isEmpty, count > frames else { return begin(count, time.nanoseconds) }
    let length = Double(count - frames)
    let nominal = length * 1e9 / Double(nominalRate.hertz)
    let predicted = offset + length * nanosecondsPerFrame
    error = Double(time.nanoseconds - anchor) - predicted
    if abs(error) > Self.step {
      // A single late wake-up is harmless; two in a row are an xrun or a step of the clock.
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

  /// Starts the filter again with the next frame count, after an xrun or a stop.
  ///
  /// The measured sample rate is kept.
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

  /// Draws the line through the median of the first pairs.
  ///
  /// Right after a start, while a program is still loading, a wake-up is often a millisecond late,
  /// which the loop would need a second to forget. The earliest pair is not a better choice: for
  /// frames of a bus, a line through it is half a frame off.
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

  /// The difference of the measured sample rate from the nominal one, in parts per million;
  /// positive if the device is fast.
  public var drift: Double {
    (1e9 / (Double(nominalRate.hertz) * nanosecondsPerFrame) - 1) * 1e6
  }

  /// True once the filter is narrow enough that `drift` shows the speed of the device, not jitter.
  public var isSettled: Bool { !isEmpty && bandwidth <= Self.settled }

  /// The jitter of the measured times: their standard deviation from the smoothed timeline, in
  /// nanoseconds.
  public var jitter: Double { spread.squareRoot() }

  /// The mapping from sample frames to host time; nil before the first measurement.
  public var timeline: Timeline<SampleTime, HostTime>? {
    guard !isEmpty else { return nil }
    // With 2³⁰ the length of a frame at 192 kHz, 5 µs, has a resolution of 2·10⁻¹³.
    let scale = Double(Self.denominator)
    let scaled = Int128(anchor) * Int128(Self.denominator) + Int128(Int64(offset * scale))
    return Timeline<SampleTime, HostTime>(
      countOrigin: frames, scaledOrigin: scaled,
      numerator: max(1, Int64((nanosecondsPerFrame * scale).rounded())),
      denominator: Self.denominator)
  }

  private static let denominator: Int64 = 1 << 30
}
