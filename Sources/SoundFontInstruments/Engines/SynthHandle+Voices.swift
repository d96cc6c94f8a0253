// SPDX-License-Identifier: Apache-2.0
internal import CFluidSynth

extension SynthHandle {
  /// The reason that a voice is held: `fluid_voice_is_on`, `fluid_voice_is_sustained`,
  /// `fluid_voice_is_sostenuto`.
  @_noAllocation @_noLocks
  func hold(of voice: SynthVoice) -> VoiceRanking.Hold {
    if unsafe cfluidsynth_voice_is_held(table, voice.address) != 0 { return .key }
    return unsafe cfluidsynth_voice_is_pedalled(table, voice.address) != 0 ? .pedal : .none
  }

  /// The velocity of a voice, 0…127: `fluid_voice_get_actual_velocity`.
  @_noAllocation @_noLocks
  func velocity(of voice: SynthVoice) -> Int {
    unsafe Int(cfluidsynth_voice_velocity(table, voice.address))
  }

  /// True if `fade` was applied to a voice: `fluid_voice_gen_get`.
  @_noAllocation @_noLocks
  func isFading(_ voice: SynthVoice) -> Bool {
    unsafe cfluidsynth_voice_is_fading(table, voice.address) != 0
  }

  /// Fades a voice to silence within a quantum: `fluid_voice_gen_set`, `fluid_voice_update_param`.
  ///
  /// Acceptable on the render thread: it neither locks nor allocates.
  @_noAllocation @_noLocks
  func fade(_ voice: SynthVoice) {
    unsafe cfluidsynth_voice_fade(table, voice.address)
  }

  /// Ends a voice immediately, even if it is held: `fluid_voice_gen_set`,
  /// `fluid_voice_update_param`.
  ///
  /// Acceptable on the render thread: it neither locks nor allocates.
  @_noAllocation @_noLocks
  func end(_ voice: SynthVoice) {
    unsafe cfluidsynth_voice_end(table, voice.address)
  }
}
