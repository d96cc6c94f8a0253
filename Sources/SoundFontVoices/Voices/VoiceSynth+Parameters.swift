// SPDX-License-Identifier: Apache-2.0
internal import CSoundFontVoices

// The effect of generators on a voice, within the limits of SoundFont 2.04, 8.1.3.
extension VoiceSynth {
  /// Computes the parameters that depend on a generator.
  @_noAllocation @_noLocks
  mutating func update(_ place: Int, _ generator: Int) {
    let control = unsafe table.controls + place
    let amount = table.amount(place, generator)
    switch generator {
    case Generator.pan, Generator.balance:
      let pan = table.amount(place, Generator.pan)
      let balance = table.amount(place, Generator.balance)
      unsafe table.voices[place].gains[0] =
        cvoices_pan(tables, -pan) * (balance > 0 ? cvoices_factor(tables, balance) : 1)
      unsafe table.voices[place].gains[1] =
        cvoices_pan(tables, pan) * (balance < 0 ? cvoices_factor(tables, -balance) : 1)
      setGains(place)
    case Generator.reverbSend, Generator.chorusSend:
      unsafe table.voices[place].gains[generator == Generator.reverbSend ? 2 : 3] =
        Self.clip(amount / 1000, 0, 1)
        * Double(table.voices[place].sendFactors[generator == Generator.reverbSend ? 0 : 1])
      setGains(place)
    case Generator.attenuation:
      let attenuation = Self.clip(amount, -boost(of: place), 1440)
      unsafe control.pointee.former_attenuation = control.pointee.attenuation
      unsafe control.pointee.attenuation = attenuation
      unsafe table.marks[place].loudness = 500 / max(0.1, Float(attenuation))
    case Generator.pitch, Generator.coarseTune, Generator.fineTune:
      unsafe control.pointee.pitch =
        table.amount(place, Generator.pitch)
        + 100 * table.amount(place, Generator.coarseTune)
        + table.amount(place, Generator.fineTune)
    case Generator.cutoff: unsafe control.pointee.cutoff = amount
    case Generator.resonance:
      // Without resonance the filter does not have a peak (−3.01 dB at the cutoff); half of a
      // resonance is subtracted from the level.
      let decibels = Self.clip(amount / 10, 0, 96) - Double(Float(3.01))
      unsafe cvoices_set_resonance(control, decibels)
    case Generator.slowToPitch: unsafe control.pointee.slow_to_pitch = Self.wide(amount)
    case Generator.vibratoToPitch: unsafe control.pointee.vibrato_to_pitch = Self.wide(amount)
    case Generator.modulationToPitch:
      unsafe control.pointee.modulation_to_pitch = Self.wide(amount)
    case Generator.slowToCutoff: unsafe control.pointee.slow_to_filter = Self.wide(amount)
    case Generator.modulationToCutoff:
      unsafe control.pointee.modulation_to_filter = Self.wide(amount)
    case Generator.slowToVolume:
      unsafe control.pointee.slow_to_volume = Self.clip(amount, -960, 960)
    case Generator.slowDelay: unsafe control.pointee.slow.delay = UInt32(rate * delay(amount))
    case Generator.vibratoDelay:
      unsafe control.pointee.vibrato.delay = UInt32(rate * delay(amount))
    case Generator.slowRate: unsafe control.pointee.slow.step = step(amount)
    case Generator.vibratoRate: unsafe control.pointee.vibrato.step = step(amount)
    case 0...4, 12, 45, 50: updatePlaces(place, generator)
    default: updateEnvelopes(place, generator, amount)
    }
  }

  /// The permitted gain above the sample, in centibels; 0 in a soundfont.
  @_noAllocation @_noLocks
  func boost(of place: Int) -> Double {
    unsafe Self.clip(Double(table.voices[place].values[Generator.boost]), 0, 120)
  }

