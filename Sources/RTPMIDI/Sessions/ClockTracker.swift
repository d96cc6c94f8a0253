// SPDX-License-Identifier: Apache-2.0
package import MusicalTime

/// Where another's clock lies on ours, from exchanges of times whose ways take now longer, now
/// shorter.
///
/// A Kalman filter of offset and drift: an exchange that took longer than the shortest is believed
/// less. What is found moves the clock slowly, so that no note is shifted against its neighbour.
package struct ClockTracker: Sendable {
  /// A unit of the session's clock, in nanoseconds.
  static let unit: Int64 = 100_000
  /// How many exchanges are looked at for the shortest.
  private static let window = 32
  /// In how many seconds a correction takes effect, also in the first minute, and the most that is
  /// corrected slowly.
  private static let slewSeconds = (usual: 20.0, early: 1.0)
  private static let early: Int64 = 60_000_000_000
  private static let largestSlew = 20e6

  // An instant that both clocks name, from which all else is counted.
  private let base: (host: HostTime, remote: UInt64)
  private var time: HostTime
  private var offset = 0.0
  /// Nanoseconds a second.
  private var speed = 0.0
  private var variance: (offset: Double, both: Double, speed: Double)
  private var latencies: [Double] = []
  private var doubts = 0
  /// What was corrected and has not taken effect yet, from an instant on.
  private var residue = (value: 0.0, since: HostTime.zero, seconds: 1.0)

  /// Half of what the last exchange took, in nanoseconds.
  package private(set) var latency: Int64

  /// By how many millionths their clock is faster than ours.
  package var drift: Double { speed / 1_000 }

  /// Takes the first exchange.
  ///
  /// - Parameters:
  ///   - remote: What their clock said, in 100 µs, rounded down.
  ///   - host: When that was on ours, if both ways took equally long.
  ///   - latency: Half of what the exchange took, in nanoseconds.
  package init(remote: UInt64, at host: HostTime, latency: Int64) {
    base = (host, remote)
    (time, self.latency) = (host, latency)
    // Half a unit is lost by rounding down, on average.
    offset = Double(Self.unit / 2)
    let unsure = Double(latency) / 2 + 50_000
    variance = (unsure * unsure, 0, 1e10)
    latencies = [Double(latency)]
  }

  /// Takes a further exchange.
  ///
  /// - Parameters:
  ///   - remote: What their clock said, in 100 µs, rounded down.
  ///   - half: Whether half a unit is to be added.
  ///   - host: When that was on ours, if both ways took equally long.
  ///   - latency: Half of what the exchange took, in nanoseconds.
  package mutating func take(
    remote: UInt64, half: Bool = false, at host: HostTime, latency: Int64
  ) {
    guard latency >= 0, host > time, let passed = Self.nanoseconds(remote &- base.remote) else {
      return doubt(remote, host, latency)
    }
    let heard = offset(at: host)
    let remotePassed: Int64 = passed + Self.unit / 2 + (half ? Self.unit / 2 : 0)
    let measured = Double(remotePassed) - Double(host.nanoseconds &- base.host.nanoseconds)
    let step = Double(host.nanoseconds(since: time)) / 1e9
    let error = measured - (offset + speed * step)
    // The clock lies within the latency of what was measured; unless it was set.
    guard abs(error) <= Double(latency) + 2e6 + 3 * variance.offset.squareRoot() + 1e5 * step else {
      return doubt(remote, host, latency)
    }
    doubts = 0
    self.latency = latency
    predict(step)
    correct(error, by: noise(of: Double(latency)))
    time = host
    let change = heard - offset
    let isEarly = host.nanoseconds(since: base.host) < Self.early
    residue = (
      abs(change) > Self.largestSlew ? 0 : change, host,
      isEarly ? Self.slewSeconds.early : Self.slewSeconds.usual
    )
  }

  /// One exchange that cannot be is left out; of two the clock was set, and all begins anew.
  private mutating func doubt(_ remote: UInt64, _ host: HostTime, _ latency: Int64) {
    doubts += 1
    guard doubts > 1, latency >= 0 else { return }
    self = ClockTracker(remote: remote, at: host, latency: latency)
  }

  private mutating func predict(_ step: Double) {
    offset += speed * step
    variance.offset += step * (2 * variance.both + step * variance.speed) + 4e6 * step
    variance.both += step * variance.speed
    // Crystals wander by some 10⁻⁸ in a minute.
    variance.speed += 20 * step
  }

  private mutating func correct(_ error: Double, by noise: Double) {
    let sum = variance.offset + noise
    let gain = (offset: variance.offset / sum, speed: variance.both / sum)
    offset += gain.offset * error
    // No two crystals are further apart.
    speed = min(max(speed + gain.speed * error, -1e6), 1e6)
    variance.speed -= gain.speed * variance.both
    variance.both *= 1 - gain.offset
    variance.offset *= 1 - gain.offset
  }

  /// The variance of an exchange: by how much it took longer than the shortest, and how sure that
  /// is.
  private mutating func noise(of latency: Double) -> Double {
    latencies.append(latency)
    if latencies.count > Self.window { latencies.removeFirst() }
    let shortest = latencies.min() ?? latency
    let mean = latencies.reduce(0, +) / Double(latencies.count)
    let excess = latency - shortest
    let unsure = latencies.count < 4 ? latency / 2 : (mean - shortest) / 2
    return excess * excess / 3 + unsure * unsure / 4 + 1.6e9
  }

  /// By how much their clock is ahead since the base, in nanoseconds.
  private func offset(at host: HostTime) -> Double {
    let since = Double(host.nanoseconds(since: time)) / 1e9
    let gone = Double(host.nanoseconds(since: residue.since)) / 1e9 / residue.seconds
    return offset + speed * since + residue.value * min(max(0, 1 - gone), 1)
  }

  /// When a stamp is, on our clock.
  ///
  /// - Parameters:
  ///   - stamp: The lower half of what their clock says, in 100 µs.
  ///   - now: The time, near which the stamp is: within 59 hours.
  /// - Returns: The host time, within a nanosecond of what the filter knows.
  package func hostTime(of stamp: UInt32, near now: HostTime) -> HostTime {
    let ahead = Int64(offset(at: now))
    let remote = now.nanoseconds(since: base.host) + ahead
    let units = remote / Self.unit - (remote % Self.unit < 0 ? 1 : 0)
    let near = UInt32(truncatingIfNeeded: base.remote &+ UInt64(bitPattern: units))
    let distance = Int64(Int32(bitPattern: stamp &- near))
    return now.advanced(byNanoseconds: (units + distance) * Self.unit - remote)
  }

  /// A difference of their times in nanoseconds; nil where it is none of an hour's session.
  private static func nanoseconds(_ units: UInt64) -> Int64? {
    let signed = Int64(bitPattern: units)
    return signed.magnitude < 1 << 44 ? signed * unit : nil
  }
}
