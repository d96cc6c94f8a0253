// SPDX-License-Identifier: Apache-2.0
internal import CFluidSynth

extension SynthHandle {
  /// Sets the reverb as a whole: `fluid_synth_set_reverb`.
  ///
  /// Acceptable on the render thread: unlike the setters of its parts it does not lock.
  @_noAllocation @_noLocks
  func setReverb(_ program: ReverbProgram) {
    unsafe cfluidsynth_set_reverb(
      table, synth, program.roomSize, program.damping, program.width, program.level)
  }

  /// Sets the chorus as a whole: `fluid_synth_set_chorus`.
  ///
  /// Acceptable on the render thread: unlike the setters of its parts it does not lock.
  @_noAllocation @_noLocks
  func setChorus(_ program: ChorusProgram) {
    unsafe cfluidsynth_set_chorus(
      table, synth, program.voiceCount, program.level, program.hertz, program.depth)
  }

  /// Chooses a preset whatever the bank mode: `fluid_synth_bank_select`, then its program.
  ///
  /// Acceptable on the render thread: it neither locks nor allocates, as long as the preset is
  /// pinned.
  @_noAllocation @_noLocks
  func select(_ channel: Int, bank: Int32, program: UInt8) {
    let number = Int32(truncatingIfNeeded: channel)
    _ = unsafe cfluidsynth_bank_select(table, synth, number, bank)
    _ = unsafe cfluidsynth_program_change(table, synth, number, Int32(program))
    level(number)
  }

  /// Whether a font has a preset: `fluid_sfont_get_preset`.
  func hasPreset(bank: Int32, program: Int32) -> Bool {
    let count = unsafe table.pointee.fluid_synth_sfcount(synth)
    return (0..<UInt32(max(count, 0))).contains { place in
      guard let font = unsafe table.pointee.fluid_synth_get_sfont(synth, place) else {
        return false
      }
      let number = unsafe table.pointee.fluid_sfont_get_id(font)
      let own = unsafe bank - table.pointee.fluid_synth_get_bank_offset(synth, number)
      return unsafe own >= 0
        && table.pointee.fluid_sfont_get_preset(font, own, program) != nil
    }
  }
}
