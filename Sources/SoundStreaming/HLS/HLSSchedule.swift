// SPDX-License-Identifier: Apache-2.0

/// Determines the next segment of a stream, and the time at which its playlist is loaded again.
///
/// A schedule is a value: times are passed to it, and it does not wait or download.
///
/// Source: RFC 8216, 6.3.3 and 6.3.4.
package struct HLSSchedule: Sendable {
  /// The next action.
  package enum Step: Hashable {
    /// Play a segment. If segments before it are missing, its sound is discontinuous.
    case segment(HLSMedia.Segment, isDiscontinuous: Bool)
    /// Load the playlist again at a time.
    case reload(at: Duration)
    /// The stream is over.
    case end
    /// The server has not added a segment for this duration.
    case stalled(Duration)
  }

  /// The minimum and maximum time between two loads, in seconds.
  private static let period = 0.5...120.0

  /// The current playlist; nil before the first.
  package private(set) var media: HLSMedia?
  /// The part of the first segment to skip, in seconds; 0 until it is known.
  package private(set) var leadSeconds = 0.0
  private let start: Double?
  private var nextNumber: Int64 = 0
  private var isMissing = false
  private var reloadTime = Duration.zero
  /// The time at which a segment was last added.
  private var newTime = Duration.zero

  /// Creates a schedule.
  ///
  /// - Parameter seconds: The position at which to start, if the stream is complete; nil for its
  ///   start, or for three target durations before the end if segments are still added.
  package init(from seconds: Double? = nil) { start = seconds }

  /// True if all segments are known.
  package var isComplete: Bool { media?.isComplete ?? false }

  /// Sets a playlist that was loaded.
  ///
  /// - Parameters:
  ///   - new: The playlist.
  ///   - now: The time at which loading started.
  package mutating func take(_ new: HLSMedia, at now: Duration) {
    let old = media
    media = new
    let isChanged = old?.segments.last?.number != new.segments.last?.number || old == nil
    if isChanged || new.isComplete { newTime = now }
    let seconds = isChanged ? new.targetSeconds : new.targetSeconds / 2
    let held = min(max(seconds, Self.period.lowerBound), Self.period.upperBound)
    reloadTime = now + .milliseconds(Int(held * 1000))
    if old?.segments.isEmpty ?? true { return begin(new) }
    guard let first = new.segments.first, let last = new.segments.last else { return }
    if first.number > nextNumber {
      (nextNumber, isMissing) = (first.number, true)
    } else if last.number + 1 < nextNumber {
      // The server has restarted its sequence numbers.
      begin(new)
      isMissing = true
    }
  }

  /// Determines the next action.
  ///
  /// - Parameter now: The current time, on the clock of `take`.
  /// - Returns: The action.
  package func step(at now: Duration) -> Step {
    guard let media else { return .reload(at: now) }
    if let first = media.segments.first, nextNumber - first.number < Int64(media.segments.count) {
      let segment = media.segments[Int(max(0, nextNumber - first.number))]
      return .segment(segment, isDiscontinuous: segment.isDiscontinuous || isMissing)
    }
    if media.isComplete { return .end }
    let limit = Duration.seconds(max(60, 6 * media.targetSeconds))
    return now - newTime > limit ? .stalled(limit) : .reload(at: reloadTime)
  }

  /// Advances to the segment after that of `step`.
  ///
  /// - Parameter isMissing: True if its sound could not be downloaded.
  package mutating func advance(isMissing: Bool = false) {
    nextNumber += 1
    self.isMissing = isMissing
  }

  /// Selects the first segment.
  private mutating func begin(_ new: HLSMedia) {
    guard let first = new.segments.first else { return }
    nextNumber = first.number
    leadSeconds = 0
    guard let place = place(in: new) else { return }
    var time = 0.0
    for segment in new.segments {
      nextNumber = segment.number
      leadSeconds = max(0, place - time)
      if time + segment.seconds > place { return }
      time += segment.seconds
    }
    leadSeconds = min(leadSeconds, new.segments.last?.seconds ?? 0)
  }

  /// The position at which to start, in seconds; nil for the start.
  private func place(in new: HLSMedia) -> Double? {
    if let start, new.isComplete { return start }
    let all = new.seconds
    if let wanted = new.start { return min(max(0, wanted < 0 ? all + wanted : wanted), all) }
    guard !new.isComplete else { return nil }
    var left = 0.0
    for segment in new.segments.reversed() {
      left += segment.seconds
      if left >= 3 * new.targetSeconds { return all - left }
    }
    return nil
  }
}
