// SPDX-License-Identifier: Apache-2.0
internal import SoundFontVoices

extension InstrumentConfiguration {
  /// How Downbeat's own voices read between the frames of a sample; FluidSynth's always use a cubic.
  public enum Interpolation: Hashable, Sendable {
    /// A cubic through four frames.
    case cubic
    /// A windowed sinc of 32 frames, which leaves no images of a sample above or below its pitch, at
    /// several times the work.
    case sinc

    /// The quality of voices that it stands for.
    var quality: VoiceQuality { self == .sinc ? .best : .usual }
  }
}
