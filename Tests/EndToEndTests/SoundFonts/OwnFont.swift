// SPDX-License-Identifier: Apache-2.0
import Foundation
import TestSupport
import Testing

/// The font of the project, which `play` and `render` use if no other is installed.
enum OwnFont {
  /// The loudness of songs without a gain option, in LUFS.
  static let loudness = -20.0 ... -12.0

  /// Renders a song without a gain option.
  ///
  /// All presets must be available, no sample may be clipped, and the limiter may reduce peaks only
  /// by an amount that is not reported.
  static func render(_ song: URL, length: [String] = []) throws -> WaveAudio {
    let scratch = try ScratchFolder()
    let output = scratch.path("song.wav")
    let run = try CommandRun(
      ["render", song.path, "-o", output] + length,
      environment: ["DOWNBEAT_SOUNDFONT": "Soundfonts/Downbeat.sf2"])
    #expect([0, 3].contains(run.status), "\(song.lastPathComponent): \(run.errors)")
    for complaint in ["clipped", "dB (try ", "which the soundfont lacks"] {
      #expect(!run.errors.contains(complaint), "\(song.lastPathComponent): \(run.errors)")
    }
    let sound = try #require(WaveAudio(try Data(contentsOf: URL(fileURLWithPath: output))))
    #expect(sound.longestFlat < 4, "\(song.lastPathComponent) is clipped")
    return sound
  }
}

extension WaveAudio {
  /// The most samples in a row that stand at full scale, as clipping leaves them.
  fileprivate var longestFlat: Int {
    var longest = 0
    for channel in channels {
      var count = 0
      for sample in channel {
        count = abs(sample) > 0.9999 ? count + 1 : 0
        longest = max(longest, count)
      }
    }
    return longest
  }
}