  /// Computes the start and end of the sample, and of its loop.
  @_noAllocation @_noLocks
  private mutating func updatePlaces(_ place: Int, _ generator: Int) {
    let region = unsafe table.voices[place].region
    let control = unsafe table.controls + place
    switch generator {
    case Generator.startOffset, Generator.startCoarseOffset:
      unsafe control.pointee.start = Self.moved(
        region.pointee.start, offset(place, Generator.startOffset, Generator.startCoarseOffset))
    case Generator.endOffset, Generator.endCoarseOffset:
      unsafe control.pointee.end = Self.moved(
        region.pointee.end &- 1, offset(place, Generator.endOffset, Generator.endCoarseOffset))
    case Generator.loopStartOffset, Generator.loopStartCoarseOffset:
      unsafe control.pointee.loop_start = min(
        region.pointee.soundEnd,
        Self.moved(
          region.pointee.loopStart,
          offset(place, Generator.loopStartOffset, Generator.loopStartCoarseOffset)))
    default:
      unsafe control.pointee.loop_end = min(
        region.pointee.soundEnd,
        Self.moved(
          region.pointee.loopEnd,
          offset(place, Generator.loopEndOffset, Generator.loopEndCoarseOffset)
            &+ Int(region.pointee.loopExcess)))
    }
    unsafe control.pointee.is_unchecked = 1
  }

  /// A position with an offset.
  ///
  /// It saturates, so that a voice checks it against the correct end.
  @_noAllocation @_noLocks
  private static func moved(_ place: Int32, _ offset: Int) -> Int32 {
    let sum = Int(place) &+ offset
    return Int32(truncatingIfNeeded: max(Int(Int32.min), min(Int(Int32.max), sum)))
  }

  @_noAllocation @_noLocks
  private func offset(_ place: Int, _ fine: Int, _ coarse: Int) -> Int {
    let frames = Self.clip(table.amount(place, fine), -1e9, 1e9)
    let blocks = Self.clip(table.amount(place, coarse), -32_768, 32_767)
    return Int(frames) &+ 32_768 &* Int(blocks)
  }

  @_noAllocation @_noLocks
  private mutating func updateEnvelopes(_ place: Int, _ generator: Int, _ amount: Double) {
    switch generator {
    case Generator.volumeDelay:
      set(
        CVOICES_DELAY, of: place, isVolume: true, count: UInt32(rate * delay(amount) / 64),
        step: 0, least: -1, most: 1)
    case Generator.volumeAttack:
      let count = 1 &+ UInt32(rate * seconds(amount) / 64)
      set(
        CVOICES_ATTACK, of: place, isVolume: true, count: count,
        step: Double(1 / Float(count)), least: -1, most: 1)
    case Generator.volumeHold, Generator.keyToVolumeHold:
      let count = quanta(place, Generator.volumeHold, Generator.keyToVolumeHold, most: 5000)
      set(CVOICES_HOLD, of: place, isVolume: true, count: count, step: 0, least: -1, most: 2)
    case Generator.volumeDecay, Generator.volumeSustain, Generator.keyToVolumeDecay:
      let count = quanta(place, Generator.volumeDecay, Generator.keyToVolumeDecay, most: 8000)
      setDecay(place, true, count, Generator.volumeSustain)
    case Generator.volumeRelease:
      // At least 16 ms, to avoid a click.
      let count = 1 &+ UInt32(rate * seconds(max(-7200, amount)) / 64)
      set(
        CVOICES_RELEASE, of: place, isVolume: true, count: count,
        step: Double(-1 / Float(count)), least: 0, most: 1)
    case Generator.modulationDelay:
      set(
        CVOICES_DELAY, of: place, isVolume: false, count: UInt32(rate * delay(amount) / 64),
        step: 0, least: -1, most: 1)
    case Generator.modulationAttack:
      let count = 1 &+ UInt32(rate * seconds(amount) / 64)
      set(
        CVOICES_ATTACK, of: place, isVolume: false, count: count,
        step: Double(1 / Float(count)), least: -1, most: 1)
    case Generator.modulationHold, Generator.keyToModulationHold:
      let count = quanta(
        place, Generator.modulationHold, Generator.keyToModulationHold, most: 5000)
      set(CVOICES_HOLD, of: place, isVolume: false, count: count, step: 0, least: -1, most: 2)
    case Generator.modulationDecay, Generator.modulationSustain, Generator.keyToModulationDecay:
      let count = quanta(
        place, Generator.modulationDecay, Generator.keyToModulationDecay, most: 8000)
      setDecay(place, false, count, Generator.modulationSustain)
    case Generator.modulationRelease:
      let count = 1 &+ UInt32(rate * seconds(amount) / 64)
      set(
        CVOICES_RELEASE, of: place, isVolume: false, count: count,
        step: Double(-1 / Float(count)), least: 0, most: 2)
    default: break
    }
  }

