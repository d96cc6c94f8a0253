// SPDX-License-Identifier: Apache-2.0

/// The effect types of XG, by their upper byte.
///
/// The lower byte selects one of several sets of initial values.
///
/// Sources: Yamaha MU80 owner's manual, effect parameter list, and XG Specifications 2.0. Its
/// initial values agree with the tables of three other programs. If the sources do not give a level
/// or width inside an effect, it is ours. Parameter 10 is dry and wet for most types.
extension ModuleEffect {
  private var kind: Int {
    @_noAllocation @_noLocks
    get { type >> 8 }
  }

  /// Sets the initial values of the type, or those of lower byte 0 if the type does not have any.
  @_noAllocation @_noLocks
  mutating func fillXG() {
    self[10] = 64
    guard !fill(xg: type) else { return }
    _ = fill(xg: type & 0x7F00)
  }

  /// Sets the initial values of a type; returns false if it does not have any.
  @_noAllocation @_noLocks
  private mutating func fill(xg type: Int) -> Bool {
    switch type {
    case 0x0500: fill((3333, 1667, 5000, 5000, 74, 100, 10), mix: 32)
    case 0x0600: fill((2500, 3750, 3752, 3750, 87, 10, 0), mix: 32)
    case 0x0700: fill((1700, 80, 1780, 80, 10, 1700, 1780), mix: 40)
    case 0x0800: fill((1700, 1750, 111, 1, 10, 0, 0), mix: 32)
    case 0x4100: fill("06364D6A001C402E40402E400A0000")
    case 0x4101: fill("083F401E001C3E2A3A402E400A0000")
    case 0x4102: fill("042C406E001C402E42402E400A0000")
    case 0x4108: fill("09204568001C402E40402E400A0001")
    case 0x4200: fill("0C204000001C402E407F28440A0000")
    case 0x4201: fill("1C125A02001C3E2A3C5428440A0000")
    case 0x4202: fill("043F2C02001C402E447F28440A0000")
    case 0x4208: fill("081D4000001C4033427F28440A0001")
    case 0x4300: fill("0E0E6802001C402E406028400A0400")
    case 0x4301: fill("20111A02001C402E3C6028400A0400")
    case 0x4308: fill("046D6D02001C402E407F28400A0400")
    case 0x4400: fill("0C191000001C402E407F2E400A0000")
    case 0x4500: fill("5123000000183C2D367F21341E0000")
    case 0x4600: fill("53380000001C402E407F28400A4000")
    case 0x4700: fill("4C502005001C402E407F28400A0000")
    case 0x4800: fill("086F4A68001C402E40400601400000")
    case 0x4808: fill("086F4A6C001C402E40400501040000")
    case 0x4900: fill("2814483530002B4A0A7F7800000000")
    case 0x4A00: fill("1D18442D370029480A7F6800000000")
    case 0x4B00: fill("2701303700000000007F7000000000")
    case 0x4C00: fill("46223C0A461C2E00007F0000000000")
    case 0x4D00: fill("1C462E4600000000007F22400A0000")
    case 0x4E00: fill("46382719001C422E407F0000000000")
    case 0x5000: fill("40004A36400000000040017F7F7F00")
    case 0x5001: fill("4132433D570000000020017F7F7F00")
    case 0x5100: fill("2C1E300000000000007F0000000000")
    case 0x5200: fill("24001E00001C422E407F0000000000")
    case 0x5208: fill("44123C00001C422E407F0000000000")
    case 0x5300: fill("0602640460000000007F0000000000")
    case 0x5E00: fill("023C0636050A0101007F0000000001")
    default: return false
    }
    return true
  }

  @_noAllocation @_noLocks
  private mutating func fill(
    _ firstSeven: (Int, Int, Int, Int, Int, Int, Int), mix: Int
  ) {
    (self[1], self[2], self[3], self[4], self[5], self[6], self[7]) = firstSeven
    self[10] = mix
  }

  var xgPlan: EffectPlan? {
    @_noAllocation @_noLocks
    get {
      var plan = EffectPlan()
      switch kind {
      // None and thru.
      case 0x00, 0x40: return plan
      case 0x05...0x08: addEchoes(to: &plan)
      case 0x41...0x48: addMotion(to: &plan)
      case 0x49...0x4B, 0x51, 0x53: addDrive(to: &plan)
      case 0x4C, 0x4D: addBands(to: &plan)
      case 0x4E, 0x52: addWah(to: &plan)
      case 0x50: addShift(to: &plan)
      case 0x5E: addRough(to: &plan)
      default: return nil
      }
      if (0x41...0x48).contains(kind) || kind == 0x4E || kind == 0x52 {
        addShelves(to: &plan, low: 6, high: 8)
      }
      return plan
    }
  }

  private var mix: Float {
    @_noAllocation @_noLocks
    get { EffectValue.xgMix(self[10]) }
  }

