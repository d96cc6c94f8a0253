// SPDX-License-Identifier: Apache-2.0
internal import AudioProcessing
internal import MIDIMessages
internal import SoundFontFiles

/// The engine of an instrument: FluidSynth, or Downbeat's own voices.
///
/// Both have the same methods. `SynthHandle` documents each call, and why it is allowed on the
/// render thread.
///
/// - Note: Call all methods on one thread at a time.
@safe
enum Synth: ~Copyable {
  case fluidSynth(SynthHandle)
  case downbeat(DownbeatSynth)

  /// The reason that requested reverb and chorus are missing; nil if they work.
  var effectsFault: InstrumentError? {
    switch self {
    case .fluidSynth: nil
    case .downbeat(let synth): synth.effectsFault
    }
  }

  /// Makes key pressure deepen the vibrato; Downbeat's own voices always do this.
  func addKeyPressureVibrato() {
    switch self {
    case .fluidSynth(let synth): synth.addKeyPressureVibrato()
    case .downbeat: break
    }
  }

  func companion(_ configuration: InstrumentConfiguration) throws(InstrumentError) -> Synth {
    switch self {
    case .fluidSynth(let synth): .fluidSynth(try synth.companion(configuration))
    case .downbeat(let synth): .downbeat(try synth.companion(configuration))
    }
  }

  /// Reads the samples of all presets; FluidSynth reads them when presets are chosen.
  func readSamples() {
    switch self {
    case .fluidSynth: break
    case .downbeat(let synth): synth.readSamples()
    }
  }

  /// The notes with which a patch was played; nil without notes or recording.
  func struckNotes(of patch: Int) -> NoteSet? {
    switch self {
    case .fluidSynth: nil
    case .downbeat(let synth): synth.struckNotes(of: patch)
    }
  }

  func pinPreset(of channel: Channel) {
    switch self {
    case .fluidSynth(let synth): synth.pinPreset(of: channel)
    case .downbeat(let synth): synth.pinPreset(of: channel)
    }
  }
}

/// Methods for the render thread.
extension Synth {
  /// True if the engine rounds tunings to cents.
  @inline(__always)
  var tunesInWholeCents: Bool {
    @_noAllocation @_noLocks
    get {
      switch self {
      case .fluidSynth: true
      case .downbeat: false
      }
    }
  }

  /// Applies a channel message.
  ///
  /// With Downbeat's own voices it takes effect at a frame of the next quantum, 0…63.
  ///
  /// Returns false if it was refused, such as a note without a free voice.
  @_noAllocation @_noLocks
  @discardableResult
  func apply(_ message: Message, at frame: Int = 0) -> Bool {
    switch self {
    case .fluidSynth(let synth): synth.apply(message)
    case .downbeat(let synth): synth.apply(message, at: frame)
    }
  }

  @_noAllocation @_noLocks
  func reset() {
    switch self {
    case .fluidSynth(let synth): synth.reset()
    case .downbeat(let synth): synth.reset()
    }
  }

  @_noAllocation @_noLocks
  func silence() {
    switch self {
    case .fluidSynth(let synth): synth.silence()
    case .downbeat(let synth): synth.silence()
    }
  }

  @_noAllocation @_noLocks
  func setReverb(_ program: ReverbProgram) {
    switch self {
    case .fluidSynth(let synth): synth.setReverb(program)
    case .downbeat(let synth): synth.setReverb(program)
    }
  }

  @_noAllocation @_noLocks
  func setChorus(_ program: ChorusProgram) {
    switch self {
    case .fluidSynth(let synth): synth.setChorus(program)
    case .downbeat(let synth): synth.setChorus(program)
    }
  }

  /// True if a font has a preset; bank 128 is for drum kits.
  @_noAllocation @_noLocks
  func hasPreset(bank: Int, program: Int) -> Bool {
    switch self {
    case .fluidSynth(let synth): synth.hasPreset(bank: bank, program: program)
    case .downbeat(let synth): synth.hasPreset(bank: bank, program: program)
    }
  }

