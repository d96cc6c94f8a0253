// SPDX-License-Identifier: Apache-2.0

/// The system chorus as set by messages of GS, XG and GM2.
///
/// FluidSynth's chorus plays it if possible; otherwise our own units play `plan`.
///
/// - Note: Real-time safe.
struct ChorusSettings: BitwiseCopyable {
  /// The settings for FluidSynth's chorus.
  private(set) var kind = ChorusProgram.initial
  /// True if the chorus is off (XG's type 0).
  private(set) var isOff = false
  /// Return level, 0…127; 64 is normal.
  private(set) var level = 64
  /// Pan of the return, 0…127; 64 is the centre.
  private(set) var pan = 64
  /// Sends of the return to the reverb and to the delay of GS, 0…127.
  private(set) var toReverb = 0
  private(set) var toDelay = 0
  /// Cutoff of a low-pass before the chorus, in hertz; 20 000 is off.
  private(set) var lowPass: Double = 20_000
  /// The macro of GS, 0…7; Chorus 3 after a reset.
  private var macro = 2
  /// The parameter bytes of GS.
  private var feedback = 8
  private var delay = 80
  private var rate = 3
  private var depth = 19
  /// True if GS has set a parameter that FluidSynth's chorus does not have.
  private var isBeyond = false
  /// The effect of XG, and true if its values differ from those of its type.
  private var effect = ModuleEffect(.xg, type: 0x4100)
  private var isEdited = false

  /// The settings after a reset.
  @_noAllocation @_noLocks
  init() {}

  /// The settings for FluidSynth's chorus, with the level.
  var program: ChorusProgram {
    @_noAllocation @_noLocks
    get {
      var program = kind
      program.level = isOff ? 0 : min(10, returnLevel)
      return program
    }
  }

  /// The level in FluidSynth's units.
  private var returnLevel: Double {
    @_noAllocation @_noLocks
    get { Double(level) / 64 * ChorusProgram.nominalLevel }
  }

  /// True if FluidSynth's chorus cannot play the settings.
  var isOwn: Bool {
    @_noAllocation @_noLocks
    get { !isOff && (isBeyond || isEdited) }
  }

  /// True if the input or output of the chorus needs processing.
  var isTreated: Bool {
    @_noAllocation @_noLocks
    get { lowPass < 20_000 || pan != 64 || toReverb > 0 || toDelay > 0 }
  }

  /// The plan for our own units, which replace FluidSynth's chorus if `isOwn` is true.
  var plan: EffectPlan {
    @_noAllocation @_noLocks
    get {
      if isEdited {
        var whole = effect
        whole[10] = 127
        var plan = whole.plan ?? EffectPlan()
        plan.level *= Float(level) / 64 * Self.gain
        return plan
      }
      var plan = EffectPlan()
      plan.add(.flanger)
      // The total depth; at rate 0 the chorus does not move.
      let swing = rate == 0 ? 0 : Float(ChorusProgram.milliseconds(depth: depth)) / 2000
      plan.set(.flanger, 0, Float(ChorusProgram.hertz(of: rate)))
      plan.set(.flanger, 1, min(0.01, swing))
      plan.set(.flanger, 2, 0.0001 + Float(delay) / 127 * 0.025 + min(0.01, swing))
      plan.set(.flanger, 3, Float(feedback) * 0.00763)
      plan.set(.flanger, 4, 1)
      plan.set(.flanger, 5, 0)
      plan.set(.flanger, 6, 1)
      plan.level = Float(level) / 64 * Self.gain
      return plan
    }
  }

  /// The gain with which our chorus is as loud as FluidSynth's.
  static var gain: Float {
    @_noAllocation @_noLocks
    get { 1.5 }
  }
}