  @_noAllocation @_noLocks
  private mutating func setDecay(_ place: Int, _ isVolume: Bool, _ count: UInt32, _ sustain: Int) {
    // The sustain of the volume is in centibels (960 are all), of the modulation in tenths of a
    // percent.
    let fall = table.amount(place, sustain) / (isVolume ? 960 : 1000)
    let step = count > 0 ? Double(-1 / Float(count)) : 0
    set(
      CVOICES_DECAY, of: place, isVolume: isVolume, count: count,
      step: step, least: Self.clip(1 - fall, 0, 1), most: 2)
  }

  @_noAllocation @_noLocks
  private mutating func set(
    _ section: Int, of place: Int, isVolume: Bool, count: UInt32, step: Double, least: Double,
    most: Double
  ) {
    let envelope =
      unsafe isVolume
      ? cvoices_volume(table.controls + place) : cvoices_modulation(table.controls + place)
    unsafe cvoices_set_section(
      envelope, Int32(truncatingIfNeeded: section), count, step, least, most)
  }

  /// The quanta of a hold or decay, rounded.
  ///
  /// Lower keys than 60 lengthen it.
  @_noAllocation @_noLocks
  private func quanta(_ place: Int, _ time: Int, _ byKey: Int, most: Double) -> UInt32 {
    let keys = Double(60 - actualKey(of: place))
    let cents =
      table.amount(place, time) + table.amount(place, byKey) * keys
    if most == 5000, cents <= -32_768 { return 0 }
    return unsafe UInt32(
      rate * cvoices_power(tables, Self.clip(cents, -12_000, most)) / 64 + 0.5)
  }

  /// The change of an oscillator in a quantum; its period is 4.
  @_noAllocation @_noLocks
  private func step(_ cents: Double) -> Double {
    unsafe 256 * cvoices_hertz(tables, Self.clip(cents, -16_000, 4500)) / rate
  }

  /// Converts a delay to seconds.
  @_noAllocation @_noLocks
  private func delay(_ timecents: Double) -> Double {
    unsafe cvoices_power(tables, Self.clip(timecents, -12_000, 5000))
  }

  /// Converts an attack or release to seconds.
  @_noAllocation @_noLocks
  private func seconds(_ timecents: Double) -> Double {
    unsafe cvoices_power(tables, Self.clip(timecents, -12_000, 8000))
  }

  /// Computes the gains from pan, sends and the synthesiser's gain.
  @_noAllocation @_noLocks
  func setGains(_ place: Int) {
    let level = unsafe Double(table.voices[place].level)
    unsafe table.controls[place].level = max(1, level)
    let unit = Double(max(gain, 1e-7)) * level / 32_768
    let targets = unsafe routes[Int(table.marks[place].channel & 0x0F)].hasSends ? 4 : 2
    if targets < 4 {
      unsafe cvoices_aim(table.controls + place, 2, 0)
      unsafe cvoices_aim(table.controls + place, 3, 0)
    }
    for target in 0..<targets {
      unsafe cvoices_aim(
        table.controls + place, Int32(truncatingIfNeeded: target),
        Float(table.voices[place].gains[target] * unit))
    }
  }

  /// Computes the amplitude below which the voice is inaudible: 2·10⁻⁷ of full scale, with the
  /// level of the loop.
  ///
  /// A gain below 0.01 counts as 0.01, because the master volume may rise again.
  @_noAllocation @_noLocks
  func setFloor(_ place: Int) {
    let region = unsafe table.voices[place].region
    let control = unsafe table.controls + place
    let gain = max(gain, 0.01)
    let floor = 2e-7 / Double(gain)
    let isLoopKnown =
      unsafe control.pointee.loop_mode == 1 && region.pointee.noiseFloor > 0
      && control.pointee.loop_start >= region.pointee.loopStart
      && control.pointee.loop_end <= region.pointee.loopEnd
    unsafe control.pointee.floor = floor
    unsafe control.pointee.loop_floor =
      isLoopKnown ? Double(region.pointee.noiseFloor / gain) : floor
  }

  @_noAllocation @_noLocks
  private static func wide(_ cents: Double) -> Double { clip(cents, -12_000, 12_000) }

  @_noAllocation @_noLocks
  private static func clip(_ value: Double, _ least: Double, _ most: Double) -> Double {
    value < least ? least : value > most ? most : value
  }
}
