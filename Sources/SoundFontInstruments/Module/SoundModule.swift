// SPDX-License-Identifier: Apache-2.0
internal import MIDIMessages

/// A synthesiser as a GM, GM2, GS or XG sound module.
///
/// It adds the functions that FluidSynth 2.3 and Downbeat's own voices do not have.
///
/// These are bank select and program change by the bank mode, rhythm parts of GS and XG, the reverb
/// and chorus types of GS, XG and GM2, the programs of an MT-32, master volume, pan and tuning, the
/// MIDI Tuning Standard, bend ranges in cents, and fine tuning whose lower byte arrives last. A
/// tuning changes the pitch of each voice when it starts, and of sounding voices when the tuning
/// changes. FluidSynth's own tunings would allocate on the render thread. Pitches are exact to one
/// cent, FluidSynth's own step.
///
/// - Note: Real-time safe except for `init`.
@safe
struct SoundModule: ~Copyable {
  // Keep a pointer first: for the thread sanitizer, the compiler of Swift 6.3 takes the first field for
  // an address.
  /// The sixteen channels.
  let channels: UnsafeMutablePointer<ChannelState>
  let synth: Synth
  /// The number of notes for which all voices were in use.
  private(set) var refusedNoteCount = 0
  /// The number of notes that replaced the voices of other notes.
  private(set) var stealingNoteCount = 0
  /// The number of voices that were released for lack of time.
  var shedVoiceCount = 0
  /// If this number of voices sound, new notes are refused.
  var ceiling = Int.max
  var ranking: VoiceRanking
  /// The voices that fade in the next quantum.
  let faded: UnsafeMutablePointer<SynthVoice>
  var fadedCount = 0
  /// True if all voices were started or replaced for the next quantum.
  ///
  /// None of them can be replaced again before it is rendered.
  private var isFull = false

  let polyphony: Int
  private let gain: Float
  let pitchOffset: Float
  var masterTuning: Float = 0
  var masterShift = 0
  /// The balance of the whole module, −1…1, and the current gains of left and right.
  var masterBalance: Float = 0
  var sideGains = SIMD2<Float>(1, 1)
  private var effects = SystemEffects()
  /// True if programs are those of an MT-32: from its reset until another reset.
  var isMT32 = false
  /// True if a font has the MT-32's own timbres, and its rhythm part.
  let hasMT32Bank: Bool
  let hasMT32Kit: Bool
  /// The bank mode that the user has selected.
  let chosenMode: BankMode
  /// The current rules of bank select.
  var bankMode: BankMode
  /// The General MIDI programs for the 128 programs of an MT-32.
  let nearest: UnsafeMutablePointer<UInt8>
  /// For each melodic preset, by bank and program, true if the song's own bank has it; nil without
  /// such a bank.
  let ownPresets: UnsafeMutablePointer<Bool>?
  /// True if the song's own bank is also selected by controller 32.
  let hasLowerBanks: Bool
  /// 128 tuning programs of 128 keys, in cents from equal temperament.
  let tunings: UnsafeMutablePointer<Float>
  /// The current tuning of each key of each channel, in cents.
  let applied: UnsafeMutablePointer<Float>
  let voices: UnsafeMutablePointer<SynthVoice>
  /// True if a part receives another channel than its own, or not all kinds of messages.
  var isRouted = false

  static var channelCount: Int {
    @_noAllocation @_noLocks
    get { 16 }
  }

  static var keyCount: Int {
    @_noAllocation @_noLocks
    get { 128 }
  }

