// SPDX-License-Identifier: Apache-2.0

/// How a session's beats run along its time: a tempo and one beat's place.
///
/// Beats are counted in micro-beats, a session's time (*ghost time*) in microseconds. At 120 beats
/// per minute a beat is 500,000 µs, so half a second after the origin lies 1,000,000 after its beat.
package struct LinkTimeline: Hashable, BitwiseCopyable, Sendable {
  /// The tempi that a session may have, as microseconds a beat: 999 to 20 beats per minute.
  package static let tempi: ClosedRange<Int64> = 60_060...3_000_000

  /// The length of a beat.
  package var microsecondsPerBeat: Int64
  /// The beat at the origin; of two timelines the one with the greater counts.
  package var beatOrigin: Int64
  /// The session's time at the origin.
  package var timeOrigin: Int64

  /// Creates a timeline.
  package init(microsecondsPerBeat: Int64, beatOrigin: Int64, timeOrigin: Int64) {
    (self.microsecondsPerBeat, self.beatOrigin) = (microsecondsPerBeat, beatOrigin)
    self.timeOrigin = timeOrigin
  }

  /// The same with a tempo that a session may have.
  package var clamped: LinkTimeline {
    var timeline = self
    timeline.microsecondsPerBeat = min(
      max(microsecondsPerBeat, Self.tempi.lowerBound), Self.tempi.upperBound)
    return timeline
  }

  /// Whether its origin lies where a session of this century can be: reckoning stays far from the
  /// ends of 64 bits.
  var isPlausible: Bool {
    let range = -(Int64(1) << 53)...(Int64(1) << 53)
    return range.contains(beatOrigin) && range.contains(timeOrigin)
  }

  /// The beat at a time of the session, to the nearest micro-beat, held to 64 bits.
  ///
  /// - Precondition: the tempo is above zero.
  package func beats(atGhost time: Int64) -> Int64 {
    let distance = (Int128(time) - Int128(timeOrigin)) * 1_000_000
    return Int64(
      clamping: Int128(beatOrigin) + Self.nearest(distance, over: Int128(microsecondsPerBeat)))
  }

  /// The session's time at a beat, to the nearest microsecond, held to 64 bits.
  package func ghostTime(atBeats beats: Int64) -> Int64 {
    let distance = (Int128(beats) - Int128(beatOrigin)) * Int128(microsecondsPerBeat)
    return Int64(clamping: Int128(timeOrigin) + Self.nearest(distance, over: 1_000_000))
  }

  /// The line that takes this one's place when the tempo changes at a time: no beat moves there.
  ///
  /// - Parameters:
  ///   - microsecondsPerBeat: The new length of a beat; one that no session may have is brought into
  ///     the range.
  ///   - time: When, in the session's time.
  /// - Returns: A line whose origin lies after this one's, so that every peer takes it.
  package func changed(to microsecondsPerBeat: Int64, atGhost time: Int64) -> LinkTimeline {
    let origin = max(beats(atGhost: time), beatOrigin + 1)
    return LinkTimeline(
      microsecondsPerBeat: microsecondsPerBeat, beatOrigin: origin,
      timeOrigin: ghostTime(atBeats: origin)
    ).clamped
  }

  /// A quotient to the nearest, halves away from zero.
  static func nearest(_ value: Int128, over divisor: Int128) -> Int128 {
    let half = value < 0 ? -(divisor / 2) : divisor / 2
    return (value + half) / divisor
  }
}
