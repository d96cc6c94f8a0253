// SPDX-License-Identifier: Apache-2.0

/// The delay, equaliser, insertion and variation effects of a module, which only Downbeat's own
/// voices have.
extension Synth {
  /// Sets consecutive parameters from an address: 40 01, 40 02 and 40 03 of GS, 02 01 and 03 nn of
  /// XG.
  ///
  /// The byte nn is the index of the insertion effect.
  @_noAllocation @_noLocks
  func setEffects(
    isXG: Bool, _ high: Int, number: Int, _ low: Int, _ bytes: UnsafePointer<UInt8>, count: Int
  ) {
    switch self {
    case .fluidSynth: break
    case .downbeat(let synth):
      unsafe synth.setEffects(isXG: isXG, high, number: number, low, bytes, count: count)
    }
  }

  /// Sets the parameters that FluidSynth's reverb and chorus do not have.
  @_noAllocation @_noLocks
  func setSystem(_ settings: SystemEffects) {
    switch self {
    case .fluidSynth: break
    case .downbeat(let synth): synth.setSystem(settings)
    }
  }

  @_noAllocation @_noLocks
  func resetEffects(isXG: Bool) {
    switch self {
    case .fluidSynth: break
    case .downbeat(let synth): synth.resetEffects(isXG: isXG)
    }
  }
}
