// SPDX-License-Identifier: Apache-2.0

/// The effect types of GS.
///
/// Parameter n is at address 40 03, n + 2.
///
/// Sources: names, order and ranges of the parameters are from the Roland SC-88Pro and SC-8850
/// owner's manuals, EFX list. The initial values of types, the delay times that each uses, and the
/// curves of level and balance were measured on a Roland SC-8850, which has the same types
/// (github.com/libraz/libsonare, `tools/gs`). Three values were not measured and are ours (80): the
/// feedback of 01 51, 02 09 and 02 0A. If neither source gives a level, depth or width inside an
/// effect, it is ours; so is the acceleration of the rotary speaker.
extension ModuleEffect {
  /// Sets the initial values of the type.
  ///
  /// Balance, both gains, pan and level are parameters 16 to 20.
  @_noAllocation @_noLocks
  mutating func fillGS() {
    switch type {
    case 0x0100: fill("014501344800483800380000000000000000007F")
    case 0x0101: fill("3C414346423F3C3B02000000000000000000407F")
    case 0x0102: fill("407F00000000000000000000000000004340007F")
    case 0x0110: fill("3001010000000000000000000000000040404060")
    case 0x0111: fill("4C03010000000000000000000000000040384054")
    case 0x0120: fill("241040107F000000000000000000000040400068")
    case 0x0121: fill("0100443E28480100000000000000000040404060")
    case 0x0122: fill("0671187F1178584060000000000000004040007F")
    case 0x0123: fill("0000100B18685A00000000000000004040400068")
    case 0x0124: fill("0A055F4F5A360000000000000000004040400060")
    case 0x0125: fill("013C60000000000000000000000000004040007F")
    case 0x0126: fill("013C60000000000000000000000000004040007F")
    case 0x0130: fill("4864000000000000000000000000000040404068")
    case 0x0131: fill("550310000000000000000000000000004040407F")
    case 0x0140: fill("18087F0542100000000000000000004040400070")
    case 0x0141: fill("100828283C600000000000000000007F4040007F")
    case 0x0142: fill("00000A086F005A00000000000000004040400068")
    case 0x0143: fill("20087F5A00000000000000000000004040400060")
    case 0x0144: fill("0A08480000000000000000000000004040400050")
    case 0x0150: fill("657458010000007F00000000000000304040007F")
    case 0x0151: fill("5A6C50010C155A7F00000000000000284040007F")
    case 0x0152: fill("140007507F7F7F7F00000000000000304040007F")
    case 0x0153: fill("3C1428007F7F7F7F507F0000000000304040007F")
    case 0x0154: fill("3C50507F4000000000000000000000304040007F")
    case 0x0157: fill("746A6E502840407F00000000000000304040007F")
    case 0x0160: fill("473E007F3B42000002400000000000304040005F")
    case 0x0161: fill("4740545F024000000000000000000040403A007F")
    case 0x0172: fill("0105010000000000000000000000007F4040407F")
    case 0x0173: fill("0101240040017F00007F00007F00017F4040407F")
    case 0x0200: fill("30400100000A0848004000000000000040400050")
    case 0x0201: fill("3040010000100B28682000000000000040400050")
    case 0x0202: fill("30400100006F507F003000000000000040400050")
    case 0x0203: fill("30400100000A0848004000000000000040400048")
    case 0x0204: fill("30400100000B0B18682000000000000040400048")
    case 0x0205: fill("30400100006F507F003000000000000040400048")
    case 0x0206: fill("407F000000400865004000000000000040400050")
    case 0x0207: fill("407F000000100B18683000000000000040400060")
    case 0x0208: fill("407F0000006F507F003000000000000040400058")
    case 0x0209: fill("0A097800406F507F00300000000000004040007F")
    case 0x020A: fill("100B1868406F507F00300000000000004040007F")
    case 0x020B: fill("0A08780040100B18684000000000000040400070")
    default: fill("000000000000000000000000000000404040407F")
    }
  }

