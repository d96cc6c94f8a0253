// SPDX-License-Identifier: Apache-2.0
internal import ArgumentParser
package import Downbeat
internal import SoundFontInstruments

/// The options for the interpolation of samples.
package struct VoiceOptions: ParsableArguments {
  package init() {}

  /// The value of `--quality`.
  enum Quality: String, CaseIterable, ExpressibleByArgument {
    case usual, best
  }

  @Option(
    help: ArgumentHelp(
      "Sample interpolation: usual, or best (windowed sinc, which needs four times the CPU time).",
      valueName: "quality"))
  var quality = Quality.usual

  /// Applies the options to settings.
  package func apply(to settings: inout SessionSettings?) {
    settings?.interpolation = quality == .best ? .sinc : .cubic
  }
}
