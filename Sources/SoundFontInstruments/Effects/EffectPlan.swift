// SPDX-License-Identifier: Apache-2.0

/// The units of an effect in their order, with their parameters: what `ModuleEffect` makes of the bytes
/// of a message.
///
/// - Note: Real-time safe.
struct EffectPlan: BitwiseCopyable {
  /// A value for a parameter of a unit, by its number.
  struct Setting: BitwiseCopyable {
    var unit = ModuleUnit.equalizer
    var parameter: UInt8 = 0
    var value: Float = 0
  }

  private(set) var chain = InlineArray<8, ModuleUnit>(repeating: .equalizer)
  private(set) var chainCount = 0
  private(set) var settings = InlineArray<64, Setting>(repeating: Setting())
  private(set) var settingCount = 0
  /// The level of what comes out, 0…20.
  var level: Float = 1
  /// Its place, −1…1.
  var pan: Float = 0

  @_noAllocation @_noLocks
  init() {}

  /// Adds a unit behind those there are.
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

  /// Whether both have the same units in the same order.
  @_noAllocation @_noLocks
  func hasChain(of other: EffectPlan) -> Bool {
    guard chainCount == other.chainCount else { return false }
    for place in 0..<chainCount where chain[place] != other.chain[place] { return false }
    return true
  }

  /// Whether it begins with a delay.
  var isEcho: Bool {
    @_noAllocation @_noLocks
    get { chainCount > 0 && (chain[0] == .tapDelay || chain[0] == .crossDelay) }
  }

  /// The value of a parameter, the last if it was set twice; nil if it was not.
  func value(_ unit: ModuleUnit, _ parameter: Int) -> Float? {
    var found: Float?
    for place in 0..<settingCount
    where settings[place].unit == unit && settings[place].parameter == UInt8(parameter) {
      found = settings[place].value
    }
    return found
  }
}
