// SPDX-License-Identifier: Apache-2.0

/// A sample and its settings for a range of keys and velocities: a zone of a preset and a zone of
/// its instrument, combined when the font is read.
///
/// Source: SoundFont 2.04, sections 7 and 9.4.
@safe
struct Region: BitwiseCopyable {
  var lowKey: UInt8
  var highKey: UInt8
  var lowVelocity: UInt8
  var highVelocity: UInt8

  /// The amount of each generator in its own unit, before modulators.
  ///
  /// Generators that zones do not set have their default.
  ///
  /// The attenuation is the audible one, in centibels: two fifths of the font's value, as on the
  /// EMU8000, plus the attenuation of the whole font. Address offsets are applied by the voice.
  var generators: InlineArray<61, Float>

  /// The positions of the sample in the bank's samples: its first frame, the frame after its last,
  /// and the loop.
  ///
  /// An uncompressed sample is followed by up to 46 silent frames, which are before `end`; a sample
  /// without a loop fades out in them. The loop is before `soundEnd` and may be empty.
  var start: Int32
  var end: Int32
  var loopStart: Int32
  var loopEnd: Int32
  /// The frame after the sample's last frame, without the following silence; loops do not go
  /// further.
  var soundEnd: Int32
  /// The number of frames by which the font's loop ends after `soundEnd`.
  ///
  /// An offset of the loop end is relative to that position, as the font's author intended.
  var loopExcess: Int32
  /// The sample rate at the sample's own key, in hertz.
  var rate: Float
  /// The key at which the sample is not transposed, unless a generator sets another, 0…127.
  var key: UInt8
  /// The pitch correction of the sample, in cents.
  var correction: Int8
  /// The amplitude at which the loop reaches the noise of the output, 2·10⁻⁷ of full scale; 0 until
  /// the patch is loaded.
  var noiseFloor: Float

  /// The modulators: the standard's, replaced by the instrument's, plus the preset's.
  var modulators: UnsafePointer<Modulator>
  var modulatorCount: Int32
}
