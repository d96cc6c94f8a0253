// SPDX-License-Identifier: Apache-2.0

/// A voice as a note struck it: a region, and what controllers make of its generators.
///
/// What moves once a quantum is `CVoice`, at the same place.
@safe
struct Voice: BitwiseCopyable {
  /// The region it plays.
  var region: UnsafePointer<Region>
  var velocity: UInt8
  /// The group and the lane in it that make its sound.
  var group: Int32
  var lane: Int32
  /// Each generator's amount: what the region says, the sum of its modulators, and what the channel
  /// adds (SoundFont 2.04, 9.6).
  var values: InlineArray<61, Float>
  var sums: InlineArray<61, Double> = InlineArray(repeating: 0)
  var offsets: InlineArray<61, Float>
  /// The key at which the sample sounds as stored but for its correction.
  var rootKey = 0.0
  /// The key's pitch in cents.
  var keyPitch = 0.0
  /// The gains of left, right, reverb and chorus without the synthesiser's.
  var gains: InlineArray<4, Double> = InlineArray(repeating: 0)
  /// What its part and its drum note make of its level and of its sends to reverb, chorus and delay.
  var level: Float = 1
  var sendFactors: InlineArray<3, Float> = InlineArray(repeating: 1)
  /// Semitones added to its key.
  var keyShift: Int8 = 0

  @_noAllocation @_noLocks
  init(_ region: UnsafePointer<Region>, velocity: Int, _ channel: UnsafePointer<SynthChannel>) {
    unsafe self.region = region
    self.velocity = UInt8(truncatingIfNeeded: velocity)
    (group, lane) = (0, 0)
    unsafe values = region.pointee.generators
    unsafe offsets = channel.pointee.offsets
    var replaced = unsafe channel.pointee.isReplaced
    while replaced != 0 {
      let generator = replaced.trailingZeroBitCount
      replaced &= replaced &- 1
      unsafe values[generator] = channel.pointee.replacements[generator]
    }
  }
}
