// SPDX-License-Identifier: Apache-2.0
import CFluidSynth

@testable import SoundFontVoices

/// A FluidSynth that plays notes and returns its voices' generators.
@safe
struct FluidSynthWitness: ~Copyable {
  private let table: UnsafePointer<CFluidSynthTable>
  private let settings: OpaquePointer
  private let synth: OpaquePointer

  /// True if FluidSynth is available.
  ///
  /// It is started once: the first instance fills shared tables, and another one does not wait for
  /// them.
  static let isThere: Bool = {
    do {
      _ = try Self()
      return true
    } catch {
      return false
    }
  }()

  /// A voice, valid until the next note.
  @safe struct Voice {
    fileprivate let pointer: OpaquePointer
  }

  /// FluidSynth is missing, or refuses a font.
  struct Refusal: Error {}

  init() throws(Refusal) {
    guard let table = unsafe cfluidsynth_table(),
      let settings = unsafe table.pointee.new_fluid_settings()
    else { throw Refusal() }
    for (name, value) in [
      ("synth.dynamic-sample-loading", 1), ("synth.reverb.active", 0), ("synth.chorus.active", 0),
      ("synth.polyphony", 512), ("synth.threadsafe-api", 0), ("synth.lock-memory", 0),
    ] {
      _ = unsafe table.pointee.fluid_settings_setint(settings, name, Int32(value))
    }
    guard let synth = unsafe table.pointee.new_fluid_synth(settings) else {
      unsafe table.pointee.delete_fluid_settings(settings)
      throw Refusal()
    }
    unsafe self.table = table
    unsafe self.settings = settings
    unsafe self.synth = synth
  }

  /// Loads fonts, of which the first has precedence.
  func load(_ paths: [String]) throws(Refusal) {
    for path in paths.reversed()
    where unsafe table.pointee.fluid_synth_sfload(synth, path, 1) < 0 {
      throw Refusal()
    }
  }

  deinit {
    unsafe table.pointee.delete_fluid_synth(synth)
    unsafe table.pointee.delete_fluid_settings(settings)
  }

  /// Selects a bank and a program on the first channel, which is melodic.
  func select(bank: Int, program: Int) {
    _ = unsafe table.pointee.fluid_synth_bank_select(synth, 0, Int32(bank))
    _ = unsafe table.pointee.fluid_synth_program_change(synth, 0, Int32(program))
  }

  /// Plays a note after ending all others; returns its voices in order of their start.
  func strike(key: Int, velocity: Int) -> [Voice] {
    _ = unsafe table.pointee.fluid_synth_all_sounds_off(synth, -1)
    _ = unsafe table.pointee.fluid_synth_process(synth, 64, 0, nil, 0, nil)
    _ = unsafe table.pointee.fluid_synth_noteon(synth, 0, Int32(key), Int32(velocity))
    var voices = unsafe [OpaquePointer?](repeating: nil, count: 512)
    let count = unsafe voices.withUnsafeMutableBufferPointer { list in
      unsafe cfluidsynth_voices(table, synth, list.baseAddress, Int32(list.count))
    }
    return unsafe voices.prefix(Int(count)).compactMap {
      unsafe $0.map { unsafe Voice(pointer: $0) }
    }
  }

  /// The value of a voice's generator, by its number.
  func amount(_ generator: Int, of voice: Voice) -> Float {
    unsafe table.pointee.fluid_voice_gen_get(voice.pointer, Int32(generator))
  }
}
