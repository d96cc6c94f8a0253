// SPDX-License-Identifier: Apache-2.0
internal import CSoundFontVoices

/// The sources of modulators that are not controllers.
///
/// Source: SoundFont 2.04, section 8.2.1.
enum SourceIndex {
  static var velocity: Int { @_noAllocation @_noLocks get { 2 } }
  static var key: Int { @_noAllocation @_noLocks get { 3 } }
  static var keyPressure: Int { @_noAllocation @_noLocks get { 10 } }
  static var pressure: Int { @_noAllocation @_noLocks get { 13 } }
  static var bend: Int { @_noAllocation @_noLocks get { 14 } }
  static var bendRange: Int { @_noAllocation @_noLocks get { 16 } }
}

// Effects of modulators on generators.
extension VoiceSynth {
  /// Computes the effect of a source of the note or channel, for all voices of a channel.
  @_noAllocation @_noLocks
  mutating func modulate(_ channel: Int, _ source: Int) {
    for place in 0..<table.bound where isOn(channel, place) {
      modulate(place, isController: false, source)
    }
  }

  /// Computes the effect of a source for the voices of one key.
  @_noAllocation @_noLocks
  mutating func modulate(_ channel: Int, key: UInt8, _ source: Int) {
    for place in 0..<table.bound
    where unsafe table.marks[place].key == key && isOn(channel, place) {
      modulate(place, isController: false, source)
    }
  }

  /// Computes the effect of a controller for all voices of a channel.
  @_noAllocation @_noLocks
  mutating func modulate(_ channel: Int, controller: UInt8) {
    for place in 0..<table.bound where isOn(channel, place) {
      modulate(place, isController: true, Int(controller))
    }
  }

  /// Computes the generators of a voice that depend on a source; below 0, on any source.
  @_noAllocation @_noLocks
  mutating func modulate(_ place: Int, isController: Bool, _ source: Int) {
    let region = unsafe table.voices[place].region
    let count = unsafe Int(region.pointee.modulatorCount)
    let modulators = unsafe region.pointee.modulators
    var done: UInt64 = 0
    for index in 0..<count {
      let modulator = unsafe modulators[index]
      let target = Int(modulator.generator)
      guard target < Generator.count, done >> UInt64(target) & 1 == 0,
        source < 0 || Self.has(modulator, isController, source)
      else { continue }
      done |= 1 << UInt64(target)
      var sum = 0.0
      for other in 0..<count where unsafe Int(modulators[other].generator) == target {
        sum += unsafe value(of: modulators[other], place)
      }
      unsafe table.voices[place].sums[target] = sum
      update(place, target)
    }
  }

  @_noAllocation @_noLocks
  private static func has(_ modulator: Modulator, _ isController: Bool, _ source: Int) -> Bool {
    let wanted = UInt16(truncatingIfNeeded: source) | (isController ? 0x80 : 0)
    return modulator.source & 0xFF == wanted || modulator.amountSource & 0xFF == wanted
  }

  /// The lowest attenuation of a voice that controllers can cause, in centibels.
  @_noAllocation @_noLocks
  func leastAttenuation(of place: Int) -> Double {
    var left = unsafe table.controls[place].attenuation
    let region = unsafe table.voices[place].region
    for index in 0..<Int(unsafe region.pointee.modulatorCount) {
      let modulator = unsafe region.pointee.modulators[index]
      guard Int(modulator.generator) == Generator.attenuation,
        Self.changes(modulator.source) || Self.changes(modulator.amountSource)
      else { continue }
      let isBipolar = (modulator.source | modulator.amountSource) & 0x200 != 0
      let least = isBipolar || modulator.amount < 0 ? -Double(abs(modulator.amount)) : 0
      let current = value(of: modulator, place)
      if current > least { left -= current - least }
    }
    return max(-boost(of: place), left)
  }