  var gsPlan: EffectPlan? {
    @_noAllocation @_noLocks
    get {
      var plan = EffectPlan()
      let isKnown =
        switch type >> 4 {
        case 0x00: type == 0
        case 0x10, 0x11, 0x13, 0x17: addColour(to: &plan)
        case 0x12: addModulation(to: &plan)
        case 0x14: addChorus(to: &plan)
        case 0x15: addDelay(to: &plan)
        case 0x16: addPitch(to: &plan)
        case 0x20: addPair(to: &plan)
        default: false
        }
      guard isKnown else { return nil }
      guard type != 0 else { return plan }
      addGains(to: &plan)
      plan.level *= EffectValue.level(self[20])
      return plan
    }
  }

  /// Adds the shelves that follow most effects, and the pan of those that have one.
  @_noAllocation @_noLocks
  private func addGains(to plan: inout EffectPlan) {
    switch type {
    case 0x0101, 0x0110, 0x0111, 0x0121, 0x0130, 0x0131: plan.pan = EffectValue.pan(self[19])
    default: break
    }
    guard type != 0x0100, type != 0x0101 else { return }
    let (low, high) = (EffectValue.gain(self[17]), EffectValue.gain(self[18]))
    guard low != 0 || high != 0 else { return }
    plan.add(.equalizer)
    plan.setShelves(200, low, 4000, high)
  }

  /// The mix for a balance parameter.
  ///
  /// Its gain becomes part of the level.
  @_noAllocation @_noLocks
  private func mix(_ parameter: Int, in plan: inout EffectPlan) -> Float {
    let balance = EffectValue.balance(self[parameter])
    plan.level *= balance.gain
    return balance.mix
  }

  // MARK: Filters, amplifiers, levels

  @_noAllocation @_noLocks
  private func addColour(to plan: inout EffectPlan) -> Bool {
    switch type {
    case 0x0100:
      plan.add(.equalizer)
      plan.setBand(0, self[1] == 0 ? 200 : 400, EffectValue.gain(self[2]), 0.70710678)
      plan.setBand(
        1, EffectValue.equalizer(self[5]), EffectValue.gain(self[7]), EffectValue.quality(self[6]))
      plan.setBand(
        2, EffectValue.equalizer(self[8]), EffectValue.gain(self[10]), EffectValue.quality(self[9]))
      plan.setBand(3, self[3] == 0 ? 4000 : 8000, EffectValue.gain(self[4]), 0.70710678)
    case 0x0101:
      plan.add(.spectrum)
      for band in 0..<8 {
        plan.set(.spectrum, band &* 3, Self.spectrum(band))
        plan.set(.spectrum, band &* 3 &+ 1, EffectValue.gain(self[band &+ 1]))
        plan.set(.spectrum, band &* 3 &+ 2, EffectValue.quality(self[9]))
      }
    case 0x0102: plan.setEnhancer(self[1], self[2])
    case 0x0110, 0x0111: addDrive(to: &plan, isDistortion: type == 0x0111)
    case 0x0130: plan.setCompressor(attack: self[1], sustain: self[2], gain: self[3])
    case 0x0131:
      plan.add(.compressor)
      plan.set(.compressor, 0, -40 * (1 - EffectValue.part(self[1])))
      plan.set(.compressor, 1, self[2] == 0 ? 1.5 : self[2] == 1 ? 2 : self[2] == 2 ? 4 : 100)
      plan.set(.compressor, 2, 0.001)
      plan.set(.compressor, 3, 0.01 + EffectValue.part(self[3]))
      plan.set(.compressor, 5, Float(min(3, self[4])) * 6)
    case 0x0172, 0x0173:
      plan.add(.loFi)
      let isFirst = type == 0x0172
      let step = Float(min(8, isFirst ? self[2] : self[1]))
      plan.set(.loFi, 0, 32_000 / (1 + step))
      plan.set(.loFi, 1, 12 - step * 0.75)
      let open: Float = 20_000
      let second = self[2] == 1 ? EffectValue.cutoff(self[3]) : open
      plan.set(.loFi, 2, isFirst ? 12_000 - Float(min(5, self[3])) * 2000 : second)
      plan.set(.loFi, 3, mix(16, in: &plan))
    default: return false
    }
    return true
  }

