// SPDX-License-Identifier: Apache-2.0
internal import MusicalTime

/// Counts the tail after the last event, so that a sound that never dies is cut after a minute.
struct RingOut {
  private static let seconds = 60

  private let limit: Int
  private var quanta = 0
  private var silentFrames = 0

  init(rate: SampleRate) {
    limit = Int(rate.hertz) / 64 * Self.seconds
  }

  /// Whether the sound is over; asked once a quantum of 64 frames after the last event.
  ///
  /// - Parameters:
  ///   - isSilent: whether nothing sounds that is heard by the effects.
  ///   - tail: the frames for which effects sound on then.
  /// - Returns: Whether nothing more is heard, or a minute is over.
  mutating func isOver(isSilent: Bool, tail: Int) -> Bool {
    quanta += 1
    silentFrames = isSilent ? silentFrames + 64 : 0
    return silentFrames > tail || quanta > limit
  }
}
