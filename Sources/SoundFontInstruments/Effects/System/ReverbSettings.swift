// SPDX-License-Identifier: Apache-2.0
internal import AudioProcessing

/// The system reverb as set by messages of GS, XG and GM2.
///
/// FluidSynth's reverb plays it if possible; otherwise our own units play `plan`.
///
/// - Note: Real-time safe.
struct ReverbSettings: BitwiseCopyable, Equatable {
  /// The settings for FluidSynth's reverb, with the decay of the type.
  private(set) var kind = ReverbProgram.initial
  /// True if the reverb is off (XG's type 0).
  private(set) var isOff = false
  /// Return level, 0…127; 64 is normal.
  private(set) var level = 64
  /// Pan of the return, 0…127; 64 is the centre.
  private(set) var pan = 64
  /// Decay time (60 dB) in seconds; nil for that of the type.
  private(set) var seconds: Double?
  /// Damping of high frequencies, 0…1; nil for that of the type.
  private(set) var damping: Double?
  /// Delay before the reverb, in seconds.
  private(set) var preDelay: Double = 0
  /// Cutoffs of the filters before the reverb, in hertz; 20 000 and 0 are off.
  private(set) var lowPass: Double = 20_000
  private(set) var highPass: Double = 0
  /// The character of GS, 0…7; below 0 if GS has not set one.
  private var character = -1
  /// The bytes of the XG type.
  private var type = 0
  private var variant = 0
  /// The parameter bytes of GS: time, feedback of a delay, low-pass.
  private var time = 64
  private var feedback = 0
  private var lowPassStep = 0

  /// The settings after a reset.
  @_noAllocation @_noLocks
  init() {}

  /// The settings for FluidSynth's reverb, which has decay times of 0.7…12.5 s and levels up to 1.
  var program: ReverbProgram {
    @_noAllocation @_noLocks
    get {
      var program = kind
      if let seconds { program.roomSize = ReverbProgram.roomSize(ringing: seconds) }
      if let damping { program.damping = damping }
      program.level = min(1, returnLevel)
      return program
    }
  }

  /// The level in FluidSynth's units, 0…1.786.
  var returnLevel: Double {
    @_noAllocation @_noLocks
    get { isOff ? 0 : Double(level) / 64 * ReverbProgram.nominalLevel }
  }

  /// True if the character is a delay.
  var isDelay: Bool {
    @_noAllocation @_noLocks
    get { character >= 6 }
  }

  /// True if FluidSynth's reverb cannot play the settings.
  var isOwn: Bool {
    @_noAllocation @_noLocks
    get {
      guard !isOff else { return false }
      guard !isDelay else { return true }
      guard let seconds else { return false }
      return seconds < ReverbProgram.seconds(roomSize: 0)
        || seconds > ReverbProgram.seconds(roomSize: 1)
    }
  }

  /// True if the input or output of the reverb needs processing.
  var isTreated: Bool {
    @_noAllocation @_noLocks
    get {
      preDelay > 0 || lowPass < 20_000 || highPass > 0 || pan != 64 || returnLevel > 1
    }
  }

  /// The gain on the send to FluidSynth's reverb; above 1 if the level exceeds the reverb's range.
  var sendGain: Double {
    @_noAllocation @_noLocks
    get { max(1, returnLevel) }
  }

  /// The plan for our own units, which replace FluidSynth's reverb if `isOwn` is true.
  var plan: EffectPlan {
    @_noAllocation @_noLocks
    get { isDelay ? delayPlan : roomPlan }
  }

  /// The decay time of the type, in seconds.
  private var kindSeconds: Double {
    @_noAllocation @_noLocks
    get { ReverbProgram.seconds(roomSize: kind.roomSize) }
  }
}

// GS.
extension ReverbSettings {
  /// Sets a GS parameter at 40 01 30…37.
  ///
  /// A macro sets all parameters. The manual gives the time without a unit: here a step multiplies
  /// the macro's time by e^(1/40), as in General MIDI 2.
  ///
  /// Source: Roland SC-88Pro and SC-8850 owner's manuals, reverb parameters and macros.
  @_noAllocation @_noLocks
  mutating func set(gs address: Int, to value: Int) {
    switch address {
    case 0x30:
      guard let kind = ReverbProgram(gs: value) else { return }
      self = ReverbSettings()
      self.kind = kind
      character = value
      time = Self.time(ofMacro: value)
      lowPassStep = Self.lowPass(ofMacro: value)
      feedback = value == 6 ? 40 : value == 7 ? 32 : 0
    case 0x31:
      guard let kind = ReverbProgram(gs: value) else { return }
      self.kind = kind
      character = value
    case 0x32: lowPassStep = min(7, value)
    case 0x33: level = value
    case 0x34: time = value
    case 0x35: feedback = value
    case 0x37: preDelay = Double(value) / 1000
    default: return
    }
    isOff = false
    aim()
  }

  /// Computes the decay and the low-pass.
  ///
  /// Those of a macro are already in its type.
  @_noAllocation @_noLocks
  private mutating func aim() {
    let steps = time &- Self.time(ofMacro: character)
    seconds = steps == 0 ? nil : kindSeconds * SampleMath.exponential(Double(steps) / 40)
    let isOrdinary = !isDelay && lowPassStep == Self.lowPass(ofMacro: character)
    lowPass = isOrdinary ? 20_000 : Double(DelayProgram.lowPass(lowPassStep))
  }

