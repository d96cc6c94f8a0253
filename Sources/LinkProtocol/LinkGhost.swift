// SPDX-License-Identifier: Apache-2.0
package import MusicalTime

/// Where a session's time (*ghost time*) lies on this machine's clock, and how much faster it runs.
package struct LinkGhost: Hashable, BitwiseCopyable, Sendable {
  /// How much faster or slower a session's clock may run, in 10⁻⁹: crystals differ by a tenth.
  package static let mostDrift: Int64 = 1_000_000

  /// An instant of this machine.
  package let host: HostTime
  /// The session's time then, in nanoseconds.
  package let ghost: Int64
  /// How many nanoseconds more than a second of ours a second of the session's is.
  package let drift: Int64

  /// Creates a transform.
  ///
  /// - Parameters:
  ///   - host: An instant of this machine.
  ///   - ghost: The session's time then, in nanoseconds.
  ///   - drift: By how many 10⁻⁹ its clock is faster; held to ±`mostDrift`.
  package init(host: HostTime, ghost: Int64, drift: Int64 = 0) {
    (self.host, self.ghost) = (host, ghost)
    self.drift = min(max(drift, -Self.mostDrift), Self.mostDrift)
  }

  /// The time of a session that is founded now.
  package static func founded(at now: HostTime) -> LinkGhost { LinkGhost(host: now, ghost: 0) }

  /// The session's time at an instant, in nanoseconds, held to 64 bits.
  package func nanoseconds(at time: HostTime) -> Int64 {
    let distance = Int128(time.nanoseconds) - Int128(host.nanoseconds)
    let more = LinkTimeline.nearest(distance * Int128(drift), over: 1_000_000_000)
    return Int64(clamping: Int128(ghost) + distance + more)
  }

  /// The session's time at an instant, in microseconds.
  package func microseconds(at time: HostTime) -> Int64 {
    Int64(LinkTimeline.nearest(Int128(nanoseconds(at: time)), over: 1_000))
  }

  /// The line of micro-beats on this machine's clock, exactly.
  ///
  /// - Parameter timeline: How the session's beats run, with a tempo that a session may have.
  /// - Returns: The line.
  package func line(_ timeline: LinkTimeline) -> Timeline<MicroBeat, HostTime> {
    // A micro-beat is tempo / 1,000 ns of the session's, and ours are 10⁹ / (10⁹ + drift) of those.
    let denominator = 1_000_000_000 + drift
    let ahead = Int128(timeline.timeOrigin) * 1_000 - Int128(ghost)
    return Timeline(
      countOrigin: timeline.beatOrigin,
      scaledOrigin: Int128(host.nanoseconds) * Int128(denominator) + ahead * 1_000_000_000,
      numerator: timeline.microsecondsPerBeat * 1_000_000, denominator: denominator)
  }
}

/// A millionth of a beat, which the beats of a session are counted in.
package enum MicroBeat: BitwiseCopyable, Sendable {}
