// SPDX-License-Identifier: Apache-2.0

/// A sample and how it sounds where a note's key and velocity lie in a range: a zone of a preset and
/// a zone of one of its instruments, taken together once, when the font is read.
///
/// Source: SoundFont 2.04, sections 7 and 9.4.
@safe
struct Region: BitwiseCopyable {
  var lowKey: UInt8
  var highKey: UInt8
  var lowVelocity: UInt8
  var highVelocity: UInt8

  /// Each generator's amount in its own unit, the default where no zone sets it, before modulators.
  ///
  /// The attenuation is in centibels as it is heard: two fifths of what the font says, as on the
  /// EMU8000, and what is taken from the font as a whole. Offsets of addresses are the voice's to
  /// apply.
  var generators: InlineArray<61, Float>

  /// The places of the sample in the bank's samples: its first frame, one past its last, the loop.
  ///
  /// Behind an uncompressed sample come up to 46 frames of silence, which `end` includes: in them a
  /// sample without a loop fades out. The loop lies before `soundEnd`; it may be empty.
  var start: Int32
  var end: Int32
  var loopStart: Int32
  var loopEnd: Int32
  /// One past the sample's own last frame, without the silence behind it; no loop goes further.
  var soundEnd: Int32
  /// The frames by which the font has the loop end behind `soundEnd`: an offset of the loop's end
  /// counts from there, as the font's maker heard it.
  var loopExcess: Int32
  /// Frames a second at which the sample sounds at its own key.
  var rate: Float
  /// The key at which it sounds as stored if no generator names another, 0…127.
  var key: UInt8
  /// What is added to its pitch, in cents.
  var correction: Int8
  /// The factor at which what the loop repeats is as low as the noise of the output, 2·10⁻⁷ of full
  /// scale; 0 until the patch is loaded.
  var noiseFloor: Float

  /// The modulators: the standard's, the instrument's in their place, the preset's added.
  var modulators: UnsafePointer<Modulator>
  var modulatorCount: Int32
}
