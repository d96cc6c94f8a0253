// SPDX-License-Identifier: Apache-2.0
public import MusicalTime

/// Why no linear timecode can be made.
public enum LTCError: Error, Hashable {
  /// The rate has more frames a second than labels of linear timecode count.
  case tooFast(FrameRate)
  /// The sound has too few samples for the frames' bits.
  case tooFewSamples(SampleRate, FrameRate)
}

extension LTCError: CustomStringConvertible {
  /// A sentence: what does not go, and what would.
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
