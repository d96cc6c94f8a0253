// SPDX-License-Identifier: Apache-2.0

/// The settings of the equaliser of GS: addresses 40 02 00…03.
///
/// Source: Roland SC-88Pro owner's manual, equaliser.
struct EqualizerProgram: BitwiseCopyable, Equatable {
  /// True for a low shelf at 400 Hz instead of 200, and for a high shelf at 6 kHz instead of 3.
  var isLowRaised = false
  var isHighRaised = false
  /// Gains of the shelves, −12…12 dB.
  var lowGain: Float = 0
  var highGain: Float = 0

  /// The settings after a reset.
  @_noAllocation @_noLocks
  init() {}

  /// True if the equaliser changes the sound.
  var isActive: Bool {
    @_noAllocation @_noLocks
    get { lowGain != 0 || highGain != 0 }
  }

  /// Sets the parameter at an address 40 02 00…03; returns false for other addresses.
  @_noAllocation @_noLocks
  mutating func set(_ address: Int, to value: Int) -> Bool {
    switch address {
    case 0: isLowRaised = value != 0
    case 1: lowGain = EffectValue.gain(value)
    case 2: isHighRaised = value != 0
    case 3: highGain = EffectValue.gain(value)
    default: return false
    }
    return true
  }

  /// The plan of the equaliser.
  var plan: EffectPlan {
    @_noAllocation @_noLocks
    get {
      var plan = EffectPlan()
      plan.add(.equalizer)
      plan.setShelves(isLowRaised ? 400 : 200, lowGain, isHighRaised ? 6000 : 3000, highGain)
      return plan
    }
  }
}

extension EffectPlan {
  /// Sets both shelves of the equaliser, and its peaks to 0 dB.
  @_noAllocation @_noLocks
  mutating func setShelves(_ lowHertz: Float, _ low: Float, _ highHertz: Float, _ high: Float) {
    setBand(0, lowHertz, low, 0.70710678)
    setBand(1, 1000, 0, 1)
    setBand(2, 1000, 0, 1)
    setBand(3, highHertz, high, 0.70710678)
  }

  /// Sets a band of the equaliser: frequency in hertz, gain in decibels, Q.
  @_noAllocation @_noLocks
  mutating func setBand(_ band: Int, _ hertz: Float, _ decibels: Float, _ quality: Float) {
    set(.equalizer, band &* 3, hertz)
    set(.equalizer, band &* 3 &+ 1, decibels)
    set(.equalizer, band &* 3 &+ 2, quality)
  }
}
