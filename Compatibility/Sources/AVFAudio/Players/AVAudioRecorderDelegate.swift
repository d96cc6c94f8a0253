// SPDX-License-Identifier: Apache-2.0
public import Foundation

/// The methods that a recorder calls on its delegate.
///
/// The methods are called on the main run loop or, if it is not running, on a serial queue.
public protocol AVAudioRecorderDelegate: NSObjectProtocol {
  /// Called when recording has finished, because it was stopped, reached its duration or failed.
  ///
  /// - Parameters:
  ///   - recorder: The recorder.
  ///   - flag: True if the file is complete.
  func audioRecorderDidFinishRecording(_ recorder: AVAudioRecorder, successfully flag: Bool)

  /// Called when the file cannot be written.
  ///
  /// - Parameters:
  ///   - recorder: The recorder.
  ///   - error: The error.
  func audioRecorderEncodeErrorDidOccur(_ recorder: AVAudioRecorder, error: (any Error)?)
}

extension AVAudioRecorderDelegate {
  /// The default implementation, which does nothing.
  public func audioRecorderDidFinishRecording(
    _ recorder: AVAudioRecorder, successfully flag: Bool
  ) {}

  /// The default implementation, which does nothing.
  public func audioRecorderEncodeErrorDidOccur(
    _ recorder: AVAudioRecorder, error: (any Error)?
  ) {}
}
