// SPDX-License-Identifier: Apache-2.0

/// The units of an effect in order, with their parameters.
///
/// `ModuleEffect` creates it from the bytes of messages.
///
/// - Note: Real-time safe.
struct EffectPlan: BitwiseCopyable {
  /// A value for a unit's parameter, by index.
  struct Setting: BitwiseCopyable {
    var unit = ModuleUnit.equalizer
    var parameter: UInt8 = 0
    var value: Float = 0
  }

  private(set) var chain = InlineArray<8, ModuleUnit>(repeating: .equalizer)
  private(set) var chainCount = 0
  private(set) var settings = InlineArray<64, Setting>(repeating: Setting())
  private(set) var settingCount = 0
  /// The output gain, 0…20.
  var level: Float = 1
  /// The pan of the output, −1…1.
  var pan: Float = 0

  @_noAllocation @_noLocks
  init() {}

  /// Appends a unit.
  @_noAllocation @_noLocks
  mutating func add(_ unit: ModuleUnit) {
    guard chainCount < 8 else { return }
    chain[chainCount] = unit
    chainCount &+= 1
  }

  /// Sets a parameter of a unit.
  @_noAllocation @_noLocks
  mutating func set(_ unit: ModuleUnit, _ parameter: Int, _ value: Float) {
    guard settingCount < 64 else { return }
    settings[settingCount] = Setting(
      unit: unit, parameter: UInt8(truncatingIfNeeded: parameter), value: value)
    settingCount &+= 1
  }

  /// True if both plans have the same units in the same order.
  @_noAllocation @_noLocks
  func hasChain(of other: EffectPlan) -> Bool {
    guard chainCount == other.chainCount else { return false }
    for place in 0..<chainCount where chain[place] != other.chain[place] { return false }
    return true
  }

  /// True if the first unit is a delay.
  var isEcho: Bool {
    @_noAllocation @_noLocks
    get { chainCount > 0 && (chain[0] == .tapDelay || chain[0] == .crossDelay) }
  }

  /// The value of a parameter, the last one if it was set several times; nil if it was not set.
  func value(_ unit: ModuleUnit, _ parameter: Int) -> Float? {
    var found: Float?
    for place in 0..<settingCount
    where settings[place].unit == unit && settings[place].parameter == UInt8(parameter) {
      found = settings[place].value
    }
    return found
  }
}