  /// The time of a macro; without a macro, that of Hall 2, the setting after a reset.
  @_noAllocation @_noLocks
  private static func time(ofMacro macro: Int) -> Int {
    switch macro {
    case 0: 80
    case 1: 56
    case 3: 72
    case 5: 88
    case 6: 32
    default: 64
    }
  }

  /// The low-pass of a macro.
  @_noAllocation @_noLocks
  private static func lowPass(ofMacro macro: Int) -> Int {
    switch macro {
    case 0: 3
    case 1, 3: 4
    default: 0
    }
  }

  /// The time between two repeats in seconds; half as long if they alternate between the sides.
  ///
  /// The manual does not give a unit. The 446.8 ms at 127 and the curve of the feedback were
  /// measured on Roland's own software (github.com/spessasus/spessasynth_core).
  var repeatSeconds: Double {
    @_noAllocation @_noLocks
    get { max(0.0005, Double(time) / 127 * 0.4468) * (character == 7 ? 0.5 : 1) }
  }

  /// The gain of a repeat relative to the last one, 0…0.73; on the same side if the repeats
  /// alternate.
  var repeatLevel: Double {
    @_noAllocation @_noLocks
    get {
      let rest = 1 - Double(feedback) / 127
      return rest <= 0
        ? 0.73 : 0.73 * (1 - SampleMath.exponential(1.9 * SampleMath.logarithm(rest)))
    }
  }

  /// With a full send and normal level, repeats are as loud as the note, like those of GS's delay.
  private var delayPlan: EffectPlan {
    @_noAllocation @_noLocks
    get {
      var plan = EffectPlan()
      plan.add(.tapDelay)
      let step = Float(repeatSeconds)
      let (side, middle): (Float, Float) = character == 7 ? (1, 0) : (0, 0.70710678)
      // The first tap feeds the line.
      plan.setTap(0, character == 7 ? 2 * step : step, character == 7 ? 1 : middle, side)
      plan.setTap(1, step, side, -1)
      plan.setTap(2, step, 0, 0)
      plan.setTap(3, step, 0, 0)
      plan.set(.tapDelay, 12, Float(repeatLevel))
      plan.set(.tapDelay, 13, 20_000)
      plan.set(.tapDelay, 14, 20_000)
      plan.set(.tapDelay, 15, 1)
      // Voices send a fifth of the controller's value.
      plan.level = Float(level) / 64 * 5
      return plan
    }
  }

  private var roomPlan: EffectPlan {
    @_noAllocation @_noLocks
    get {
      var plan = EffectPlan()
      plan.add(.reverb)
      let seconds = seconds ?? kindSeconds
      plan.set(.reverb, 0, Float(min(24, max(4, 8 * seconds))))
      plan.set(.reverb, 1, Float(max(0.2, seconds)))
      plan.set(.reverb, 2, Float(min(0.9, damping ?? kind.damping)))
      plan.set(.reverb, 3, 0)
      plan.set(.reverb, 4, 1)
      plan.set(.reverb, 8, Float(min(1, kind.width)))
      plan.level = Float(returnLevel * Self.roomGain(seconds))
      return plan
    }
  }

  /// The gain with which an impulse in our reverb is as loud as in FluidSynth's smallest and
  /// largest rooms.
  @_noAllocation @_noLocks
  private static func roomGain(_ seconds: Double) -> Double {
    0.81 * SampleMath.exponential(0.65 * SampleMath.logarithm(max(0.2, seconds) / 0.7))
  }
}

// XG and GM2.
extension ReverbSettings {
  /// Sets an XG parameter at 02 01 00…15.
  ///
  /// A type sets all parameters except return level and pan.
  ///
  /// Source: Yamaha MU80 and MU100 owner's manuals, reverb parameters and effect data assign
  /// tables.
  @_noAllocation @_noLocks
  mutating func set(xg address: Int, to value: Int) {
    switch address {
    case 0x00:
      guard let kind = ReverbProgram(xg: value, variant: variant) else { return }
      let (level, pan, variant) = (level, pan, variant)
      self = ReverbSettings()
      (self.kind, self.level, self.pan) = (kind, level, pan)
      (type, self.variant) = (value, variant)
      isOff = value == 0
    case 0x01:
      variant = value
      // The upper byte, which arrives first, has set the rest.
      if type > 0, let kind = ReverbProgram(xg: type, variant: value) { self.kind = kind }
    case 0x02: seconds = EffectValue.xgDecay(value)
    case 0x04: preDelay = EffectValue.xgInitialDelay(value)
    case 0x05: highPass = value == 0 ? 0 : Double(EffectValue.xgHertz(min(52, value)))
    case 0x06: lowPass = value >= 60 ? 20_000 : Double(EffectValue.xgHertz(max(34, value)))
    case 0x0C: level = value
    case 0x0D: pan = max(1, value)
    case 0x13: damping = 1 - Double(min(10, max(1, value))) / 10
    default: return
    }
  }

  /// Sets a GM2 parameter: type or time; others are ignored.
  @_noAllocation @_noLocks
  mutating func set(gm2 parameter: UInt8, to value: UInt8) {
    switch parameter {
    case 0:
      guard let kind = ReverbProgram(gm2: Int(value)) else { return }
      self = ReverbSettings()
      self.kind = kind
    case 1:
      seconds = ReverbProgram.seconds(gm2: Int(value & 0x7F))
      isOff = false
    default: return
    }
  }
}
