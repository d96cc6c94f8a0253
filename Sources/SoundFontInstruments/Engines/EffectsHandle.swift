// SPDX-License-Identifier: Apache-2.0
internal import AudioProcessing
internal import CFluidSynth

/// FluidSynth's reverb and chorus, with sound from outside.
///
/// FluidSynth does not have an input for its effects. Two voices of a separate synth therefore play
/// endless loops, which are filled with the sends before each quantum (`EffectFeed`). One voice is
/// sent to the reverb only, the other to the chorus only. The result equals that of a synth whose
/// voices send the same sound, within −57 dB for noise and less for music.
///
/// A voice needs a quantum or two to reach its full level. During this time its sound goes to a
/// second group of effects, so the first group begins with the first real sound, as in that other
/// synth.
///
/// - Note: One thread at a time. `process` and `reset` neither lock nor allocate, except inside the
///   OpenMP runtime that FluidSynth calls, once for each call.
@safe
struct EffectsHandle: ~Copyable {
  /// The quanta in which the voices reach their level.
  private static var beginCount: Int {
    @_noAllocation @_noLocks
    get { 16 }
  }

  private let table: UnsafePointer<CFluidSynthTable>
  private let synth: OpaquePointer
  private let settings: OpaquePointer
  private var reverb: EffectFeed
  private var chorus: EffectFeed
  /// The position of the voices in their loops.
  private var place = 0
  /// The quanta before a voice begins: 1/1024 s, rounded down to whole quanta.
  private let delay: Int
  /// Left and right of the first group's reverb and chorus, and of the second group's, which is not
  /// audible.
  private let targets: UnsafeMutablePointer<UnsafeMutablePointer<Float>?>

  /// Starts a synth for its effects.
  ///
  /// - Parameter hertz: the sample rate, 8000…96 000.
  /// - Throws: `InstrumentError` if FluidSynth is missing or does not start.
  init(hertz: Int) throws(InstrumentError) {
    guard let table = unsafe cfluidsynth_table() else {
      throw unsafe .libraryMissing(reason: String(cString: cfluidsynth_missing()))
    }
    guard let settings = unsafe table.pointee.new_fluid_settings() else {
      throw .cannotStart(reason: SynthHandle.takeWords())
    }
    let integers: [(String, Int32)] = [
      ("synth.threadsafe-api", 0), ("synth.cpu-cores", 1), ("synth.audio-channels", 1),
      ("synth.audio-groups", 1), ("synth.effects-groups", 2), ("synth.polyphony", 4),
    ]
    for (name, value) in integers {
      _ = unsafe table.pointee.fluid_settings_setint(settings, name, value)
    }
    _ = unsafe table.pointee.fluid_settings_setnum(settings, "synth.sample-rate", Double(hertz))
    _ = unsafe table.pointee.fluid_settings_setnum(settings, "synth.gain", EffectFeed.gain)
    unsafe EffectSettings.apply(to: settings, table)
    guard let synth = unsafe SynthHandle.start(table, settings) else {
      unsafe table.pointee.delete_fluid_settings(settings)
      throw .cannotStart(reason: SynthHandle.takeWords())
    }
    guard let reverb = unsafe EffectFeed(table, hertz: hertz, key: 60),
      let chorus = unsafe EffectFeed(table, hertz: hertz, key: 61)
    else {
      unsafe table.pointee.delete_fluid_synth(synth)
      unsafe table.pointee.delete_fluid_settings(settings)
      throw .cannotStart(reason: SynthHandle.takeWords())
    }
    _ = unsafe table.pointee.fluid_synth_set_interp_method(
      synth, -1, Int32(FLUID_INTERP_NONE.rawValue))
    unsafe self.table = table
    unsafe self.synth = synth
    unsafe self.settings = settings
    self.reverb = reverb
    self.chorus = chorus
    delay = hertz / (1_024 * AudioFormat.quantum)
    unsafe targets = .allocate(capacity: 8)
    unsafe targets.initialize(repeating: nil, count: 8)
    begin()
  }

  /// The reason that the effects cannot be started at a sample rate; nil if they can.
  static func fault(hertz: Int) -> InstrumentError? {
    do throws(InstrumentError) {
      _ = try Self(hertz: hertz)
      return nil
    } catch {
      return error
    }
  }

  deinit {
    // Delete the synth before the samples that its voices play.
    unsafe table.pointee.delete_fluid_synth(synth)
    unsafe table.pointee.delete_fluid_settings(settings)
    unsafe targets.deallocate()
  }

  /// Adds the output of reverb and chorus for 1…32 quanta of sound.
  ///
  /// - Parameters:
  ///   - quantumCount: the number of quanta.
  ///   - reverb: the input of the reverb.
  ///   - chorus: the input of the chorus.
  ///   - wet: left and right outputs of the reverb, then of the chorus.
  @_noAllocation @_noLocks
  mutating func process(
    quantumCount: Int, reverb: UnsafePointer<Float>, chorus: UnsafePointer<Float>,
    wet: UnsafeMutablePointer<UnsafeMutablePointer<Float>?>
  ) {
    for quantum in 0..<quantumCount {
      let frame = quantum &* AudioFormat.quantum
      let target = (place &+ frame) % EffectFeed.frameCount
      unsafe self.reverb.write(reverb + frame, at: target)
      unsafe self.chorus.write(chorus + frame, at: target)
    }
    for index in 0..<4 { unsafe targets[index] = wet[index] }
    make(quantumCount)
  }

  /// Clears all stored sound; the settings of reverb and chorus remain.
  @_noAllocation @_noLocks
  mutating func reset() {
    unsafe cfluidsynth_system_reset(table, synth)
    begin()
  }

  /// Sets all parameters of the reverb: `fluid_synth_set_reverb`.
  @_noAllocation @_noLocks
  func setReverb(_ program: ReverbProgram) {
    unsafe cfluidsynth_set_reverb(
      table, synth, program.roomSize, program.damping, program.width, program.level)
    handOver()
  }

  /// Sets all parameters of the chorus: `fluid_synth_set_chorus`.
  @_noAllocation @_noLocks
  func setChorus(_ program: ChorusProgram) {
    unsafe cfluidsynth_set_chorus(
      table, synth, program.voiceCount, program.level, program.hertz, program.depth)
    handOver()
  }

  /// Passes settings to the renderer, as the end of any call except the setters does.
  @_noAllocation @_noLocks
  private func handOver() { _ = unsafe cfluidsynth_active_voice_count(table, synth) }

  @_noAllocation @_noLocks
  private mutating func begin() {
    reverb.reset()
    chorus.reset()
    place = EffectFeed.frameCount &- delay &* AudioFormat.quantum
    unsafe cfluidsynth_choose_effects(table, synth, 1)
    unsafe cfluidsynth_start_feed(table, synth, reverb.sample, 60, Int32(GEN_REVERBSEND.rawValue))
    unsafe cfluidsynth_start_feed(table, synth, chorus.sample, 61, Int32(GEN_CHORUSSEND.rawValue))
    for index in 0..<4 { unsafe targets[index] = nil }
    for _ in 0..<Self.beginCount { make(1) }
    unsafe cfluidsynth_choose_effects(table, synth, 0)
  }

  @_noAllocation @_noLocks
  private mutating func make(_ quantumCount: Int) {
    let frameCount = quantumCount &* AudioFormat.quantum
    unsafe cfluidsynth_process(
      table, synth, Int32(truncatingIfNeeded: frameCount), 8, targets, 0, nil)
    place = (place &+ frameCount) % EffectFeed.frameCount
  }
}
