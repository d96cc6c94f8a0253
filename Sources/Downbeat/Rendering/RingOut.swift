// SPDX-License-Identifier: Apache-2.0
internal import MusicalTime

/// Counts the quanta after the last event, so that a sound that does not fade is cut off after a
/// minute.
struct RingOut {
  private static let seconds = 60

  private let limit: Int
  private var quanta = 0
  private var silentFrames = 0

  init(rate: SampleRate) {
    limit = Int(rate.hertz) / 64 * Self.seconds
  }

  /// Returns true if the sound is over; call it once for each quantum of 64 frames after the last
  /// event.
  ///
  /// - Parameters:
  ///   - isSilent: True if the effects receive silence.
  ///   - tail: The tail of the effects, in frames.
  /// - Returns: True if nothing is audible any more, or a minute is over.
  mutating func isOver(isSilent: Bool, tail: Int) -> Bool {
    quanta += 1
    silentFrames = isSilent ? silentFrames + 64 : 0
    return silentFrames > tail || quanta > limit
  }
}