  /// Sets the preset of a channel; bank 128 is for drum kits.
  ///
  /// The channel is silent if fonts do not have the preset.
  @_noAllocation @_noLocks
  func choose(_ channel: Int, bank: Int, program: Int, isDrums: Bool) {
    switch self {
    case .fluidSynth(let synth):
      synth.choose(channel, bank: bank, program: program, isDrums: isDrums)
    case .downbeat(let synth):
      synth.choose(channel, bank: bank, program: program, isDrums: isDrums)
    }
  }

  @_noAllocation @_noLocks
  func setBendRange(_ channel: Int, semitones: Int) {
    switch self {
    case .fluidSynth(let synth): synth.setBendRange(channel, semitones: semitones)
    case .downbeat(let synth): synth.setBendRange(channel, semitones: semitones)
    }
  }

  @_noAllocation @_noLocks
  func setGain(_ gain: Float) {
    switch self {
    case .fluidSynth(let synth): synth.setGain(gain)
    case .downbeat(let synth): synth.setGain(gain)
    }
  }

  /// Adds whole quanta, 1…32, to the buffers.
  @_noAllocation @_noLocks
  func process(
    frameCount: Int32, wetCount: Int32, wet: UnsafeMutablePointer<UnsafeMutablePointer<Float>?>,
    dryCount: Int32, dry: UnsafeMutablePointer<UnsafeMutablePointer<Float>?>
  ) {
    switch self {
    case .fluidSynth(let synth):
      unsafe synth.process(
        frameCount: frameCount, wetCount: wetCount, wet: wet, dryCount: dryCount, dry: dry)
    case .downbeat(let synth):
      unsafe synth.process(
        quantumCount: Int(frameCount) / AudioFormat.quantum, wet: wet, dry: dry)
    }
  }

  @_noAllocation @_noLocks
  func activeVoiceCount() -> Int {
    switch self {
    case .fluidSynth(let synth): synth.activeVoiceCount()
    case .downbeat(let synth): synth.activeVoiceCount()
    }
  }

  @_noAllocation @_noLocks
  func listVoices(_ list: UnsafeMutablePointer<SynthVoice>, capacity: Int) -> Int {
    switch self {
    case .fluidSynth(let synth): unsafe synth.listVoices(list, capacity: capacity)
    case .downbeat(let synth): unsafe synth.listVoices(list, capacity: capacity)
    }
  }

  @_noAllocation @_noLocks
  func note(of voice: SynthVoice) -> UInt32 {
    switch self {
    case .fluidSynth(let synth): synth.note(of: voice)
    case .downbeat(let synth): synth.note(of: voice)
    }
  }

  @_noAllocation @_noLocks
  func place(of voice: SynthVoice) -> (channel: Int, key: Int) {
    switch self {
    case .fluidSynth(let synth): synth.place(of: voice)
    case .downbeat(let synth): synth.place(of: voice)
    }
  }

  @_noAllocation @_noLocks
  func velocity(of voice: SynthVoice) -> Int {
    switch self {
    case .fluidSynth(let synth): synth.velocity(of: voice)
    case .downbeat(let synth): synth.velocity(of: voice)
    }
  }

  @_noAllocation @_noLocks
  func hold(of voice: SynthVoice) -> VoiceRanking.Hold {
    switch self {
    case .fluidSynth(let synth): synth.hold(of: voice)
    case .downbeat(let synth): synth.hold(of: voice)
    }
  }

  @_noAllocation @_noLocks
  func tune(_ voice: SynthVoice, byCents cents: Float) {
    switch self {
    case .fluidSynth(let synth): synth.tune(voice, byCents: cents)
    case .downbeat(let synth): synth.tune(voice, byCents: cents)
    }
  }

  @_noAllocation @_noLocks
  func isFading(_ voice: SynthVoice) -> Bool {
    switch self {
    case .fluidSynth(let synth): synth.isFading(voice)
    case .downbeat(let synth): synth.isFading(voice)
    }
  }

  @_noAllocation @_noLocks
  func fade(_ voice: SynthVoice) {
    switch self {
    case .fluidSynth(let synth): synth.fade(voice)
    case .downbeat(let synth): synth.fade(voice)
    }
  }

  @_noAllocation @_noLocks
  func end(_ voice: SynthVoice) {
    switch self {
    case .fluidSynth(let synth): synth.end(voice)
    case .downbeat(let synth): synth.end(voice)
    }
  }
}
