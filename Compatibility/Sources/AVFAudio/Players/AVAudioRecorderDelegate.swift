// SPDX-License-Identifier: Apache-2.0
public import Foundation

/// The methods that a recorder calls.
///
/// They are called on the main run loop if it runs, otherwise on a serial queue.
public protocol AVAudioRecorderDelegate: NSObjectProtocol {
  /// The recording was stopped, or has reached its duration.
  ///
  /// - Parameters:
  ///   - recorder: The recorder.
  ///   - flag: True if the file is complete.
  func audioRecorderDidFinishRecording(_ recorder: AVAudioRecorder, successfully flag: Bool)

  /// The file cannot be written.
  ///
  /// - Parameters:
  ///   - recorder: The recorder.
  ///   - error: The error.
  func audioRecorderEncodeErrorDidOccur(_ recorder: AVAudioRecorder, error: (any Error)?)
}

extension AVAudioRecorderDelegate {
  /// Does nothing.
  public func audioRecorderDidFinishRecording(
    _ recorder: AVAudioRecorder, successfully flag: Bool
  ) {}

  /// Does nothing.
  public func audioRecorderEncodeErrorDidOccur(
    _ recorder: AVAudioRecorder, error: (any Error)?
  ) {}
}