  /// Adds two shelves and, after chorus-like effects, a peak, if any of them is active.
  @_noAllocation @_noLocks
  private func addShelves(to plan: inout EffectPlan, low: Int, high: Int) {
    let gains = (EffectValue.gain(self[low &+ 1]), EffectValue.gain(self[high &+ 1]))
    let peak = kind <= 0x47 ? EffectValue.gain(self[12]) : 0
    guard gains.0 != 0 || gains.1 != 0 || peak != 0 else { return }
    plan.add(.equalizer)
    plan.setShelves(
      EffectValue.xgHertz(self[low]), gains.0, EffectValue.xgHertz(self[high]), gains.1)
    if peak != 0 { plan.setBand(1, EffectValue.xgHertz(self[11]), peak, Self.width(self[13])) }
  }

  @_noAllocation @_noLocks
  private func addEchoes(to plan: inout EffectPlan) {
    switch kind {
    case 0x05:
      // A separate, silent tap feeds the line.
      plan.add(.tapDelay)
      plan.setTap(0, EffectValue.xgDelay(self[4]), 0, 0)
      plan.setTap(1, EffectValue.xgDelay(self[1]), 1, -1)
      plan.setTap(2, EffectValue.xgDelay(self[2]), 1, 1)
      plan.setTap(3, EffectValue.xgDelay(self[3]), EffectValue.part(self[6]), 0)
      plan.set(.tapDelay, 12, EffectValue.xgFeedback(self[5]))
      plan.set(.tapDelay, 13, EffectValue.xgDamping(self[7]))
      plan.set(.tapDelay, 14, 20_000)
      plan.set(.tapDelay, 15, mix)
    case 0x06:
      addSides(to: &plan, 1, 2, EffectValue.xgFeedback(self[5]), damping: 6, isCrossed: false)
    case 0x07:
      addSides(to: &plan, 1, 3, EffectValue.xgFeedback(self[2]), damping: 5, isCrossed: false)
    default:
      addSides(to: &plan, 1, 2, EffectValue.xgFeedback(self[3]), damping: 5, isCrossed: true)
    }
  }

  @_noAllocation @_noLocks
  private func addSides(
    to plan: inout EffectPlan, _ left: Int, _ right: Int, _ feedback: Float, damping: Int,
    isCrossed: Bool
  ) {
    plan.setSides(
      EffectValue.xgDelay(self[left]), EffectValue.xgDelay(self[right]), 64,
      isCrossed: isCrossed, damping: EffectValue.xgDamping(self[damping]), mix: mix)
    plan.set(.crossDelay, 2, feedback)
  }

  @_noAllocation @_noLocks
  private func addMotion(to plan: inout EffectPlan) {
    let hertz = EffectValue.xgRate(self[1])
    switch kind {
    case 0x41, 0x42, 0x44:
      let unit: ModuleUnit = kind == 0x44 ? .hexaChorus : .chorus
      plan.setChorus(
        unit, EffectValue.xgOffset(self[kind == 0x44 ? 3 : 4]), hertz, self[2], mix: mix)
      if kind != 0x44 { plan.set(unit, 3, EffectValue.xgFeedback(self[3])) }
    case 0x43:
      plan.setFlanger(EffectValue.xgOffset(self[4]), hertz, self[2], 64, mix: mix)
      plan.set(.flanger, 3, EffectValue.xgFeedback(self[3]))
    case 0x45:
      plan.add(.rotary)
      plan.set(.rotary, 0, 0)
      plan.set(.rotary, 1, hertz)
      plan.set(.rotary, 2, hertz)
      plan.set(.rotary, 5, hertz * 0.9)
      plan.set(.rotary, 6, hertz * 0.9)
      plan.set(.rotary, 9, EffectValue.part(self[2]))
      plan.set(.rotary, 10, mix)
    case 0x46, 0x47:
      plan.add(.tremolo)
      plan.set(.tremolo, 0, hertz)
      plan.set(.tremolo, 1, EffectValue.part(self[2]))
      plan.set(.tremolo, 2, 2)
      let phase = min(1, Float(abs(self[14] &- 64)) / 60)
      plan.set(.tremolo, 3, kind == 0x47 ? 1 : phase)
    default:
      plan.add(.phaser)
      plan.set(.phaser, 0, hertz)
      plan.set(.phaser, 1, EffectValue.part(self[2]))
      plan.set(.phaser, 2, 200 + EffectValue.part(self[3]) * 3000)
      plan.set(.phaser, 3, min(0.9, abs(EffectValue.xgFeedback(self[4]))))
      plan.set(.phaser, 5, mix * 0.5)
    }
  }

