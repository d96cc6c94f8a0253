// SPDX-License-Identifier: Apache-2.0
internal import CoreMedia

/// The sound of a player's item, on the output that all players share.
///
/// - Note: Any thread.
protocol ItemPlayback: AnyObject, Sendable {
  /// The position of the next sound.
  var time: CMTime { get }
  /// The length; `.indefinite` if it is not known or endless.
  var duration: CMTime { get }

  /// Plays from the present position.
  ///
  /// - Parameter rate: The rate; an address has the rate 1.
  /// - Returns: False if the output cannot be used.
  func play(rate: Float) -> Bool

  /// Stops; the position stays.
  func pause()

  /// Goes to a position.
  ///
  /// - Parameters:
  ///   - time: The position.
  ///   - completion: Called once, when the sound of the position is played.
  func seek(to time: CMTime, completion: @escaping @Sendable () -> Void)

  /// Sets the volume, 0…1.
  func setVolume(_ volume: Float)

  /// Ends playing, and leaves the output.
  func close()
}

/// An event of an item's sound.
enum PlaybackEvent: Sendable {
  /// It can be played.
  case ready
  /// It waits for data, or continues.
  case waiting(Bool)
  /// Its end was played.
  case ended
  /// It cannot be played further.
  case failed(AVError)
}
