// SPDX-License-Identifier: Apache-2.0
internal import AudioProcessing
internal import MIDIMessages
internal import MusicalTime
internal import SoundFontFiles
internal import SoundFontVoices

/// Downbeat's own voices, followed by FluidSynth's reverb and chorus.
///
/// It has the same methods as `SynthHandle`. If FluidSynth is missing or does not start, effects
/// are off.
///
/// - Note: Call all methods after `init` on one thread at a time. Those so annotated are real-time
///   safe.
@safe
struct DownbeatSynth: ~Copyable {
  private let bank: PatchBank
  let voices: UnsafeMutablePointer<VoiceSynth>
  /// Nil without effects.
  private let effects: UnsafeMutablePointer<EffectsHandle>?
  /// The module's other effects; nil if effects are off.
  private let mixer: UnsafeMutablePointer<ModuleMixer>?
  /// The parts of reverb and chorus that FluidSynth does not have; nil without effects.
  private let system: UnsafeMutablePointer<SystemSound>?
  /// The reason that requested reverb and chorus are missing; nil if they work.
  let effectsFault: InstrumentError?
  /// The reverb and chorus sends of a run of quanta.
  private let sends: UnsafeMutablePointer<Float>
  /// Memory for the indices of listed voices.
  private let places: UnsafeMutablePointer<Int32>
  private let polyphony: Int

  /// Creates a synthesiser for some fonts.
  ///
  /// - Throws: `InstrumentError.rateOutOfRange`.
  init(
    _ bank: PatchBank, _ configuration: InstrumentConfiguration
  ) throws(InstrumentError) {
    let hertz = Int(configuration.rate.hertz)
    guard (8000...96_000).contains(hertz) else { throw .rateOutOfRange(hertz: hertz) }
    self.bank = bank
    polyphony = min(65_535, max(1, configuration.polyphony))
    do throws(InstrumentError) {
      unsafe effects = try configuration.hasEffects ? Self.effects(hertz: hertz) : nil
      effectsFault = nil
    } catch {
      unsafe effects = nil
      effectsFault = error
    }
    var setup = VoiceSynth.Configuration(
      hertz: hertz, polyphony: polyphony, busCount: configuration.dryBuses.rawValue,
      gain: min(10, max(0, configuration.gain)), hasSends: unsafe effects != nil)
    setup.quality = configuration.interpolation.quality
    unsafe voices = .allocate(capacity: 1)
    unsafe voices.initialize(to: VoiceSynth(bank, setup))
    unsafe mixer = configuration.hasEffects ? Self.mixer(configuration) : nil
    unsafe system = unsafe effects != nil ? Self.system(configuration.rate) : nil
    unsafe sends = .allocate(capacity: 2 * EffectFeed.frameCount)
    unsafe sends.initialize(repeating: 0, count: 2 * EffectFeed.frameCount)
    unsafe places = .allocate(capacity: polyphony)
    unsafe places.initialize(repeating: 0, count: polyphony)
  }

  deinit {
    unsafe voices.deinitialize(count: 1).deallocate()
    unsafe effects?.deinitialize(count: 1).deallocate()
    unsafe mixer?.deinitialize(count: 1).deallocate()
    unsafe system?.deinitialize(count: 1).deallocate()
    unsafe sends.deallocate()
    unsafe places.deallocate()
  }

  private static func effects(
    hertz: Int
  ) throws(InstrumentError) -> UnsafeMutablePointer<EffectsHandle> {
    let handle = try EffectsHandle(hertz: hertz)
    let effects = UnsafeMutablePointer<EffectsHandle>.allocate(capacity: 1)
    unsafe effects.initialize(to: handle)
    return unsafe effects
  }

  private static func mixer(
    _ configuration: InstrumentConfiguration
  ) -> UnsafeMutablePointer<ModuleMixer> {
    let mixer = UnsafeMutablePointer<ModuleMixer>.allocate(capacity: 1)
    unsafe mixer.initialize(
      to: ModuleMixer(dryCount: configuration.dryBuses.rawValue, rate: configuration.rate))
    return unsafe mixer
  }

