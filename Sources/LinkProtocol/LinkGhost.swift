// SPDX-License-Identifier: Apache-2.0
package import MusicalTime

/// The relation of a session's time (*ghost time*) to host time, with the difference in speed.
package struct LinkGhost: Hashable, BitwiseCopyable, Sendable {
  /// The largest difference in speed, in 10⁻⁹; crystals differ by a tenth of it.
  package static let mostDrift: Int64 = 1_000_000

  /// An instant in host time.
  package let host: HostTime
  /// The session's time at that instant, in nanoseconds.
  package let ghost: Int64
  /// The nanoseconds by which the session's time gains on host time per second.
  package let drift: Int64

  /// Creates a relation.
  ///
  /// - Parameters:
  ///   - host: An instant in host time.
  ///   - ghost: The session's time at that instant, in nanoseconds.
  ///   - drift: The difference in speed in 10⁻⁹, limited to ±`mostDrift`; 0 by default.
  package init(host: HostTime, ghost: Int64, drift: Int64 = 0) {
    (self.host, self.ghost) = (host, ghost)
    self.drift = min(max(drift, -Self.mostDrift), Self.mostDrift)
  }

  /// Returns the relation for a session that is founded now.
  package static func founded(at now: HostTime) -> LinkGhost { LinkGhost(host: now, ghost: 0) }

  /// Returns the session's time at an instant, in nanoseconds, limited to 64 bits.
  package func nanoseconds(at time: HostTime) -> Int64 {
    let distance = Int128(time.nanoseconds) - Int128(host.nanoseconds)
    let more = LinkTimeline.nearest(distance * Int128(drift), over: 1_000_000_000)
    return Int64(clamping: Int128(ghost) + distance + more)
  }

  /// Returns the session's time at an instant, in microseconds.
  package func microseconds(at time: HostTime) -> Int64 {
    Int64(LinkTimeline.nearest(Int128(nanoseconds(at: time)), over: 1_000))
  }

  /// Returns the exact line from micro-beats to host time.
  ///
  /// - Parameter timeline: The session's timeline, with a tempo in the allowed range.
  /// - Returns: The line.
  package func line(_ timeline: LinkTimeline) -> Timeline<MicroBeat, HostTime> {
    // A micro-beat is tempo / 1,000 ns of ghost time, which is 10⁹ / (10⁹ + drift) as long in host
    // time.
    let denominator = 1_000_000_000 + drift
    let ahead = Int128(timeline.timeOrigin) * 1_000 - Int128(ghost)
    return Timeline(
      countOrigin: timeline.beatOrigin,
      scaledOrigin: Int128(host.nanoseconds) * Int128(denominator) + ahead * 1_000_000_000,
      numerator: timeline.microsecondsPerBeat * 1_000_000, denominator: denominator)
  }
}

/// A millionth of a beat, the unit of a session's beats.
package enum MicroBeat: BitwiseCopyable, Sendable {}
