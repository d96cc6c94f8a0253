// SPDX-License-Identifier: Apache-2.0
internal import MIDIMessages

/// A synthesiser as a GM, GM2, GS or XG sound module: what FluidSynth 2.3 leaves out is done here,
/// for our own voices, which are like its, too.
///
/// A pitch is exact to a cent, FluidSynth's own step. Done here are bank select and program change by
/// the bank mode, rhythm parts of GS and XG, their kinds of reverb and chorus and those of GM2, the programs of an MT-32, master volume, pan and tuning, the MIDI
/// Tuning Standard, bend ranges in cents, and fine tuning whose lower byte comes last. A tuning
/// moves the pitch of each voice when it is struck, and of those that sound when it changes;
/// FluidSynth's own tunings would allocate on the render thread.
///
/// - Note: Real-time safe but for `init`.
@safe
struct SoundModule: ~Copyable {
  // Keep a pointer first: for the thread sanitizer, the compiler of Swift 6.3 takes the first field for
  // an address.
  /// The sixteen channels.
  let channels: UnsafeMutablePointer<ChannelState>
  let synth: Synth
  /// Notes for which no voice was free.
  private(set) var refusedNoteCount = 0
  /// Notes that were struck when every voice was taken.
  private(set) var stealingNoteCount = 0
  /// Voices that were let go since there were too many for the time there is.
  var shedVoiceCount = 0
  /// Beyond so many voices no note is struck.
  var ceiling = Int.max
  var ranking: VoiceRanking
  /// The voices that fade in the quantum that comes next.
  let faded: UnsafeMutablePointer<SynthVoice>
  var fadedCount = 0
  /// Whether every voice was struck, or taken from another, in the quantum that comes next: none of
  /// them can be taken again before it is made.
  private var isFull = false

  let polyphony: Int
  private let gain: Float
  let pitchOffset: Float
  var masterTuning: Float = 0
  var masterShift = 0
  /// The place of everything, −1…1, and the gains of left and right that it has come to.
  var masterBalance: Float = 0
  var sideGains = SIMD2<Float>(1, 1)
  private var effects = SystemEffects()
  /// Whether programs are an MT-32's, from its reset on to another's.
  var isMT32 = false
  /// Whether a font has its timbres themselves, and its rhythm part.
  let hasMT32Bank: Bool
  let hasMT32Kit: Bool
  /// The bank mode that the user has chosen.
  let chosenMode: BankMode
  /// The rules of bank select in force.
  var bankMode: BankMode
  /// The programs that are like them where none has: 128.
  let nearest: UnsafeMutablePointer<UInt8>
  /// For each melodic preset, by bank and program, true if the song's own bank has it; null without one.
  let ownPresets: UnsafeMutablePointer<Bool>?
  /// True if the song's own bank is also selected by controller 32.
  let hasLowerBanks: Bool
  /// 128 tuning programs of 128 keys, in cents from equal temperament.
  let tunings: UnsafeMutablePointer<Float>
  /// What each key of each channel is tuned by now.
  let applied: UnsafeMutablePointer<Float>
  let voices: UnsafeMutablePointer<SynthVoice>
  /// Whether a part receives another channel than its own, or not all messages.
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

  /// Applies a channel message, at a frame of the quantum that comes next where the synthesiser
  /// can: 0…63.
  @_noAllocation @_noLocks
  mutating func apply(_ message: Message, at frame: Int = 0) {
    guard !isRouted else {
      routeToParts(message, at: frame)
      return
    }
    apply(message, toPart: Int(message.status & 0x0F), at: frame)
  }

  /// Applies a channel message to a part; the message has the part's number as its channel.
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

  /// Applies a SysEx message without its F0 and F7.
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

  /// Makes whole quanta and adds them to the buffers.
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

  /// Ends every sound at once and forgets programs and controllers.
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
  /// Resets everything but bank selects that wait for their program change.
  @_noAllocation @_noLocks
  private mutating func reset(to mode: BankMode) {
    bankMode = mode
    synth.reset()
    forget()
    synth.resetEffects(isXG: mode == .xg)
  }

  /// Gives every channel the send to the reverb that a reset of GS, XG and GM2 leaves.
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

  /// Takes up a reverb and a chorus, each if it is another.
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
    // FluidSynth would look through all its voices for each note of a burst, only to find none.
    guard !isFull, synth.apply(message, at: frame) else {
      refusedNoteCount &+= 1
      isFull = isFull || isStealing
      return
    }
    let cents = unsafe applied[channel &* Self.keyCount &+ Int(message.data1 & 0x7F)]
    if cents != 0 { tuneLastNote(by: cents) }
  }

  /// Tunes the voices of the note struck last.
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
