// SPDX-License-Identifier: Apache-2.0

/// The settings of the system delay of GS: addresses 40 01 50…5A.
///
/// Source: Roland SC-88Pro owner's manual, delay macro and its parameters. The values of the macros
/// agree with the tables of two other programs.
struct DelayProgram: BitwiseCopyable, Equatable {
  /// Low-pass before the delay, 0…7; 0 for none.
  var lowPass: UInt8 = 0
  /// Time of the centre tap, 1…115, converted by `seconds(_:)`.
  var time: UInt8
  /// Times of left and right relative to the centre, 1…120, in steps of 100/24 %.
  var leftRatio: UInt8
  var rightRatio: UInt8
  /// Levels of centre, left and right, 0…127.
  var centre: UInt8
  var left: UInt8
  var right: UInt8
  /// Level of the whole delay, 0…127.
  var level: UInt8 = 64
  /// Feedback, −64…63, stored with an offset of 64.
  var feedback: UInt8
  /// Send to the reverb, 0…127.
  var toReverb: UInt8 = 0

  @_noAllocation @_noLocks
  private init(
    time: UInt8, ratios: (left: UInt8, right: UInt8),
    levels: (centre: UInt8, left: UInt8, right: UInt8), feedback: UInt8, toReverb: UInt8 = 0
  ) {
    (self.time, leftRatio, rightRatio) = (time, ratios.left, ratios.right)
    (centre, left, right) = levels
    (self.feedback, self.toReverb) = (feedback, toReverb)
  }

  /// Delay 1, the setting after a reset.
  static var initial: DelayProgram {
    @_noAllocation @_noLocks
    get { DelayProgram(time: 97, ratios: (1, 1), levels: (127, 0, 0), feedback: 80) }
  }

  /// The settings of a macro: Delay 1 to 4, Pan Delay 1 to 4, Delay to Reverb, Pan Repeat.
  @_noAllocation @_noLocks
  init?(macro: Int) {
    switch macro {
    case 0: self = .initial
    case 1: self.init(time: 106, ratios: (1, 1), levels: (127, 0, 0), feedback: 80)
    case 2: self.init(time: 115, ratios: (1, 1), levels: (127, 0, 0), feedback: 72)
    case 3: self.init(time: 83, ratios: (1, 1), levels: (127, 0, 0), feedback: 72)
    case 4: self.init(time: 105, ratios: (12, 24), levels: (0, 125, 60), feedback: 74)
    case 5: self.init(time: 109, ratios: (12, 24), levels: (0, 125, 60), feedback: 71)
    case 6: self.init(time: 115, ratios: (12, 24), levels: (0, 120, 64), feedback: 73)
    case 7: self.init(time: 93, ratios: (12, 24), levels: (0, 120, 64), feedback: 72)
    case 8: self.init(time: 109, ratios: (12, 24), levels: (0, 114, 60), feedback: 61, toReverb: 36)
    case 9: self.init(time: 110, ratios: (21, 31), levels: (97, 127, 67), feedback: 40)
    default: return nil
    }
  }

  /// Sets the parameter at an address 40 01 50…5A; returns false if the address or value is not
  /// valid.
  @_noAllocation @_noLocks
  mutating func set(_ address: Int, to value: Int) -> Bool {
    let byte = UInt8(truncatingIfNeeded: value & 0x7F)
    switch address {
    case 0x50:
      guard let program = DelayProgram(macro: value) else { return false }
      self = program
    case 0x51: lowPass = min(7, byte)
    case 0x52: time = min(115, max(1, byte))
    case 0x53: leftRatio = min(120, max(1, byte))
    case 0x54: rightRatio = min(120, max(1, byte))
    case 0x55: centre = byte
    case 0x56: left = byte
    case 0x57: right = byte
    case 0x58: level = byte
    case 0x59: feedback = byte
    case 0x5A: toReverb = byte
    default: return false
    }
    return true
  }

  /// Converts a time of 1…115 to seconds: 0.1 ms to 1 s.
  @_noAllocation @_noLocks
  static func seconds(_ time: UInt8) -> Float {
    let place = Float(time)
    let milliseconds: Float =
      switch time {
      case ...0x14: place * 0.1
      case ...0x23: 2 + (place - 0x14) * 0.2
      case ...0x2D: 5 + (place - 0x23) * 0.5
      case ...0x37: 10 + (place - 0x2D)
      case ...0x46: 20 + (place - 0x37) * 2
      case ...0x50: 50 + (place - 0x46) * 5
      case ...0x5A: 100 + (place - 0x50) * 10
      case ...0x69: 200 + (place - 0x5A) * 20
      default: min(1000, 500 + (place - 0x69) * 50)
      }
    return max(0.1, milliseconds) / 1000
  }

  /// The times of centre, left and right in seconds; at most 1 s, as in the module.
  var times: (centre: Float, left: Float, right: Float) {
    @_noAllocation @_noLocks
    get {
      let centre = Self.seconds(time)
      return (
        centre, min(1, centre * Float(leftRatio) / 24), min(1, centre * Float(rightRatio) / 24)
      )
    }
  }

  /// The plan of the delay: one line with three taps.
  var plan: EffectPlan {
    @_noAllocation @_noLocks
    get {
      var plan = EffectPlan()
      plan.add(.tapDelay)
      let times = times
      // The centre tap feeds the line even if it is silent; it is as loud as a voice in the centre.
      plan.setTap(0, times.centre, EffectValue.part(Int(centre)) * 0.70710678, 0)
      plan.setTap(1, times.left, EffectValue.part(Int(left)), -1)
      plan.setTap(2, times.right, EffectValue.part(Int(right)), 1)
      plan.setTap(3, times.centre, 0, 0)
      plan.set(.tapDelay, 12, Float(Int(feedback) &- 64) / 64)
      plan.set(.tapDelay, 13, 20_000)
      plan.set(.tapDelay, 14, Self.lowPass(Int(lowPass)))
      plan.set(.tapDelay, 15, 1)
      // At level 64 the output equals the send.
      plan.level = Float(level) / 64
      return plan
    }
  }

  /// The cutoff in hertz of a low-pass setting of 0…7.
  ///
  /// The values are ours, because the manual does not give any.
  @_noAllocation @_noLocks
  static func lowPass(_ step: Int) -> Float {
    switch step {
    case ...0: 20_000
    case 1: 8000
    case 2: 6300
    case 3: 5000
    case 4: 4000
    case 5: 3150
    case 6: 2000
    default: 1000
    }
  }
}

extension EffectPlan {
  /// Sets a tap of a tap delay.
  @_noAllocation @_noLocks
  mutating func setTap(_ tap: Int, _ seconds: Float, _ level: Float, _ pan: Float) {
    set(.tapDelay, tap &* 3, seconds)
    set(.tapDelay, tap &* 3 &+ 1, level)
    set(.tapDelay, tap &* 3 &+ 2, pan)
  }
}
