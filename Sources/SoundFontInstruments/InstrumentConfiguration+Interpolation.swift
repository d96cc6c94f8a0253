// SPDX-License-Identifier: Apache-2.0
internal import SoundFontVoices

extension InstrumentConfiguration {
  /// The interpolation between the frames of a sample by Downbeat's own voices.
  ///
  /// FluidSynth's voices always use a cubic.
  public enum Interpolation: Hashable, Sendable {
    /// Cubic interpolation through four frames.
    case cubic
    /// A windowed sinc of 32 frames, which avoids aliasing when a sample is transposed, but needs
    /// several times the work.
    case sinc

    /// The corresponding quality of voices.
    var quality: VoiceQuality { self == .sinc ? .best : .usual }
  }
}
