// SPDX-License-Identifier: Apache-2.0
internal import CFluidSynth
internal import MIDIMessages

extension SynthHandle {
  /// Sets all parameters of the reverb: `fluid_synth_set_reverb`.
  ///
  /// Acceptable on the render thread: unlike the setters of single parameters, it does not lock.
  @_noAllocation @_noLocks
  func setReverb(_ program: ReverbProgram) {
    unsafe cfluidsynth_set_reverb(
      table, synth, program.roomSize, program.damping, program.width, program.level)
  }

  /// Sets all parameters of the chorus: `fluid_synth_set_chorus`.
  ///
  /// Acceptable on the render thread: unlike the setters of single parameters, it does not lock.
  @_noAllocation @_noLocks
  func setChorus(_ program: ChorusProgram) {
    unsafe cfluidsynth_set_chorus(
      table, synth, program.voiceCount, program.level, program.hertz, program.depth)
  }

  /// Sets the preset of a channel; bank 128 is for drum kits: `fluid_synth_set_channel_type`,
  /// `fluid_synth_bank_select`, `fluid_synth_program_change`.
  ///
  /// A drum channel can only have presets of bank 128, so it becomes melodic for other presets.
  ///
  /// Acceptable on the render thread: it neither locks nor allocates while the preset is pinned.
  @_noAllocation @_noLocks
  func choose(_ channel: Int, bank: Int, program: Int, isDrums: Bool) {
    let number = Int32(truncatingIfNeeded: channel)
    let isKit = isDrums && bank == ProgramChoice.drumBank
    _ = unsafe cfluidsynth_set_channel_type(table, synth, number, isKit ? 1 : 0)
    _ = unsafe cfluidsynth_bank_select(
      table, synth, number, Int32(truncatingIfNeeded: bank))
    _ = unsafe cfluidsynth_program_change(
      table, synth, number, Int32(truncatingIfNeeded: program))
    level(number)
  }

  /// True if a font has a preset: `fluid_sfont_get_preset`.
  ///
  /// Acceptable on the render thread: it searches the list of a font's presets.
  @_noAllocation @_noLocks
  func hasPreset(bank: Int, program: Int) -> Bool {
    unsafe cfluidsynth_has_preset(
      table, synth, Int32(truncatingIfNeeded: bank), Int32(truncatingIfNeeded: program)) != 0
  }
}
