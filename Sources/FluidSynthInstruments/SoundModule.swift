// SPDX-License-Identifier: Apache-2.0
internal import MIDIMessages

/// A synthesiser as a GM, GM2, GS or XG sound module: what FluidSynth 2.3 leaves out is done here,
/// for our own voices, which are like its, too.
///
/// A pitch is exact to a cent, FluidSynth's own step. Done here are rhythm parts of GS and XG,
/// their kinds of reverb and chorus and those of GM2, the programs of an MT-32, master volume and tuning, the MIDI
/// Tuning Standard, bend ranges in cents, and fine tuning whose lower byte comes last. A tuning
/// moves the pitch of each voice when it is struck, and of those that sound when it changes;
/// FluidSynth's own tunings would allocate on the render thread.
///
/// - Note: Real-time safe but for `init`.
@safe
struct SoundModule: ~Copyable {
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
  /// Whether reverb or chorus are other than FluidSynth begins with.
  private var hasOwnEffects = false
  private var reverb = ReverbProgram.initial
  private var chorus = ChorusProgram.initial
  /// Whether programs are an MT-32's, from its reset on to another's.
  private var isMT32 = false
  /// Whether a font has its timbres themselves, and its rhythm part.
  private let hasMT32Bank: Bool
  private let hasMT32Kit: Bool
  /// The reset of the bank mode that the module begins with: GM, GS or XG; none for both bytes.
  let native: UnsafeMutablePointer<UInt8>
  let nativeCount: Int
  /// The programs that are like them where none has: 128.
  private let nearest: UnsafeMutablePointer<UInt8>
  /// The sixteen channels.
  let channels: UnsafeMutablePointer<ChannelState>
  /// 128 tuning programs of 128 keys, in cents from equal temperament.
  let tunings: UnsafeMutablePointer<Float>
  /// What each key of each channel is tuned by now.
  let applied: UnsafeMutablePointer<Float>
  let voices: UnsafeMutablePointer<SynthVoice>

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
    hasMT32Bank = synth.hasPreset(bank: MT32Programs.bank, program: 0)
    hasMT32Kit = synth.hasPreset(bank: 128, program: 127)
    self.synth = synth
    unsafe nearest = .allocate(capacity: MT32Programs.nearest.count)
    for (program, like) in MT32Programs.nearest.enumerated() {
      unsafe (nearest + program).initialize(to: like)
    }
    nativeCount = configuration.bankMode.reset.count
    unsafe native = .allocate(capacity: 16)
    unsafe native.initialize(repeating: 0, count: 16)
    for (place, byte) in configuration.bankMode.reset.enumerated() { unsafe native[place] = byte }
    polyphony = configuration.polyphony
    gain = configuration.gain
    pitchOffset = configuration.pitchOffset
    unsafe channels = .allocate(capacity: Self.channelCount)
    for index in 0..<Self.channelCount {
      unsafe (channels + index).initialize(to: ChannelState(isDrums: index == 9))
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
    for index in 0..<Self.channelCount { sendBendRange(index) }
    retune()
  }

  deinit {
    unsafe nearest.deallocate()
    unsafe native.deallocate()
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
    let channel = Int(message.status & 0x0F)
    switch message.status & 0xF0 {
    case 0x90 where message.data2 > 0: strike(message, channel, frame)
    case 0xB0: control(message, channel, frame)
    case 0xC0 where isMT32: selectMT32(message.data1 & 0x7F, channel)
    case 0xE0:
      unsafe channels[channel].bend = UInt16(message.data1 & 0x7F) | UInt16(message.data2) << 7
      sendBend(channel, at: frame)
    default: synth.apply(message, at: frame)
    }
  }

