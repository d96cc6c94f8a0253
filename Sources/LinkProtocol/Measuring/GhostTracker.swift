// SPDX-License-Identifier: Apache-2.0
internal import MusicalTime

/// The relation of a session's time to host time: a straight line through the quickest answers of
/// the last minute, because two crystals differ.
///
/// The line is the most likely one: slower answers have less weight, and without measurements
/// clocks are assumed to have the same speed. If the round trips vary much, the quickest one was
/// probably delayed too, and its weight is close to that of the others.
struct GhostTracker: Hashable, Sendable {
  /// The number of stored answers, one every two seconds.
  private static let capacity = 32
  /// The accuracy of the quickest answer in seconds, if all are equally quick.
  private static let precision = 20e-6
  /// The assumed difference in speed before clocks are measured.
  private static let expectedDrift = 100e-6

  private var points: [PingChain.Sample]
  private(set) var ghost: LinkGhost
  /// The difference of the last answer from its prediction, in nanoseconds.
  private(set) var lastError: Int64 = 0

  /// Starts with the measurement on joining.
  init(offset: Int64, roundTrip: Int64, at now: HostTime) {
    points = [PingChain.Sample(time: now, offset: offset, roundTrip: roundTrip)]
    ghost = LinkGhost(host: now, ghost: now.nanoseconds + offset)
  }

  /// Adds the quickest answer of a burst.
  mutating func take(_ sample: PingChain.Sample, at now: HostTime) {
    let expected = ghost.nanoseconds(at: sample.time) - sample.time.nanoseconds
    lastError = sample.offset - expected
    points.append(sample)
    if points.count > Self.capacity { points.removeFirst() }
    let base = sample.offset
    let (least, precision) = quickest
    // Sums of weighted least squares, with times relative to now to keep numbers small.
    var (sum, sumX, sumXX, sumY, sumXY) = (0.0, 0.0, 0.0, 0.0, 0.0)
    for point in points {
      let excess = Double((point.roundTrip ?? least) - least) / 2e9 + precision
      let weight = 1 / (excess * excess)
      let x = Double(point.time.nanoseconds(since: now)) / 1e9
      let y = Double(point.offset - base) / 1e9
      sum += weight
      sumX += weight * x
      sumXX += weight * x * x
      sumY += weight * y
      sumXY += weight * x * y
    }
    sumXX += 1 / (Self.expectedDrift * Self.expectedDrift)
    let determinant = sum * sumXX - sumX * sumX
    guard determinant > 0 else { return }
    let slope = (sum * sumXY - sumX * sumY) / determinant
    let offset = (sumY - slope * sumX) / sum
    guard slope.isFinite, abs(offset) < 1e6 else { return }
    let most = Double(LinkGhost.mostDrift)
    ghost = LinkGhost(
      host: now, ghost: now.nanoseconds + base + Int64((offset * 1e9).rounded()),
      drift: Int64(min(max(slope * 1e9, -most), most).rounded()))
  }

  /// The quickest round trip in nanoseconds, and the accuracy of its answer in seconds, which is
  /// worse if the median round trip is longer.
  private var quickest: (roundTrip: Int64, precision: Double) {
    let trips = points.compactMap(\.roundTrip).sorted()
    guard let least = trips.first else { return (0, Self.precision) }
    let spread = Double(trips[trips.count / 2] - least) / 1e9
    return (least, Self.precision + spread / 3)
  }
}