  /// True if a source can change while a note sounds.
  @_noAllocation @_noLocks
  private static func changes(_ source: UInt16) -> Bool {
    if source & 0x80 != 0 { return true }
    let index = Int(source & 0x7F)
    return index == SourceIndex.keyPressure || index == SourceIndex.pressure
      || index == SourceIndex.bend
  }

  /// The current value of a modulator: its amount multiplied by both sources.
  ///
  /// A modulator without a source has the value 0, and so does one with a transform.
  @_noAllocation @_noLocks
  func value(of modulator: Modulator, _ place: Int) -> Double {
    guard modulator.transform == 0, modulator.source & 0x7F != 0 else { return 0 }
    // The standard's modulator from velocity to filter, which other synthesisers ignore too.
    if modulator.source == 0x102, modulator.amountSource == 0xC02,
      Int(modulator.generator) == Generator.cutoff
    {
      return 0
    }
    var first = reading(of: modulator.source, place)
    if modulator.source == Self.wheel, Int(modulator.generator) == Generator.vibratoToPitch {
      first *= unsafe Double(
        channels[Int(table.marks[place].channel & 0x0F)].wheelRange / SynthChannel.usualWheelRange)
    }
    guard first != 0, modulator.amountSource & 0x7F != 0 else {
      return Double(modulator.amount) * first
    }
    return Double(modulator.amount) * first * reading(of: modulator.amountSource, place)
  }

  /// The modulation wheel, as in the standard's modulator.
  ///
  /// RPN 5 sets the range of its vibrato.
  private static var wheel: UInt16 {
    @_noAllocation @_noLocks
    get { 0x081 }
  }

  /// The value of a source, from 0 or −1 to 1, with its curve applied.
  @_noAllocation @_noLocks
  private func reading(of source: UInt16, _ place: Int) -> Double {
    let index = Int(source & 0x7F)
    let isBend = source & 0x80 == 0 && index == SourceIndex.bend
    let value = Double(raw(source, index, place))
    let part = value / (isBend ? 16_384 : 128)
    // A curve reaches its end at the highest value (SoundFont 2.04, 9.5.3).
    let step = isBend ? value * (127.0 / 16_383) : value
    let isFalling = source & 0x100 != 0
    let isBipolar = source & 0x200 != 0
    switch (source >> 10, isBipolar) {
    case (0, false): return isFalling ? 1 - part : part
    case (0, true): return isFalling ? 1 - 2 * part : -1 + 2 * part
    case (1, false): return unsafe cvoices_concave(tables, isFalling ? 127 - step : step)
    case (2, false): return unsafe cvoices_convex(tables, isFalling ? 127 - step : step)
    case (1, true), (2, true):
      let way = 254 * (part > 0.5 ? part - 0.5 : 0.5 - part)
      let height =
        unsafe source >> 10 == 1 ? cvoices_concave(tables, way) : cvoices_convex(tables, way)
      return (part > 0.5) == isFalling ? -height : height
    case (3, false): return (part >= 0.5) == isFalling ? 0 : 1
    case (3, true): return (part >= 0.5) == isFalling ? -1 : 1
    default: return 0
    }
  }

  /// The received value of a source.
  @_noAllocation @_noLocks
  private func raw(_ source: UInt16, _ index: Int, _ place: Int) -> Int {
    let mark = unsafe table.marks[place]
    let channel = Int(mark.channel & 0x0F)
    if source & 0x80 != 0 {
      let value = unsafe channels[channel].controllers[index]
      return index == 84 && value == HeldKeys.none ? 0 : Int(value)
    }
    switch index {
    case SourceIndex.velocity: return velocity(of: place)
    case SourceIndex.key: return actualKey(of: place)
    case SourceIndex.keyPressure: return unsafe Int(channels[channel].keyPressures[Int(mark.key)])
    case SourceIndex.pressure: return unsafe Int(channels[channel].pressure)
    case SourceIndex.bend: return unsafe Int(channels[channel].bend)
    case SourceIndex.bendRange: return unsafe Int(channels[channel].bendRange)
    default: return 0
    }
  }
}
