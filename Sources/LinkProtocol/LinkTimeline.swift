// SPDX-License-Identifier: Apache-2.0

/// The relation of a session's beats to its time: a tempo, and the position of one beat.
///
/// Beats are in micro-beats, and the session's time (*ghost time*) is in microseconds. At 120 beats
/// per minute a beat is 500,000 µs: half a second after the origin is 1,000,000 micro-beats after
/// it.
package struct LinkTimeline: Hashable, BitwiseCopyable, Sendable {
  /// The allowed tempi in microseconds per beat: 999 to 20 beats per minute.
  package static let tempi: ClosedRange<Int64> = 60_060...3_000_000

  /// The length of a beat in microseconds.
  package var microsecondsPerBeat: Int64
  /// The beat at the origin; of two timelines, the one with the greater beat origin applies.
  package var beatOrigin: Int64
  /// The session's time at the origin, in microseconds.
  package var timeOrigin: Int64

  /// Creates a timeline.
  package init(microsecondsPerBeat: Int64, beatOrigin: Int64, timeOrigin: Int64) {
    (self.microsecondsPerBeat, self.beatOrigin) = (microsecondsPerBeat, beatOrigin)
    self.timeOrigin = timeOrigin
  }

  /// The same timeline with its tempo limited to the allowed range.
  package var clamped: LinkTimeline {
    var timeline = self
    timeline.microsecondsPerBeat = min(
      max(microsecondsPerBeat, Self.tempi.lowerBound), Self.tempi.upperBound)
    return timeline
  }

  /// True if the origin is possible for a session of this century, so that arithmetic does not
  /// overflow.
  var isPlausible: Bool {
    let range = -(Int64(1) << 53)...(Int64(1) << 53)
    return range.contains(beatOrigin) && range.contains(timeOrigin)
  }

  /// Returns the beat at a time of the session, to the nearest micro-beat, limited to 64 bits.
  ///
  /// - Precondition: The tempo is above zero.
  package func beats(atGhost time: Int64) -> Int64 {
    let distance = (Int128(time) - Int128(timeOrigin)) * 1_000_000
    return Int64(
      clamping: Int128(beatOrigin) + Self.nearest(distance, over: Int128(microsecondsPerBeat)))
  }

  /// Returns the session's time at a beat, to the nearest microsecond, limited to 64 bits.
  package func ghostTime(atBeats beats: Int64) -> Int64 {
    let distance = (Int128(beats) - Int128(beatOrigin)) * Int128(microsecondsPerBeat)
    return Int64(clamping: Int128(timeOrigin) + Self.nearest(distance, over: 1_000_000))
  }

  /// Returns the timeline for a change of the tempo at a time; the beat at that time does not
  /// change.
  ///
  /// - Parameters:
  ///   - microsecondsPerBeat: The new length of a beat, limited to the range of `tempi`.
  ///   - time: The time of the change, in microseconds of the session's time.
  /// - Returns: A timeline with a greater beat origin, so that every peer applies it.
  package func changed(to microsecondsPerBeat: Int64, atGhost time: Int64) -> LinkTimeline {
    let origin = max(beats(atGhost: time), beatOrigin + 1)
    return LinkTimeline(
      microsecondsPerBeat: microsecondsPerBeat, beatOrigin: origin,
      timeOrigin: ghostTime(atBeats: origin)
    ).clamped
  }

  /// A quotient, rounded to the nearest with halves away from zero.
  static func nearest(_ value: Int128, over divisor: Int128) -> Int128 {
    let half = value < 0 ? -(divisor / 2) : divisor / 2
    return (value + half) / divisor
  }
}