  init(_ synth: consuming Synth, _ configuration: InstrumentConfiguration) {
    synth.addKeyPressureVibrato()
    hasMT32Bank = synth.hasPreset(bank: Int(MT32Programs.bank), program: 0)
    hasMT32Kit = synth.hasPreset(bank: 128, program: 127)
    self.synth = synth
    unsafe nearest = .allocate(capacity: MT32Programs.nearest.count)
    for (program, like) in MT32Programs.nearest.enumerated() {
      unsafe (nearest + program).initialize(to: like)
    }
    unsafe ownPresets = Self.table(of: configuration.ownPresets)
    hasLowerBanks = configuration.ownPresets.hasLowerBanks
    chosenMode = configuration.bankMode
    bankMode = configuration.bankMode.initial
    polyphony = configuration.polyphony
    gain = configuration.gain
    pitchOffset = configuration.pitchOffset
    unsafe channels = .allocate(capacity: Self.channelCount)
    for index in 0..<Self.channelCount {
      unsafe (channels + index).initialize(to: ChannelState(ProgramChoice(isDrums: index == 9)))
    }
    unsafe tunings = .allocate(capacity: Self.keyCount * Self.keyCount)
    unsafe tunings.initialize(repeating: 0, count: Self.keyCount * Self.keyCount)
    unsafe applied = .allocate(capacity: Self.channelCount * Self.keyCount)
    unsafe applied.initialize(repeating: 0, count: Self.channelCount * Self.keyCount)
    unsafe voices = .allocate(capacity: polyphony)
    unsafe voices.initialize(repeating: .none, count: polyphony)
    ranking = VoiceRanking(capacity: polyphony)
    unsafe faded = .allocate(capacity: polyphony)
    unsafe faded.initialize(repeating: .none, count: polyphony)
    self.synth.setSlidesByTime(bankMode == .xg)
    for index in 0..<Self.channelCount {
      sendPreset(index)
      sendBendRange(index)
    }
    retune()
  }

  private static func table(of presets: OwnPresets) -> UnsafeMutablePointer<Bool>? {
    guard !presets.isEmpty else { return nil }
    let table = UnsafeMutablePointer<Bool>.allocate(capacity: keyCount * keyCount)
    unsafe table.initialize(repeating: false, count: keyCount * keyCount)
    for number in presets.numbers { unsafe table[number] = true }
    return unsafe table
  }

  deinit {
    unsafe nearest.deallocate()
    unsafe ownPresets?.deallocate()
    unsafe channels.deallocate()
    unsafe tunings.deallocate()
    unsafe applied.deallocate()
    unsafe voices.deallocate()
    unsafe faded.deallocate()
  }

  /// Applies a channel message, at a frame of the next quantum (0…63) if the synthesiser supports
  /// this.
  @_noAllocation @_noLocks
  mutating func apply(_ message: Message, at frame: Int = 0) {
    guard !isRouted else {
      routeToParts(message, at: frame)
      return
    }
    apply(message, toPart: Int(message.status & 0x0F), at: frame)
  }

  /// Applies a channel message to a part.
  ///
  /// The channel of the message is the index of the part.
  @_noAllocation @_noLocks
  mutating func apply(_ message: Message, toPart channel: Int, at frame: Int) {
    switch message.status & 0xF0 {
    case 0x90 where message.data2 > 0: strike(message, channel, frame)
    case 0xB0: control(message, channel, frame)
    case 0xC0: selectProgram(message.data1 & 0x7F, channel)
    case 0xE0:
      unsafe channels[channel].bend = UInt16(message.data1 & 0x7F) | UInt16(message.data2) << 7
      sendBend(channel, at: frame)
    default: synth.apply(message, at: frame)
    }
  }

  /// Applies a SysEx message, given without its F0 and F7.
  @_noAllocation @_noLocks
  mutating func applySysEx(_ bytes: UnsafePointer<UInt8>, count: Int) {
    guard let order = unsafe SynthOrder(bytes, count: count) else { return }
    switch order {
    case .nothing: break
    case .reset(let mode):
      if let mode { reset(to: chosenMode.after(mode)) } else { reset(to: chosenMode.initial) }
      if let mode, mode != .gm { sendToReverb() }
    case .initialReverb, .initialChorus, .system, .globalReverb, .globalChorus:
      var changed = effects
      unsafe changed.take(order, bytes)
      set(changed)
    case .resetMT32:
      reset(to: chosenMode.initial)
      beMT32()
    case .gsPart, .xgPart, .gsNotes, .xgNotes, .forgetNotes, .destinations, .keyControls:
      unsafe applyPart(order, bytes)
    case .effects(let isXG, let high, let number, let low, let offset, let count):
      unsafe synth.setEffects(
        isXG: isXG, high, number: number, low, bytes + offset, count: count)
    case .masterVolume(let volume): synth.setGain(gain * volume * volume)
    case .masterBalance(let place): masterBalance = place
    case .masterTuning(let cents):
      masterTuning = min(100, max(-100, cents))
      retune()
    case .masterShift(let semitones):
      masterShift = min(24, max(-24, semitones))
      retune()
    case .scale(let mask, let offset, let bytesEach):
      unsafe setScale(mask, bytes + offset, bytesEach)
      retune()
    case .keys(let program, let offset, let count, let isRealTime):
      for index in 0..<count {
        unsafe setKey(program, bytes + offset + 4 &* index)
        if !isRealTime { unsafe retune(key: Int(bytes[offset + 4 &* index] & 0x7F)) }
      }
      if isRealTime { retune() }
    case .allKeys(let program, let offset):
      for key in 0..<Self.keyCount {
        unsafe setKey(program, key, bytes + offset + 3 &* key)
      }
      retune()
    }
  }

