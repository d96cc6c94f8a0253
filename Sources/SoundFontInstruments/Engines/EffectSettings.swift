// SPDX-License-Identifier: Apache-2.0
internal import CFluidSynth

/// FluidSynth's initial settings of reverb and chorus, which differ between its versions.
enum EffectSettings {
  /// Sets `ReverbProgram.initial` and `ChorusProgram.initial` before a synth is started.
  static func apply(to settings: OpaquePointer, _ table: UnsafePointer<CFluidSynthTable>) {
    let (reverb, chorus) = (ReverbProgram.initial, ChorusProgram.initial)
    let numbers = [
      ("synth.reverb.room-size", reverb.roomSize), ("synth.reverb.damp", reverb.damping),
      ("synth.reverb.width", reverb.width), ("synth.reverb.level", reverb.level),
      ("synth.chorus.level", chorus.level), ("synth.chorus.speed", chorus.hertz),
      ("synth.chorus.depth", chorus.depth),
    ]
    for (name, value) in numbers {
      _ = unsafe table.pointee.fluid_settings_setnum(settings, name, value)
    }
    _ = unsafe table.pointee.fluid_settings_setint(
      settings, "synth.chorus.nr", chorus.voiceCount)
  }
}
