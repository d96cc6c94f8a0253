// SPDX-License-Identifier: Apache-2.0
internal import AudioFiles
internal import MusicalTime

/// One entry of a player's queue: a file, or samples in memory.
struct StreamSource: @unchecked Sendable {
  // Unchecked: a reader is used only under the lock of the player that owns it.

  enum Sound {
    case file(SoundFileReader)
    /// Interleaved stereo.
    case samples([Float])
  }

  let sound: Sound
  /// The end of a sound of unknown length, which no sound reaches.
  static let endless: Int64 = 1 << 50

  /// The range that is played, in frames of the sound.
  var range: Range<Int64>
  /// The number of repetitions after the first pass; nil for endlessly.
  var repeats: Int?
  /// The output frame at which it starts, or `Int64.min`.
  let startFrame: Int64
  /// The rate of the sound before conversion.
  let rate: SampleRate

  /// True if its end is known.
  var isBounded: Bool { range.upperBound < Self.endless }

  /// Seeks to a frame; returns false if that fails.
  func seek(to frame: Int64) -> Bool {
    switch sound {
    case .file(let reader): reader.locate(to: SampleTime(frames: frame))
    case .samples(let samples): frame >= 0 && frame <= samples.count / 2
    }
  }

  /// The next samples, interleaved stereo, from a position at the player's rate.
  func read(from place: Int64, frameCount: Int) -> ArraySlice<Float> {
    switch sound {
    case .file(let reader): return reader.read(Float.self, frameCount: frameCount)[...]
    case .samples(let samples):
      let start = min(samples.count, Int(place) * 2)
      return samples[start..<min(samples.count, start + frameCount * 2)]
    }
  }
}
