// SPDX-License-Identifier: Apache-2.0
public import Foundation

/// The methods that a player calls on its delegate.
///
/// The methods are called on the main run loop or, if it is not running, on a serial queue.
public protocol AVAudioPlayerDelegate: NSObjectProtocol {
  /// Called when playback has finished.
  ///
  /// - Parameters:
  ///   - player: The player.
  ///   - flag: True if the sound was played to its end; false if the file was incomplete.
  func audioPlayerDidFinishPlaying(_ player: AVAudioPlayer, successfully flag: Bool)

  /// Called when the sound cannot be decoded to its end.
  ///
  /// - Parameters:
  ///   - player: The player.
  ///   - error: The error.
  func audioPlayerDecodeErrorDidOccur(_ player: AVAudioPlayer, error: (any Error)?)
}

extension AVAudioPlayerDelegate {
  /// The default implementation, which does nothing.
  public func audioPlayerDidFinishPlaying(_ player: AVAudioPlayer, successfully flag: Bool) {}

  /// The default implementation, which does nothing.
  public func audioPlayerDecodeErrorDidOccur(_ player: AVAudioPlayer, error: (any Error)?) {}
}
