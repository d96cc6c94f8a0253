// SPDX-License-Identifier: Apache-2.0
internal import ArgumentParser

/// What `--quality` asks for when a song is rendered: a share for a codec, or the best voices.
enum QualityChoice: ExpressibleByArgument, Hashable {
  /// How good a lossy codec is to be, 0…1.
  case share(Double)
  /// Samples are read by a windowed sinc.
  case best

  init?(argument: String) {
    if argument == "best" {
      self = .best
    } else if let share = Double(argument) {
      self = .share(share)
    } else {
      return nil
    }
  }
}
