// SPDX-License-Identifier: Apache-2.0
internal import CFluidSynth

extension SynthHandle {
  /// Makes key pressure deepen the vibrato by up to 50 cents, like channel pressure:
  /// `fluid_synth_add_default_mod`.
  ///
  /// Source: SoundFont 2.04, section 8.4.3, which has the modulator for channel pressure only.
  func addKeyPressureVibrato() {
    guard let modulator = unsafe table.pointee.new_fluid_mod() else { return }
    defer { unsafe table.pointee.delete_fluid_mod(modulator) }
    let shape =
      Int32(FLUID_MOD_GC.rawValue | FLUID_MOD_LINEAR.rawValue)
      | Int32(FLUID_MOD_UNIPOLAR.rawValue | FLUID_MOD_POSITIVE.rawValue)
    unsafe table.pointee.fluid_mod_set_source1(
      modulator, Int32(FLUID_MOD_KEYPRESSURE.rawValue), shape)
    unsafe table.pointee.fluid_mod_set_source2(modulator, 0, 0)
    unsafe table.pointee.fluid_mod_set_dest(modulator, Int32(GEN_VIBLFOTOPITCH.rawValue))
    unsafe table.pointee.fluid_mod_set_amount(modulator, 50)
    _ = unsafe table.pointee.fluid_synth_add_default_mod(
      synth, modulator, Int32(FLUID_SYNTH_ADD.rawValue))
  }

  /// Resets programs, controllers and bends, and releases all voices: `fluid_synth_system_reset`.
  ///
  /// Acceptable on the render thread: it neither locks nor allocates.
  @_noAllocation @_noLocks
  func reset() {
    unsafe cfluidsynth_system_reset(table, synth)
    unsafe selections.update(repeating: GeneratorSelection(), count: 16)
    levelAllChannels()
  }

  /// Sets the range of a full pitch bend, in semitones: `fluid_synth_pitch_wheel_sens`.
  ///
  /// Acceptable on the render thread: it neither locks nor allocates.
  @_noAllocation @_noLocks
  func setBendRange(_ channel: Int, semitones: Int) {
    _ = unsafe cfluidsynth_pitch_wheel_sens(
      table, synth, Int32(truncatingIfNeeded: channel), Int32(truncatingIfNeeded: semitones))
  }

  /// Sets the gain of all voices, including sounding ones: `fluid_synth_set_gain`.
  ///
  /// A gain of 0 would end voices that must sound again later, so the minimum is 10⁻⁵.
  ///
  /// Acceptable on the render thread: it neither locks nor allocates.
  @_noAllocation @_noLocks
  func setGain(_ gain: Float) {
    unsafe cfluidsynth_set_gain(table, synth, max(gain, 1e-5))
  }

  /// Fills a list with the sounding voices, and returns their number: `fluid_synth_get_voicelist`.
  ///
  /// Acceptable on the render thread: it neither locks nor allocates.
  @_noAllocation @_noLocks
  func listVoices(_ voices: UnsafeMutablePointer<SynthVoice>, capacity: Int) -> Int {
    let addresses = unsafe UnsafeMutableRawPointer(voices).assumingMemoryBound(
      to: OpaquePointer?.self)
    return unsafe Int(
      cfluidsynth_voices(table, synth, addresses, Int32(truncatingIfNeeded: capacity)))
  }

  /// The note to which a voice belongs; a later note has a higher number: `fluid_voice_get_id`.
  @_noAllocation @_noLocks
  func note(of voice: SynthVoice) -> UInt32 {
    unsafe cfluidsynth_voice_id(table, voice.address)
  }

  /// The channel and the key of a voice.
  @_noAllocation @_noLocks
  func place(of voice: SynthVoice) -> (channel: Int, key: Int) {
    unsafe (
      Int(cfluidsynth_voice_channel(table, voice.address)),
      Int(cfluidsynth_voice_key(table, voice.address))
    )
  }

  /// Changes the pitch of a voice by cents: `fluid_voice_gen_incr`, `fluid_voice_update_param`.
  @_noAllocation @_noLocks
  func tune(_ voice: SynthVoice, byCents cents: Float) {
    unsafe cfluidsynth_voice_tune(table, voice.address, cents)
  }
}
