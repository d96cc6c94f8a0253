// SPDX-License-Identifier: Apache-2.0
internal import MusicalTime

/// Counts the tail after the last event, so that a sound that never dies is cut after a minute.
struct RingOut {
  private static let seconds = 60

  private let limit: Int
  private var quanta = 0

  init(rate: SampleRate) {
    limit = Int(rate.hertz) / 64 * Self.seconds
  }

  /// Whether the sound is over; asked once a quantum of 64 frames after the last event.
  mutating func isOver(isSilent: Bool) -> Bool {
    quanta += 1
    return isSilent || quanta > limit
  }
}
