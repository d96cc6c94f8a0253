// SPDX-License-Identifier: Apache-2.0

/// The settings of FluidSynth's chorus.
struct ChorusProgram: BitwiseCopyable, Equatable {
  /// The number of added voices, 0…99.
  var voiceCount: Int32
  /// The rate of the modulation, 0.1…5 Hz.
  var hertz: Double
  /// The depth of the modulation, in milliseconds.
  var depth: Double
  /// The return level, 0…10.
  var level = Self.nominalLevel

  /// The initial level of FluidSynth, which corresponds to a level of 64.
  static var nominalLevel: Double {
    @_noAllocation @_noLocks
    get { 2 }
  }

  /// The initial settings of FluidSynth.
  static var initial: ChorusProgram {
    @_noAllocation @_noLocks
    get { ChorusProgram(voiceCount: 3, hertz: 0.3, depth: 8) }
  }

  @_noAllocation @_noLocks
  init(voiceCount: Int32, hertz: Double, depth: Double) {
    self.voiceCount = voiceCount
    self.hertz = hertz
    self.depth = depth
  }

  /// Creates settings from a GS rate, in steps of 0.122 Hz, and a GS depth, in steps of 1/3.2 ms
  /// from 1.
  @_noAllocation @_noLocks
  private init(voiceCount: Int32, rate: Int, depth: Int) {
    self.init(
      voiceCount: voiceCount, hertz: Self.hertz(rate: rate), depth: Self.milliseconds(depth: depth))
  }

  /// Converts a rate byte to hertz, 0…15.5 Hz, limited to FluidSynth's range.
  @_noAllocation @_noLocks
  static func hertz(rate: Int) -> Double { min(5, max(0.1, hertz(of: rate))) }

  /// Converts a rate byte to hertz, 0…15.5 Hz.
  @_noAllocation @_noLocks
  static func hertz(of rate: Int) -> Double { Double(rate) * 0.122 }

  /// Converts a depth byte to the total depth, 0.3…40 ms.
  @_noAllocation @_noLocks
  static func milliseconds(depth: Int) -> Double { Double(depth &+ 1) / 3.2 }

  /// Sets the type, rate or depth of GM2, whose types and steps are those of GS.
  ///
  /// Returns false for other parameters, such as feedback, which FluidSynth does not have.
  ///
  /// Source: MMA CA-24, global parameter control.
  @_noAllocation @_noLocks
  mutating func set(gm2 parameter: UInt8, to value: UInt8) -> Bool {
    switch parameter {
    case 0:
      guard value < 6, let program = ChorusProgram(gs: Int(value)) else { return false }
      self = program
    case 1: hertz = Self.hertz(rate: Int(value))
    case 2: depth = Self.milliseconds(depth: Int(value))
    default: return false
    }
    return true
  }

  /// The settings of a GS macro: Chorus 1 to 4, Feedback Chorus, Flanger, Short Delay, Short Delay
  /// with Feedback.
  ///
  /// Rates and depths are from the manual; FluidSynth's chorus does not have feedback.
  ///
  /// Source: Roland SC-88 owner's manual, chorus macro.
  @_noAllocation @_noLocks
  init?(gs macro: Int) {
    switch macro {
    case 0: self.init(voiceCount: 3, rate: 3, depth: 5)
    case 1: self.init(voiceCount: 3, rate: 9, depth: 19)
    case 2: self.init(voiceCount: 3, rate: 3, depth: 19)
    case 3: self.init(voiceCount: 3, rate: 9, depth: 16)
    case 4: self.init(voiceCount: 3, rate: 2, depth: 24)
    case 5: self.init(voiceCount: 1, rate: 1, depth: 5)
    case 6, 7: self.init(voiceCount: 1, rate: 0, depth: 127)
    default: return nil
    }
  }

  /// The settings of an XG type by its upper byte: none, chorus, celeste, flanger, symphonic,
  /// phaser.
  ///
  /// Source: Yamaha MU80 owner's manual, chorus type list.
  @_noAllocation @_noLocks
  init?(xg type: Int) {
    switch type {
    case 0x00:
      self = .initial
      level = 0
    case 0x41: self.init(gs: 2)
    case 0x42: self.init(gs: 0)
    case 0x43: self.init(gs: 5)
    case 0x44: self.init(gs: 4)
    case 0x48: self.init(gs: 5)
    default: return nil
    }
  }
}
