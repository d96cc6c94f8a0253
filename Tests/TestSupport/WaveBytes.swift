// SPDX-License-Identifier: Apache-2.0

/// WAV files of 16-bit PCM, created independently of the code under test.
public enum WaveBytes {
  /// A file whose samples are a function of the frame and the channel, −1…1.
  public static func file(
    frames: Int, channels: Int = 2, rate: Int = 48_000, _ value: (Int, Int) -> Double
  ) -> [UInt8] {
    let frameBytes = 2 * channels
    var file = Array("RIFF".utf8) + word(36 + frames * frameBytes, 4) + Array("WAVEfmt ".utf8)
    file += word(16, 4) + word(1, 2) + word(channels, 2) + word(rate, 4)
    file += word(rate * frameBytes, 4) + word(frameBytes, 2) + word(16, 2)
    file += Array("data".utf8) + word(frames * frameBytes, 4)
    for frame in 0..<frames {
      for channel in 0..<channels {
        file += word(Int((32_767 * value(frame, channel)).rounded()), 2)
      }
    }
    return file
  }

  /// One nonzero frame, then silence.
  public static func click(frames: Int) -> [UInt8] {
    file(frames: frames) { frame, _ in frame == 0 ? 0.8 : 0 }
  }

  private static func word(_ value: Int, _ size: Int) -> [UInt8] {
    (0..<size).map { UInt8(truncatingIfNeeded: value >> (8 * $0)) }
  }
}
