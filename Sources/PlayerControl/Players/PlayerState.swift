// SPDX-License-Identifier: Apache-2.0
package import MusicalTime
internal import Realtime

/// The state that songs, sounds and streams share: pause, volume and the last locate.
package struct PlayerState<Place> {
  /// The time for which the target of a locate is used as the position, in nanoseconds.
  package var settling: Int64 = 300_000_000

  /// True if a command has paused the player.
  package var isPaused = false { didSet { isStopped = false } }
  /// True if the player is paused at the beginning.
  package var isStopped = false
  /// True if playback was ended so that it can be resumed at its position.
  package var isPlaceKept = false
  /// The volume in decibels; 0 is the volume at the start.
  package private(set) var volume = 0.0
  /// The number of locates.
  package private(set) var seekCount = 0
  private var target: (place: Place, end: Int64)?

  package init() {}

  /// The position of the last locate while the output may still play the old one; nil otherwise.
  package var pendingPlace: Place? {
    target.flatMap { DeadlineWait.now < $0.end ? $0.place : nil }
  }

  /// Records a locate.
  ///
  /// - Parameters:
  ///   - place: The new position.
  ///   - time: When it is audible; nil for as soon as possible.
  package mutating func locate(to place: Place, at time: HostTime? = nil) {
    target = (place, max(DeadlineWait.now, time?.nanoseconds ?? 0) + settling)
    seekCount += 1
    isStopped = false
  }

  /// Sets the volume, limited to −60…12 dB.
  ///
  /// - Parameter decibels: The volume.
  /// - Returns: The volume as a linear factor.
  package mutating func setVolume(_ decibels: Double) -> Float {
    volume = PlayControls.limited(decibels)
    return Gain(decibels: volume).factor
  }

  /// The message after a change of the volume.
  package var volumeMessage: String { "volume \(volume.signed) dB" }

  /// Sets the state of the transport, pause and the number of locates in a status.
  ///
  /// - Parameters:
  ///   - status: The status.
  ///   - state: The state if the player is not paused.
  package func fill(_ status: inout PlayStatus, running state: PlayStatus.State = .playing) {
    status.state = isPaused ? isStopped ? .stopped : .paused : state
    (status.isPaused, status.seekCount) = (isPaused, seekCount)
  }
}
