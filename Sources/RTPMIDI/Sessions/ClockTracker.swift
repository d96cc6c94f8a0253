// SPDX-License-Identifier: Apache-2.0
package import MusicalTime

/// Maps a peer's clock to the local clock, from exchanges of times over a network with varying
/// delays.
///
/// A Kalman filter estimates offset and drift; it trusts an exchange less if it took longer than
/// the shortest one. Corrections take effect slowly, so that notes do not shift relative to each
/// other.
package struct ClockTracker: Sendable {
  /// A unit of the session's clock in nanoseconds: 100 µs.
  static let unit: Int64 = 100_000
  /// The number of exchanges among which the shortest is found.
  private static let window = 32
  /// The seconds in which a correction takes effect, usually and in the first minute; below, the
  /// largest correction that takes effect slowly.
  private static let slewSeconds = (usual: 20.0, early: 1.0)
  private static let early: Int64 = 60_000_000_000
  private static let largestSlew = 20e6

  // An instant on both clocks, from which times are counted.
  private let base: (host: HostTime, remote: UInt64)
  private var time: HostTime
  private var offset = 0.0
  /// The drift in nanoseconds per second.
  private var speed = 0.0
  private var variance: (offset: Double, both: Double, speed: Double)
  private var latencies: [Double] = []
  private var doubts = 0
  /// The correction that has not taken effect yet, from an instant on.
  private var residue = (value: 0.0, since: HostTime.zero, seconds: 1.0)

  /// Half of the round-trip time of the last exchange, in nanoseconds.
  package private(set) var latency: Int64

  /// The drift: the millionths by which the peer's clock is faster than the local clock.
  package var drift: Double { speed / 1_000 }

  /// Creates a tracker from the first exchange.
  ///
  /// - Parameters:
  ///   - remote: The time on the peer's clock in units of 100 µs, rounded down.
  ///   - host: The same instant on the local clock, if both directions took the same time.
  ///   - latency: Half of the round-trip time, in nanoseconds.
  package init(remote: UInt64, at host: HostTime, latency: Int64) {
    base = (host, remote)
    (time, self.latency) = (host, latency)
    // Rounding down loses half a unit on average.
    offset = Double(Self.unit / 2)
    let unsure = Double(latency) / 2 + 50_000
    variance = (unsure * unsure, 0, 1e10)
    latencies = [Double(latency)]
  }

  /// Adds an exchange.
  ///
  /// - Parameters:
  ///   - remote: The time on the peer's clock in units of 100 µs, rounded down.
  ///   - half: True to add half a unit.
  ///   - host: The same instant on the local clock, if both directions took the same time.
  ///   - latency: Half of the round-trip time, in nanoseconds.
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
    // The clock is within the latency of the measurement, unless it was set.
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

  /// Ignores one impossible exchange.
  ///
  /// After two in a row the clock was set, and tracking restarts.
  private mutating func doubt(_ remote: UInt64, _ host: HostTime, _ latency: Int64) {
    doubts += 1
    guard doubts > 1, latency >= 0 else { return }
    self = ClockTracker(remote: remote, at: host, latency: latency)
  }

  private mutating func predict(_ step: Double) {
    offset += speed * step
    variance.offset += step * (2 * variance.both + step * variance.speed) + 4e6 * step
    variance.both += step * variance.speed
    // Crystals drift by about 10⁻⁸ per minute.
    variance.speed += 20 * step
  }

  private mutating func correct(_ error: Double, by noise: Double) {
    let sum = variance.offset + noise
    let gain = (offset: variance.offset / sum, speed: variance.both / sum)
    offset += gain.offset * error
    // The frequencies of two crystals never differ by more.
    speed = min(max(speed + gain.speed * error, -1e6), 1e6)
    variance.speed -= gain.speed * variance.both
    variance.both *= 1 - gain.offset
    variance.offset *= 1 - gain.offset
  }

  /// The variance of an exchange, from its excess over the shortest and the uncertainty of that.
  private mutating func noise(of latency: Double) -> Double {
    latencies.append(latency)
    if latencies.count > Self.window { latencies.removeFirst() }
    let shortest = latencies.min() ?? latency
    let mean = latencies.reduce(0, +) / Double(latencies.count)
    let excess = latency - shortest
    let unsure = latencies.count < 4 ? latency / 2 : (mean - shortest) / 2
    return excess * excess / 3 + unsure * unsure / 4 + 1.6e9
  }

  /// The time that the peer's clock has gained since the base, in nanoseconds.
  private func offset(at host: HostTime) -> Double {
    let since = Double(host.nanoseconds(since: time)) / 1e9
    let gone = Double(host.nanoseconds(since: residue.since)) / 1e9 / residue.seconds
    return offset + speed * since + residue.value * min(max(0, 1 - gone), 1)
  }

  /// Converts a time stamp to host time.
  ///
  /// - Parameters:
  ///   - stamp: The lower half of a time on the peer's clock, in units of 100 µs.
  ///   - now: The current time; the time stamp must be within 59 hours of it.
  /// - Returns: The host time, within a nanosecond of the estimate.
  package func hostTime(of stamp: UInt32, near now: HostTime) -> HostTime {
    let ahead = Int64(offset(at: now))
    let remote = now.nanoseconds(since: base.host) + ahead
    let units = remote / Self.unit - (remote % Self.unit < 0 ? 1 : 0)
    let near = UInt32(truncatingIfNeeded: base.remote &+ UInt64(bitPattern: units))
    let distance = Int64(Int32(bitPattern: stamp &- near))
    return now.advanced(byNanoseconds: (units + distance) * Self.unit - remote)
  }

  /// A difference of times in nanoseconds; nil if it is impossibly large.
  private static func nanoseconds(_ units: UInt64) -> Int64? {
    let signed = Int64(bitPattern: units)
    return signed.magnitude < 1 << 44 ? signed * unit : nil
  }
}