  private static func system(_ rate: SampleRate) -> UnsafeMutablePointer<SystemSound> {
    let system = UnsafeMutablePointer<SystemSound>.allocate(capacity: 1)
    unsafe system.initialize(to: SystemSound(rate: rate))
    return unsafe system
  }

  /// Creates a second synthesiser for the same fonts that is not audible, with one voice and
  /// without effects.
  func companion(
    _ configuration: InstrumentConfiguration
  ) throws(InstrumentError) -> DownbeatSynth {
    var configuration = configuration
    configuration.dryBuses = .mixed
    configuration.hasEffects = false
    configuration.polyphony = 1
    return try DownbeatSynth(bank, configuration)
  }

  /// Loads the samples of the channel's current preset into memory.
  func pinPreset(of channel: Channel) {
    let patch = unsafe voices.pointee.preset(of: Int(channel.index)).patch
    if patch >= 0 { bank.load(patch) }
  }

  /// Reads the samples of all presets.
  func readSamples() {
    for patch in 0..<bank.patchCount { bank.load(patch) }
  }

  /// Records notes instead of playing them; returns false if memory is short.
  func recordStrikes() -> Bool { unsafe voices.pointee.recordStrikes() }

  /// The notes with which a patch was played; nil without notes or recording.
  func struckNotes(of patch: Int) -> NoteSet? { unsafe voices.pointee.struckNotes(of: patch) }
}

/// Methods for the render thread.
///
/// They neither lock nor allocate, except as `EffectsHandle` states.
extension DownbeatSynth {
  @_noAllocation @_noLocks
  func apply(_ message: Message, at frame: Int) -> Bool {
    if let mixer = unsafe mixer {
      let assigned = unsafe voices.pointee.assignedControllers(Int(message.status & 0x0F))
      unsafe mixer.pointee.receive(message, assigned: assigned)
    }
    return unsafe voices.pointee.apply(message, at: frame)
  }

  @_noAllocation @_noLocks
  func reset() {
    unsafe voices.pointee.reset()
    if let effects = unsafe effects { unsafe effects.pointee.reset() }
  }

  @_noAllocation @_noLocks
  func silence() {
    unsafe voices.pointee.silence()
    if let mixer = unsafe mixer { unsafe mixer.pointee.silence() }
    if let system = unsafe system { unsafe system.pointee.clear() }
    if let effects = unsafe effects { unsafe effects.pointee.reset() }
  }

  @_noAllocation @_noLocks
  func setReverb(_ program: ReverbProgram) {
    if let effects = unsafe effects { unsafe effects.pointee.setReverb(program) }
  }

  @_noAllocation @_noLocks
  func setChorus(_ program: ChorusProgram) {
    if let effects = unsafe effects { unsafe effects.pointee.setChorus(program) }
  }

  @_noAllocation @_noLocks
  func setSystem(_ settings: SystemEffects) {
    if let system = unsafe system { unsafe system.pointee.take(settings) }
  }

  /// Sets parameters of the module's other effects.
  @_noAllocation @_noLocks
  func setEffects(
    isXG: Bool, _ high: Int, number: Int, _ low: Int, _ bytes: UnsafePointer<UInt8>, count: Int
  ) {
    if let mixer = unsafe mixer {
      unsafe mixer.pointee.set(isXG: isXG, high, number: number, low, bytes, count: count)
    }
  }

  @_noAllocation @_noLocks
  func resetEffects(isXG: Bool) {
    if let mixer = unsafe mixer { unsafe mixer.pointee.reset(isXG: isXG) }
  }

  @_noAllocation @_noLocks
  func hasPreset(bank number: Int, program: Int) -> Bool {
    unsafe voices.pointee.hasPreset(bank: number, program: program)
  }

  @_noAllocation @_noLocks
  func choose(_ channel: Int, bank: Int, program: Int, isDrums: Bool) {
    unsafe voices.pointee.choose(channel, bank: bank, program: program, isDrums: isDrums)
  }

  @_noAllocation @_noLocks
  func setBendRange(_ channel: Int, semitones: Int) {
    unsafe voices.pointee.setBendRange(channel, semitones: semitones)
  }

