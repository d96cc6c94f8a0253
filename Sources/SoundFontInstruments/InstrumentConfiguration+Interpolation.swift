// SPDX-License-Identifier: Apache-2.0
internal import SoundFontVoices

extension InstrumentConfiguration {
  /// The method by which Downbeat's own voices interpolate between the frames of a sample.
  ///
  /// FluidSynth's voices always use cubic interpolation.
  public enum Interpolation: Hashable, Sendable {
    /// Cubic interpolation through four frames.
    case cubic
    /// A windowed sinc of 32 frames, which avoids aliasing when a sample is transposed, but needs
    /// several times the processor time of `cubic`.
    case sinc

    /// The corresponding quality of voices.
    var quality: VoiceQuality { self == .sinc ? .best : .usual }
  }
}
