// SPDX-License-Identifier: Apache-2.0

/// A voice started by a note: a region, and the values of its generators with controllers.
///
/// The state that changes in each quantum is in the `CVoice` with the same index.
@safe
struct Voice: BitwiseCopyable {
  /// The region that plays.
  var region: UnsafePointer<Region>
  var velocity: UInt8
  /// The group that renders the voice, and the lane in the group.
  var group: Int32
  var lane: Int32
  /// For each generator, the region's amount, the sum of its modulators, and the channel's offset
  /// (SoundFont 2.04, 9.6).
  var values: InlineArray<61, Float>
  var sums: InlineArray<61, Double> = InlineArray(repeating: 0)
  var offsets: InlineArray<61, Float>
  /// The key at which the sample is not transposed, without its correction.
  var rootKey = 0.0
  /// The pitch of the key, in cents.
  var keyPitch = 0.0
  /// The gains of left, right, reverb and chorus, without the synthesiser's gain.
  var gains: InlineArray<4, Double> = InlineArray(repeating: 0)
  /// The factors of part and drum note for the level, and for the sends to reverb, chorus and
  /// delay.
  var level: Float = 1
  var sendFactors: InlineArray<3, Float> = InlineArray(repeating: 1)
  /// The key shift in semitones.
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