  /// The frequencies of the spectrum's bands, in hertz.
  @_noAllocation @_noLocks
  private static func spectrum(_ band: Int) -> Float {
    switch band {
    case 0: 250
    case 1: 500
    case 2: 1000
    case 3: 1250
    case 4: 2000
    case 5: 3150
    case 6: 4000
    default: 8000
    }
  }

  /// Adds an amplifier with its drive (parameter 1), its type and its switch, which are
  /// consecutive.
  @_noAllocation @_noLocks
  private func addDrive(to plan: inout EffectPlan, isDistortion: Bool, amplifier: Int = 2) {
    let (kind, isOn) = (self[amplifier], self[amplifier &+ 1] != 0)
    plan.setDrive(
      isDistortion, EffectValue.part(self[1]),
      tone: isOn ? 7000 - Float(min(3, kind)) * 1000 : 12_000)
  }

  // MARK: Modulation

  @_noAllocation @_noLocks
  private func addModulation(to plan: inout EffectPlan) -> Bool {
    switch type {
    case 0x0120:
      plan.add(.phaser)
      plan.set(.phaser, 0, EffectValue.rate(self[2]))
      plan.set(.phaser, 1, EffectValue.part(self[3]))
      plan.set(.phaser, 2, EffectValue.manual(self[1]))
      plan.set(.phaser, 3, EffectValue.part(self[4]) * 0.9)
      plan.set(.phaser, 5, EffectValue.part(self[5]) * 0.5)
    case 0x0121:
      plan.add(.wah)
      plan.set(.wah, 0, EffectValue.manual(self[3]))
      plan.set(.wah, 1, EffectValue.part(self[2]))
      plan.set(.wah, 2, 0.7 + EffectValue.part(self[4]) * 10)
      plan.set(.wah, 3, EffectValue.rate(self[5]))
      plan.set(.wah, 4, EffectValue.part(self[6]))
      plan.set(.wah, 5, self[7] == 0 ? -1 : 1)
      plan.set(.wah, 6, self[1] == 0 ? 0 : 1)
    case 0x0122: addRotary(to: &plan)
    case 0x0123:
      let mix = mix(16, in: &plan)
      plan.setFlanger(
        EffectValue.preDelay(self[3]), EffectValue.rate(self[4]), self[5], self[6],
        mix: mix)
      plan.set(.flanger, 4, EffectValue.phase(self[7]))
      addFilter(to: &plan)
    case 0x0124:
      let mix = mix(16, in: &plan)
      plan.setFlanger(
        EffectValue.preDelay(self[1]), EffectValue.rate(self[2]), self[3], self[4],
        mix: mix)
      plan.set(.flanger, 4, EffectValue.phase(self[5]))
      plan.set(.flanger, 5, EffectValue.rate(self[6]))
    case 0x0125, 0x0126:
      plan.add(.tremolo)
      plan.set(.tremolo, 0, EffectValue.rate(self[2]))
      plan.set(.tremolo, 1, EffectValue.part(self[3]))
      plan.set(.tremolo, 2, Float(min(4, self[1])))
      plan.set(.tremolo, 3, type == 0x0126 ? 1 : 0)
    default: return false
    }
    return true
  }