  /// Renders whole quanta and adds them to the buffers.
  @_noAllocation @_noLocks
  mutating func process(
    frameCount: Int32, wetCount: Int32, wet: UnsafeMutablePointer<UnsafeMutablePointer<Float>?>,
    dryCount: Int32, dry: UnsafeMutablePointer<UnsafeMutablePointer<Float>?>
  ) {
    isFull = false
    unsafe synth.process(
      frameCount: frameCount, wetCount: wetCount, wet: wet, dryCount: dryCount, dry: dry)
    unsafe balance(Int(frameCount), dry: dry, Int(dryCount), wet: wet, Int(wetCount))
  }

  /// Ends all sounds immediately, and resets programs and controllers.
  @_noAllocation @_noLocks
  mutating func silence() {
    fadedCount = 0
    synth.silence()
    bankMode = chosenMode.initial
    for index in 0..<Self.channelCount {
      unsafe channels[index].choice = ProgramChoice(isDrums: index == 9)
    }
    forget()
    synth.resetEffects(isXG: bankMode == .xg)
  }
}

extension SoundModule {
  /// Resets everything except bank selects that wait for their program change.
  @_noAllocation @_noLocks
  private mutating func reset(to mode: BankMode) {
    bankMode = mode
    synth.reset()
    forget()
    synth.resetEffects(isXG: mode == .xg)
  }

  /// Sets the reverb send of each channel to its value after a reset of GS, XG or GM2.
  ///
  /// Sources: General MIDI 2; Roland SC-88Pro and Yamaha MU80 owner's manuals.
  @_noAllocation @_noLocks
  private func sendToReverb() {
    for channel in 0..<Self.channelCount {
      synth.apply(
        Message(status: 0xB0 | UInt8(truncatingIfNeeded: channel), data1: 91, data2: 40))
    }
  }

  @_noAllocation @_noLocks
  private mutating func forget() {
    masterTuning = 0
    masterShift = 0
    masterBalance = 0
    isMT32 = false
    isRouted = false
    synth.setSlidesByTime(bankMode == .xg)
    set(SystemEffects())
    for index in 0..<Self.channelCount {
      unsafe channels[index].choice.reset(isDrums: index == 9)
      unsafe channels[index] = ChannelState(channels[index].choice)
      sendPreset(index)
      sendBendRange(index)
    }
    for index in 0..<Self.keyCount &* Self.keyCount { unsafe tunings[index] = 0 }
    synth.setGain(gain)
    retune()
  }

  /// Applies the settings of reverb and chorus that have changed.
  @_noAllocation @_noLocks
  private mutating func set(_ changed: SystemEffects) {
    let (reverb, chorus) = (changed.reverb.program, changed.chorus.program)
    if reverb != effects.reverb.program { synth.setReverb(reverb) }
    if chorus != effects.chorus.program { synth.setChorus(chorus) }
    effects = changed
    synth.setSystem(changed)
  }

  @_noAllocation @_noLocks
  private mutating func strike(_ message: Message, _ channel: Int, _ frame: Int) {
    let count = synth.activeVoiceCount()
    guard count < ceiling else {
      refusedNoteCount &+= 1
      return
    }
    let isStealing = count >= polyphony
    if isStealing { stealingNoteCount &+= 1 }
    // FluidSynth would search all its voices for each note of a burst without finding a free one.
    guard !isFull, synth.apply(message, at: frame) else {
      refusedNoteCount &+= 1
      isFull = isFull || isStealing
      return
    }
    let cents = unsafe applied[channel &* Self.keyCount &+ Int(message.data1 & 0x7F)]
    if cents != 0 { tuneLastNote(by: cents) }
  }

  /// Tunes the voices of the last note.
  @_noAllocation @_noLocks
  private func tuneLastNote(by cents: Float) {
    let count = unsafe synth.listVoices(voices, capacity: polyphony)
    var last: UInt32 = 0
    for index in 0..<count {
      last = unsafe max(last, synth.note(of: voices[index]))
    }
    for index in 0..<count {
      let voice = unsafe voices[index]
      if synth.note(of: voice) == last { synth.tune(voice, byCents: cents) }
    }
  }
}