// GS.
extension ChorusSettings {
  /// Sets a GS parameter at 40 01 38…40.
  ///
  /// A macro sets all parameters. FluidSynth's chorus has neither feedback nor delay, so it plays
  /// the first four macros, and our units play the others. Rate, depth and feedback have the steps
  /// of General MIDI 2. The manual gives the delay without a unit; here it is up to 25 ms.
  ///
  /// Source: Roland SC-88Pro and SC-8850 owner's manuals, chorus parameters and macros.
  @_noAllocation @_noLocks
  mutating func set(gs address: Int, to value: Int) {
    switch address {
    case 0x38:
      guard let kind = ChorusProgram(gs: value) else { return }
      self = ChorusSettings()
      self.kind = kind
      macro = value
      (feedback, delay, rate, depth) = Self.bytes(ofMacro: value)
    case 0x39: lowPass = Double(DelayProgram.lowPass(min(7, value)))
    case 0x3A: level = value
    case 0x3B: feedback = value
    case 0x3C: delay = value
    case 0x3D:
      rate = value
      kind.hertz = ChorusProgram.hertz(rate: value)
    case 0x3E:
      depth = value
      kind.depth = ChorusProgram.milliseconds(depth: value)
    case 0x3F: toReverb = value
    case 0x40: toDelay = value
    default: return
    }
    (isOff, isEdited) = (false, false)
    let ordinary = Self.bytes(ofMacro: macro)
    isBeyond =
      macro > 3 || feedback != ordinary.feedback || delay != ordinary.delay || rate == 0
      || rate > 40
  }

  /// The feedback, delay, rate and depth of a macro.
  @_noAllocation @_noLocks
  private static func bytes(
    ofMacro macro: Int
  ) -> (feedback: Int, delay: Int, rate: Int, depth: Int) {
    switch macro {
    case 0: (0, 112, 3, 5)
    case 1: (5, 80, 9, 19)
    case 3: (16, 64, 9, 16)
    case 4: (64, 127, 2, 24)
    case 5: (112, 127, 1, 5)
    case 6: (0, 127, 0, 127)
    case 7: (80, 127, 0, 127)
    default: (8, 80, 3, 19)
    }
  }
}

// XG and GM2.
extension ChorusSettings {
  /// Sets an XG parameter at 02 01 20…35.
  ///
  /// A type sets all parameters except return level, pan and send.
  ///
  /// Source: Yamaha MU80 and MU100 owner's manuals, chorus parameters.
  @_noAllocation @_noLocks
  mutating func set(xg address: Int, to value: Int) {
    switch address {
    case 0x20:
      guard let kind = ChorusProgram(xg: value) else { return }
      let (level, pan, toReverb) = (level, pan, toReverb)
      self = ChorusSettings()
      (self.kind, self.level, self.pan, self.toReverb) = (kind, level, pan, toReverb)
      isOff = value == 0
      effect = ModuleEffect(.xg, type: value << 8)
    case 0x21:
      effect = ModuleEffect(.xg, type: effect.type & 0x7F00 | value)
      isEdited = false
    case 0x22...0x2B: edit(address &- 0x21, value)
    case 0x2C: level = value
    case 0x2D: pan = max(1, value)
    case 0x2E: toReverb = value
    case 0x30...0x35: edit(address &- 0x30 &+ 11, value)
    default: return
    }
    isBeyond = false
  }

  @_noAllocation @_noLocks
  private mutating func edit(_ parameter: Int, _ value: Int) {
    // A system effect always consists of wet sound only.
    guard parameter != 10 else { return }
    effect[parameter] = value
    let ordinary = ModuleEffect(.xg, type: effect.type)
    isEdited = false
    for number in 1...16 where effect[number] != ordinary[number] { isEdited = true }
  }

  /// Sets a GM2 parameter: type, rate or depth; others are ignored.
  @_noAllocation @_noLocks
  mutating func set(gm2 parameter: UInt8, to value: UInt8) {
    var kind = kind
    guard kind.set(gm2: parameter, to: value) else { return }
    if parameter == 0 { self = ChorusSettings() }
    self.kind = kind
    (isOff, isBeyond, isEdited) = (false, false, false)
  }
}
