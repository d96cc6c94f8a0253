// SPDX-License-Identifier: Apache-2.0
internal import MusicalTime

/// Keeps up where a session's time lies on our clock: a straight line through the quickest answers
/// of the last minute, since two crystals differ.
///
/// The line is the likeliest one: an answer that took longer than the quickest counts less, and
/// before anything is known, clocks are alike. Where answers differ much in how long they take, the
/// quickest was not as quick as can be either, and tells no more than the others do nearly.
struct GhostTracker: Hashable, Sendable {
  /// How many answers are kept: one every two seconds.
  private static let capacity = 32
  /// How well the quickest answer tells the time where all are as quick, in seconds.
  private static let precision = 20e-6
  /// How much clocks differ before they are measured.
  private static let expectedDrift = 100e-6

  private var points: [PingChain.Sample]
  private(set) var ghost: LinkGhost
  /// How far the last answer lay from what was expected, in nanoseconds.
  private(set) var lastError: Int64 = 0

  /// Starts with what was measured on joining.
  init(offset: Int64, roundTrip: Int64, at now: HostTime) {
    points = [PingChain.Sample(time: now, offset: offset, roundTrip: roundTrip)]
    ghost = LinkGhost(host: now, ghost: now.nanoseconds + offset)
  }

  /// Takes the quickest answer of a few.
  mutating func take(_ sample: PingChain.Sample, at now: HostTime) {
    let expected = ghost.nanoseconds(at: sample.time) - sample.time.nanoseconds
    lastError = sample.offset - expected
    points.append(sample)
    if points.count > Self.capacity { points.removeFirst() }
    let base = sample.offset
    let (least, precision) = quickest
    // Sums of the weighted least squares, times from now on so that numbers stay small.
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

  /// How long the quickest answer took, in nanoseconds, and how well it tells the time, in seconds:
  /// the worse, the longer the middle one took.
  private var quickest: (roundTrip: Int64, precision: Double) {
    let trips = points.compactMap(\.roundTrip).sorted()
    guard let least = trips.first else { return (0, Self.precision) }
    let spread = Double(trips[trips.count / 2] - least) / 1e9
    return (least, Self.precision + spread / 3)
  }
}
