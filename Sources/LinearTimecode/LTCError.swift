// SPDX-License-Identifier: Apache-2.0
public import MusicalTime

/// An error that occurs when linear time code is generated.
public enum LTCError: Error, Hashable {
  /// The frame rate is above 30 frames per second, the limit of linear time code.
  case tooFast(FrameRate)
  /// The sample rate is too low to represent the bits of a frame at the frame rate.
  case tooFewSamples(SampleRate, FrameRate)
}

extension LTCError: CustomStringConvertible {
  /// The message for the user, which includes a remedy.
  public var description: String {
    switch self {
    case .tooFast(let rate):
      "linear time code at \(rate.name) fps: the limit is 30 fps (use half the rate)"
    case .tooFewSamples(let sound, let rate):
      "linear time code at \(rate.name) fps in \(sound.hertz) Hz: a frame needs 160 samples (use a "
        + "higher sample rate)"
    }
  }
}
