// SPDX-License-Identifier: Apache-2.0
public import Foundation

/// The methods that a player calls.
///
/// They are called on the main run loop if it runs, otherwise on a serial queue.
public protocol AVAudioPlayerDelegate: NSObjectProtocol {
  /// The sound was played to its end.
  ///
  /// - Parameters:
  ///   - player: The player.
  ///   - flag: False if the file ended too early.
  func audioPlayerDidFinishPlaying(_ player: AVAudioPlayer, successfully flag: Bool)

  /// The sound cannot be decoded, or its file ended too early.
  ///
  /// - Parameters:
  ///   - player: The player.
  ///   - error: The error.
  func audioPlayerDecodeErrorDidOccur(_ player: AVAudioPlayer, error: (any Error)?)
}

extension AVAudioPlayerDelegate {
  /// Does nothing.
  public func audioPlayerDidFinishPlaying(_ player: AVAudioPlayer, successfully flag: Bool) {}

  /// Does nothing.
  public func audioPlayerDecodeErrorDidOccur(_ player: AVAudioPlayer, error: (any Error)?) {}
}
