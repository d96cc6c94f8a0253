// SPDX-License-Identifier: Apache-2.0
internal import ArgumentParser

/// The value of `--quality` for rendering: the quality of a codec, or the best interpolation.
enum QualityChoice: ExpressibleByArgument, Hashable {
  /// The quality of a lossy codec, 0…1.
  case share(Double)
  /// Samples are interpolated with a windowed sinc.
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