  @_noAllocation @_noLocks
  private func addDrive(to plan: inout EffectPlan) {
    switch kind {
    case 0x51:
      plan.add(.enhancer)
      plan.set(.enhancer, 0, EffectValue.xgHertz(self[1]))
      plan.set(.enhancer, 1, EffectValue.part(self[2]) * 30)
      plan.set(.enhancer, 2, EffectValue.part(self[3]))
    case 0x53:
      plan.add(.compressor)
      plan.set(.compressor, 0, Float(min(121, max(79, self[3])) &- 127))
      plan.set(.compressor, 1, Self.ratio(self[4]))
      plan.set(.compressor, 2, 0.001 + Float(min(19, self[1])) * 0.002)
      plan.set(.compressor, 3, 0.01 + Float(min(15, self[2])) * 0.0447)
      plan.set(.compressor, 5, 0)
      plan.level = EffectValue.part(self[5]) * 2
    default:
      let isAmplifier = kind == 0x4B
      plan.setDrive(
        kind == 0x49, EffectValue.part(self[1]),
        tone: EffectValue.xgHertz(self[isAmplifier ? 3 : 4]), mix: mix)
      plan.level = EffectValue.part(self[isAmplifier ? 4 : 5]) * 2
      guard !isAmplifier else { return }
      plan.add(.equalizer)
      plan.setShelves(EffectValue.xgHertz(self[2]), EffectValue.gain(self[3]), 8000, 0)
      plan.setBand(
        1, EffectValue.xgHertz(self[7]), EffectValue.gain(self[8]), Self.width(self[9]))
    }
  }

  /// The ratios of XG's compressor.
  @_noAllocation @_noLocks
  private static func ratio(_ value: Int) -> Float {
    switch value {
    case ...0: 1
    case 1: 1.5
    case 2: 2
    case 3: 3
    case 4: 5
    case 5: 7
    case 6: 10
    default: 20
    }
  }

  /// Converts tenths to a Q of 1…12.
  @_noAllocation @_noLocks
  private static func width(_ value: Int) -> Float { Float(min(120, max(10, value))) / 10 }

  @_noAllocation @_noLocks
  private func addBands(to plan: inout EffectPlan) {
    plan.add(.equalizer)
    if kind == 0x4D {
      plan.setShelves(
        EffectValue.xgHertz(self[1]), EffectValue.gain(self[2]), EffectValue.xgHertz(self[3]),
        EffectValue.gain(self[4]))
    } else {
      plan.setShelves(
        EffectValue.xgHertz(self[6]), EffectValue.gain(self[1]), EffectValue.xgHertz(self[7]),
        EffectValue.gain(self[5]))
      plan.setBand(
        1, EffectValue.xgHertz(self[2]), EffectValue.gain(self[3]), Self.width(self[4]))
    }
  }

  @_noAllocation @_noLocks
  private func addWah(to plan: inout EffectPlan) {
    let isTouched = kind == 0x52
    plan.add(.wah)
    plan.set(.wah, 0, 100 + EffectValue.part(self[isTouched ? 2 : 3]) * 2000)
    plan.set(.wah, 1, isTouched ? EffectValue.part(self[1]) : 0)
    plan.set(.wah, 2, Float(max(1, self[isTouched ? 3 : 4])) / 10)
    plan.set(.wah, 3, isTouched ? 1 : EffectValue.xgRate(self[1]))
    plan.set(.wah, 4, isTouched ? 0 : EffectValue.part(self[2]))
    plan.set(.wah, 5, 1)
    plan.set(.wah, 6, 1)
    plan.set(.wah, 7, mix)
  }

  @_noAllocation @_noLocks
  private func addShift(to plan: inout EffectPlan) {
    plan.add(.pitchShift)
    for voice in 0..<2 {
      // Cents, −50…50.
      let fine = Float(min(50, max(-50, self[3 &+ voice] &- 64))) / 100
      plan.set(.pitchShift, voice &* 3, Float(min(24, max(-24, self[1] &- 64))) + fine)
      plan.set(.pitchShift, voice &* 3 &+ 1, EffectValue.part(self[12 &+ 2 &* voice]))
      plan.set(.pitchShift, voice &* 3 &+ 2, EffectValue.pan(self[11 &+ 2 &* voice]))
    }
    plan.set(.pitchShift, 6, Float(min(127, self[2])) * 0.0031)
    plan.set(.pitchShift, 7, EffectValue.xgFeedback(self[5]))
    plan.set(.pitchShift, 8, mix)
  }

  @_noAllocation @_noLocks
  private func addRough(to plan: inout EffectPlan) {
    plan.add(.loFi)
    // The rate is divided by the value plus one; the word length is reduced by the value.
    plan.set(.loFi, 0, 44_100 / Float(1 &+ min(127, self[1])))
    plan.set(.loFi, 1, max(2, 16 - EffectValue.part(self[2]) * 12))
    plan.set(.loFi, 2, EffectValue.xgHertz(self[4]))
    plan.set(.loFi, 3, mix)
  }
}
