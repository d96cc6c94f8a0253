// SPDX-License-Identifier: Apache-2.0

/// The controllers of a part that change one parameter of the XG effect into which the part is
/// inserted.
///
/// Source: XG Specifications 2.0, insertion and variation effect: the depths of modulation, bend,
/// channel pressure and the two assigned controllers.
///
/// - Note: Real-time safe.
struct EffectControls: BitwiseCopyable {
  enum Source: Int, BitwiseCopyable { case modulation, bend, pressure, first, second }

  /// Depths of −100…100 %: −64…63, stored with an offset of 64.
  private var depths = InlineArray<5, UInt8>(repeating: 64)
  /// The values of the controllers, 0…127; pitch bend is −64…63.
  private var values = InlineArray<5, Int8>(repeating: 0)

  /// The sum that the controllers add to the parameter, in the parameter's steps.
  var sum: Int {
    @_noAllocation @_noLocks
    get {
      var sum = 0
      for place in 0..<5 { sum &+= Int(values[place]) &* (Int(depths[place]) &- 64) / 64 }
      return sum
    }
  }

  /// Sets a depth; `place` is the raw value of its source, 0…4.
  @_noAllocation @_noLocks
  mutating func setDepth(_ place: Int, to value: Int) {
    depths[place] = UInt8(truncatingIfNeeded: value & 0x7F)
  }

  /// Stores the value of a controller; returns true if it changes the effect.
  @_noAllocation @_noLocks
  mutating func receive(_ source: Source, _ value: Int) -> Bool {
    let place = source.rawValue
    let value = Int8(truncatingIfNeeded: value)
    guard values[place] != value else { return false }
    values[place] = value
    return depths[place] != 64
  }

  /// Resets the values after a change of the part.
  @_noAllocation @_noLocks
  mutating func resetValues() { values = InlineArray(repeating: 0) }
}