  @_noAllocation @_noLocks
  private func addRotary(to plan: inout EffectPlan) {
    plan.add(.rotary)
    plan.set(.rotary, 0, self[11] == 0 ? 0 : 1)
    plan.set(.rotary, 1, EffectValue.rate(self[5]))
    plan.set(.rotary, 2, EffectValue.rate(self[6]))
    plan.set(.rotary, 3, EffectValue.acceleration(self[7]))
    plan.set(.rotary, 4, EffectValue.part(self[8]))
    plan.set(.rotary, 5, EffectValue.rate(self[1]))
    plan.set(.rotary, 6, EffectValue.rate(self[2]))
    plan.set(.rotary, 7, EffectValue.acceleration(self[3]))
    plan.set(.rotary, 8, EffectValue.part(self[4]))
    plan.set(.rotary, 9, EffectValue.part(self[9]))
    plan.set(.rotary, 10, 1)
  }

  /// Adds the filter of a stereo flanger or chorus as a shelf.
  ///
  /// It filters dry and wet sound, not only wet sound.
  @_noAllocation @_noLocks
  private func addFilter(to plan: inout EffectPlan) {
    guard self[1] != 0 else { return }
    plan.add(.equalizer)
    let hertz = EffectValue.cutoff(self[2])
    let isLow = self[1] == 1
    plan.setShelves(
      isLow ? 200 : hertz, isLow ? 0 : -6, isLow ? hertz : 4000, isLow ? -6 : 0)
  }

  @_noAllocation @_noLocks
  private func addChorus(to plan: inout EffectPlan) -> Bool {
    let mix = mix(16, in: &plan)
    switch type {
    case 0x0140:
      plan.setChorus(
        .hexaChorus, EffectValue.preDelay(self[1]), EffectValue.rate(self[2]), self[3], mix: mix)
    case 0x0141:
      plan.setChorus(
        .chorus, EffectValue.preDelay(self[1]), EffectValue.rate(self[2]), self[3], mix: mix)
      plan.add(.tremolo)
      plan.set(.tremolo, 0, EffectValue.rate(self[5]))
      plan.set(.tremolo, 1, EffectValue.part(self[6]))
      plan.set(.tremolo, 2, 2)
      plan.set(.tremolo, 3, EffectValue.phase(self[4]))
    case 0x0142:
      plan.setChorus(
        .chorus, EffectValue.preDelay(self[3]), EffectValue.rate(self[4]), self[5], mix: mix)
      plan.set(.chorus, 4, EffectValue.phase(self[7]))
      addFilter(to: &plan)
    case 0x0143, 0x0144:
      plan.setChorus(
        .chorus, EffectValue.preDelay(self[1]), EffectValue.rate(self[2]), self[3], mix: mix)
      plan.set(.chorus, 4, type == 0x0143 ? EffectValue.phase(self[4]) : 1)
    default: return false
    }
    return true
  }

  // MARK: Delays

  @_noAllocation @_noLocks
  private func addDelay(to plan: inout EffectPlan) -> Bool {
    let mix = mix(16, in: &plan)
    switch type {
    case 0x0150, 0x0151:
      plan.setSides(
        EffectValue.shortDelay(self[1]), EffectValue.shortDelay(self[2]), self[3],
        isCrossed: self[4] != 0, damping: EffectValue.damping(self[8]), mix: mix)
      let isModulated = type == 0x0151
      plan.set(.crossDelay, 5, isModulated ? EffectValue.rate(self[5]) : 0.5)
      plan.set(.crossDelay, 6, isModulated ? EffectValue.part(self[6]) * 0.004 : 0)
      plan.set(.crossDelay, 7, !isModulated && self[5] != 0 ? -1 : 1)
      plan.set(.crossDelay, 8, !isModulated && self[6] != 0 ? -1 : 1)
    case 0x0152, 0x0157:
      plan.add(.tapDelay)
      for tap in 0..<3 {
        let time = self[tap &+ 1]
        let seconds =
          type == 0x0152 ? EffectValue.longDelay(time) : EffectValue.shortDelay(time)
        let pan: Float = tap == 0 ? 0 : tap == 1 ? -1 : 1
        plan.setTap(tap, seconds, EffectValue.part(self[tap &+ 5]), pan)
      }
      plan.setTap(3, 0.5, 0, 0)
      plan.setLine(self[4], damping: EffectValue.damping(self[8]), mix: mix)
    case 0x0153:
      plan.add(.tapDelay)
      for tap in 0..<4 {
        // The pans in the manual: centre, left, right, centre.
        let pan: Float = tap == 1 ? -1 : tap == 2 ? 1 : 0
        plan.setTap(
          tap, EffectValue.longDelay(self[tap &+ 1]), EffectValue.part(self[tap &+ 5]), pan)
      }
      plan.setLine(self[9], damping: EffectValue.damping(self[10]), mix: mix)
    case 0x0154:
      plan.add(.tapDelay)
      plan.setTap(0, EffectValue.movableDelay(self[1]), 1, EffectValue.pan(self[5]))
      for tap in 1..<4 { plan.setTap(tap, 0.5, 0, 0) }
      plan.setLine(self[3], damping: EffectValue.damping(self[4]), mix: mix)
    default: return false
    }
    return true
  }