  /// Applies a SysEx message without its F0 and F7.
  @_noAllocation @_noLocks
  mutating func applySysEx(_ bytes: UnsafePointer<UInt8>, count: Int) {
    guard let order = unsafe SynthOrder(bytes, count: count) else {
      unsafe synth.applySysEx(bytes, count: count)
      return
    }
    switch order {
    case .nothing: break
    case .reset, .native:
      if case .native = order { resetBankMode() }
      synth.reset()
      forget()
    case .initialReverb: set(ReverbProgram.initial)
    case .initialChorus: set(ChorusProgram.initial)
    case .resetMode:
      unsafe synth.applySysEx(bytes, count: count)
      synth.reset()
      forget()
    case .resetMT32:
      synth.reset()
      forget()
      beMT32()
    case .reverb(let program): set(program)
    case .reverbLevel(let level): set(reverb, level: level)
    case .chorus(let program): set(program)
    case .chorusLevel(let level): set(chorus, level: level)
    case .globalReverb(let offset, let count):
      var program = reverb
      var isSet = false
      for index in 0..<count {
        let place = offset &+ 2 &* index
        if unsafe program.set(gm2: bytes[place], to: bytes[place &+ 1]) { isSet = true }
      }
      if isSet { set(program) }
    case .globalChorus(let offset, let count):
      var program = chorus
      var isSet = false
      for index in 0..<count {
        let place = offset &+ 2 &* index
        if unsafe program.set(gm2: bytes[place], to: bytes[place &+ 1]) { isSet = true }
      }
      if isSet { set(program) }
    case .drums(let channel, let isDrums):
      unsafe channels[channel].isDrums = isDrums
      synth.setDrums(channel, isDrums)
      retune()
    case .masterVolume(let volume): synth.setGain(gain * volume * volume)
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
  }

  /// Ends every sound at once and forgets programs and controllers.
  @_noAllocation @_noLocks
  mutating func silence() {
    fadedCount = 0
    synth.silence()
    forget()
  }
}

extension SoundModule {
  @_noAllocation @_noLocks
  private mutating func forget() {
    masterTuning = 0
    masterShift = 0
    isMT32 = false
    if hasOwnEffects {
      set(ReverbProgram.initial)
      set(ChorusProgram.initial)
      hasOwnEffects = false
    }
    for index in 0..<Self.channelCount {
      unsafe channels[index] = ChannelState(isDrums: index == 9)
      sendBendRange(index)
    }
    for index in 0..<Self.keyCount &* Self.keyCount { unsafe tunings[index] = 0 }
    synth.setGain(gain)
    retune()
  }

  @_noAllocation @_noLocks
  private mutating func set(_ program: ReverbProgram) {
    reverb = program
    hasOwnEffects = true
    synth.setReverb(program)
  }

  @_noAllocation @_noLocks
  private mutating func set(_ program: ReverbProgram, level: Double) {
    var program = program
    program.level = min(1, level * ReverbProgram.nominalLevel)
    set(program)
  }

  @_noAllocation @_noLocks
  private mutating func set(_ program: ChorusProgram) {
    chorus = program
    hasOwnEffects = true
    synth.setChorus(program)
  }

  @_noAllocation @_noLocks
  private mutating func set(_ program: ChorusProgram, level: Double) {
    var program = program
    program.level = min(10, level * ChorusProgram.nominalLevel)
    set(program)
  }

  /// Gives the channels the programs and the bend range that an MT-32 has at first.
  @_noAllocation @_noLocks
  private mutating func beMT32() {
    isMT32 = true
    for channel in 0..<Self.channelCount {
      unsafe channels[channel].bendRange = MT32Programs.bendRange
      sendBendRange(channel)
      if let program = MT32Programs.initial(ofChannel: channel) { selectMT32(program, channel) }
      if unsafe channels[channel].isDrums { selectMT32(0, channel) }
    }
  }

  @_noAllocation @_noLocks
  private func selectMT32(_ program: UInt8, _ channel: Int) {
    if unsafe channels[channel].isDrums {
      synth.select(channel, bank: 128, program: hasMT32Kit ? 127 : 0)
    } else if hasMT32Bank {
      synth.select(channel, bank: MT32Programs.bank, program: program)
    } else {
      unsafe synth.select(channel, bank: 0, program: nearest[Int(program)])
    }
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