  @_noAllocation @_noLocks
  func setGain(_ gain: Float) {
    unsafe voices.pointee.setGain(min(10, max(0, gain)))
  }

  /// Adds whole quanta, 1…32, to the buffers.
  @_noAllocation @_noLocks
  func process(
    quantumCount: Int, wet: UnsafeMutablePointer<UnsafeMutablePointer<Float>?>,
    dry: UnsafeMutablePointer<UnsafeMutablePointer<Float>?>
  ) {
    let count = quantumCount &* AudioFormat.quantum
    let (reverb, chorus) = unsafe (sends, sends + EffectFeed.frameCount)
    unsafe reverb.update(repeating: 0, count: count)
    unsafe chorus.update(repeating: 0, count: count)
    // The chorus's send to the delay is processed quantum by quantum.
    let isSystemWorking = unsafe system?.pointee.isWorking ?? false
    var isMixing = false
    var buses = unsafe dry
    if let mixer = unsafe mixer {
      unsafe mixer.pointee.toSystem = isSystemWorking ? system?.pointee.toDelay ?? 0 : 0
      unsafe mixer.pointee.route(voices)
      isMixing = unsafe !mixer.pointee.isIdle
      if isMixing { unsafe buses = mixer.pointee.begin(frameCount: count, dry: dry) }
    }
    unsafe voices.pointee.process(
      quantumCount: quantumCount, dry: buses, reverb: reverb, chorus: chorus)
    guard isSystemWorking, let system = unsafe system, let effects = unsafe effects else {
      if isMixing {
        unsafe mixer?.pointee.mix(
          0..<quantumCount, reverb: reverb, chorus: chorus, wet: wet, returned: nil)
      }
      if let effects = unsafe effects {
        unsafe effects.pointee.process(
          quantumCount: quantumCount, reverb: reverb, chorus: chorus, wet: wet)
      }
      return
    }
    for quantum in 0..<quantumCount {
      if isMixing {
        unsafe mixer?.pointee.mix(
          quantum..<quantum &+ 1, reverb: reverb, chorus: chorus, wet: wet,
          returned: system.pointee.chorusReturn)
      }
      let frame = quantum &* AudioFormat.quantum
      unsafe system.pointee.render(
        effects, toReverb: reverb + frame, toChorus: chorus + frame, wet: wet, frame: frame)
    }
  }

  @_noAllocation @_noLocks
  func activeVoiceCount() -> Int { unsafe voices.pointee.activeVoiceCount }

  @_noAllocation @_noLocks
  func listVoices(_ list: UnsafeMutablePointer<SynthVoice>, capacity: Int) -> Int {
    let count = unsafe voices.pointee.list(places, capacity: min(capacity, polyphony))
    for index in 0..<count { unsafe list[index] = SynthVoice(place: places[index]) }
    return count
  }

  @_noAllocation @_noLocks
  func note(of voice: SynthVoice) -> UInt32 { unsafe voices.pointee.note(of: voice.place) }

  @_noAllocation @_noLocks
  func place(of voice: SynthVoice) -> (channel: Int, key: Int) {
    let origin = unsafe voices.pointee.origin(of: voice.place)
    return (origin.channel, origin.key)
  }

  @_noAllocation @_noLocks
  func velocity(of voice: SynthVoice) -> Int {
    unsafe voices.pointee.origin(of: voice.place).velocity
  }

  @_noAllocation @_noLocks
  func hold(of voice: SynthVoice) -> VoiceRanking.Hold {
    let held = unsafe voices.pointee.isHeld(voice.place)
    return held.byKey ? .key : held.byPedal ? .pedal : .none
  }

  @_noAllocation @_noLocks
  func tune(_ voice: SynthVoice, byCents cents: Float) {
    unsafe voices.pointee.tune(voice.place, byCents: cents)
  }

  @_noAllocation @_noLocks
  func isFading(_ voice: SynthVoice) -> Bool { unsafe voices.pointee.isFading(voice.place) }

  @_noAllocation @_noLocks
  func fade(_ voice: SynthVoice) { unsafe voices.pointee.fade(voice.place) }

  @_noAllocation @_noLocks
  func end(_ voice: SynthVoice) { unsafe voices.pointee.end(voice.place) }
}