  @_noAllocation @_noLocks
  private func addPitch(to plan: inout EffectPlan) -> Bool {
    switch type {
    case 0x0160:
      let balance = EffectValue.part(self[10])
      plan.add(.pitchShift)
      plan.setVoice(
        0, coarse: self[1], fine: self[2], level: min(1, 2 - 2 * balance), pan: self[4])
      plan.setVoice(
        1, coarse: self[5], fine: self[6], level: min(1, 2 * balance), pan: self[8])
      plan.set(.pitchShift, 6, EffectValue.preDelay(self[3]))
      plan.set(.pitchShift, 7, 0)
    case 0x0161:
      plan.add(.pitchShift)
      plan.setVoice(0, coarse: self[1], fine: self[2], level: 1, pan: self[6])
      plan.setVoice(1, coarse: 64, fine: 64, level: 0, pan: 64)
      plan.set(.pitchShift, 6, EffectValue.preDelay(self[4]))
      plan.set(.pitchShift, 7, EffectValue.feedback(self[3]))
    default: return false
    }
    plan.set(.pitchShift, 8, mix(16, in: &plan))
    return true
  }

  // MARK: Pairs

  /// Adds two effects in series: the first has parameters 1 to 5, the second 6 to 10.
  @_noAllocation @_noLocks
  private func addPair(to plan: inout EffectPlan) -> Bool {
    switch type {
    case 0x0200...0x0205:
      // The pan of the amplifier, parameter 2, precedes its type.
      addDrive(to: &plan, isDistortion: type >= 0x0203, amplifier: 3)
      plan.pan = EffectValue.pan(self[2])
    case 0x0206...0x0208: plan.setEnhancer(self[1], self[2])
    case 0x0209, 0x020B: addVoices(to: &plan, 1)
    case 0x020A: addComb(to: &plan, 1)
    default: return false
    }
    switch type {
    case 0x0200, 0x0203, 0x0206: addVoices(to: &plan, 6)
    case 0x0201, 0x0204, 0x0207, 0x020B: addComb(to: &plan, 6)
    default:
      plan.add(.tapDelay)
      plan.setTap(0, EffectValue.shortDelay(self[6]), 1, 0)
      for tap in 1..<4 { plan.setTap(tap, 0.5, 0, 0) }
      plan.setLine(
        self[7], damping: EffectValue.damping(self[8]), mix: mix(10, in: &plan))
    }
    return true
  }

  @_noAllocation @_noLocks
  private func addVoices(to plan: inout EffectPlan, _ first: Int) {
    plan.setChorus(
      .chorus, EffectValue.preDelay(self[first]), EffectValue.rate(self[first &+ 1]),
      self[first &+ 2], mix: mix(first &+ 4, in: &plan))
  }

  @_noAllocation @_noLocks
  private func addComb(to plan: inout EffectPlan, _ first: Int) {
    plan.setFlanger(
      EffectValue.preDelay(self[first]), EffectValue.rate(self[first &+ 1]), self[first &+ 2],
      self[first &+ 3], mix: mix(first &+ 4, in: &plan))
  }
}
