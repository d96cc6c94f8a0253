// SPDX-License-Identifier: Apache-2.0
internal import AudioFiles
internal import MusicalTime

/// One entry of a player's queue: a file, or samples in memory.
struct StreamSource: @unchecked Sendable {
  // Unchecked: a reader is used under the lock of the player that owns it, and nowhere else.

  enum Sound {
    case file(SoundFileReader)
    /// Interleaved stereo.
    case samples([Float])
  }

  let sound: Sound
  /// The end of a sound that does not say how long it is: none is that long.
  static let endless: Int64 = 1 << 50

  /// The part that is played, in frames of the sound's own; the end is left out.
  var range: Range<Int64>
  /// How often the part is played again after the first time; nil for ever.
  var repeats: Int?
  /// The frame of the output at which it is to start, or `Int64.min`.
  let startFrame: Int64
  /// What the sound is resampled from.
  let rate: SampleRate

  /// Whether its end is known.
  var isBounded: Bool { range.upperBound < Self.endless }

  /// Goes to a frame; returns false where that cannot be done.
  func seek(to frame: Int64) -> Bool {
    switch sound {
    case .file(let reader): reader.locate(to: SampleTime(frames: frame))
    case .samples(let samples): frame >= 0 && frame <= samples.count / 2
    }
  }

  /// The next samples, interleaved stereo, from a place in the player's own rate on.
  func read(from place: Int64, frameCount: Int) -> ArraySlice<Float> {
    switch sound {
    case .file(let reader): return reader.read(Float.self, frameCount: frameCount)[...]
    case .samples(let samples):
      let start = min(samples.count, Int(place) * 2)
      return samples[start..<min(samples.count, start + frameCount * 2)]
    }
  }
}
