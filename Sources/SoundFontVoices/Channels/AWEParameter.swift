// SPDX-License-Identifier: Apache-2.0

/// A parameter of the AWE32, set by NRPN 127 with a number 0…26, and its value in the units of a
/// soundfont's generator.
///
/// Sources: SB AWE32 Developer's Information Pack 3.01; measurements of the Audigy for the filter,
/// because the manual states neither its lowest cutoff nor that its steps are even in pitch.
enum AWEParameter {
  /// Controller 99 of all these parameters.
  static var group: UInt8 {
    @_noAllocation @_noLocks
    get { 127 }
  }

  /// The number of the parameter that is added to the pitch; others replace a generator.
  static var pitch: Int {
    @_noAllocation @_noLocks
    get { 16 }
  }

  /// The generator that a parameter replaces; nil if the number does not replace one.
  @_noAllocation @_noLocks
  static func generator(_ number: Int) -> Int? {
    switch number {
    case 0...9: Generator.slowDelay + number
    case 10...15: Generator.volumeDelay + number - 10
    case 17: Generator.slowToPitch
    case 18: Generator.vibratoToPitch
    case 19: Generator.modulationToPitch
    case 20: Generator.slowToVolume
    case 21: Generator.cutoff
    case 22: Generator.resonance
    case 23: Generator.slowToCutoff
    case 24: Generator.modulationToCutoff
    case 25: Generator.chorusSend
    case 26: Generator.reverbSend
    default: nil
    }
  }

  /// True if the parameter also applies to sounding notes.
  @_noAllocation @_noLocks
  static func isImmediate(_ number: Int) -> Bool {
    switch number {
    case 1, 3, 17, 18, 20...23: true
    default: false
    }
  }

  /// Computes the generator's amount.
  ///
  /// - Parameters:
  ///   - number: the parameter, 0…26.
  ///   - upper: controller 6.
  ///   - lower: controller 38. If the range is 0…127, only this value counts, as on the hardware.
  /// - Returns: timecents, cents, centibels or tenths of a percent, as in the generator. A time of
  ///   0 becomes the lowest value.
  @_noAllocation @_noLocks
  static func amount(_ number: Int, upper: UInt8, lower: UInt8) -> Double {
    let signed = Double((Int(upper) << 7 | Int(lower)) - 8192)
    let plain = Double(lower)
    switch number {
    case 0, 2, 4, 10: return timecents(signed, most: 5900, unit: 0.004)
    case 1, 3: return cents(hertz: plain * 0.084)
    case 5, 11: return timecents(signed, most: 5940, unit: 0.001)
    case 6, 12: return timecents(signed, most: 8191, unit: 0.001)
    case 7, 9, 13, 15: return timecents(signed, most: 5940, unit: 0.004)
    case 8, 14: return plain * 7.5
    case 16: return signed
    case 17, 18, 19: return clip(signed, -127, 127) * 9.375
    case 20: return plain * 1.875
    // 100 Hz to 8 kHz, and 0 to 20 dB.
    case 21: return 4335 + plain * (7646.0 / 128)
    case 22: return plain * (200.0 / 128)
    case 23: return clip(signed, -64, 63) * 56.25
    case 24: return clip(signed, -127, 127) * 56.25
    // The same range as that of controllers 93 and 91.
    case 25, 26: return clip(signed, 0, 255) * (200.0 / 256)
    default: return 0
    }
  }

  @_noAllocation @_noLocks
  private static func timecents(_ value: Double, most: Double, unit: Double) -> Double {
    let seconds = clip(value, 0, most) * unit
    return seconds > 0.001 ? 1200 * logarithm(seconds) : -12_000
  }

  /// Cents above 8.176 Hz; a frequency of 0 becomes the lowest value.
  @_noAllocation @_noLocks
  private static func cents(hertz: Double) -> Double {
    hertz > 0 ? max(-16_000, 1200 * logarithm(hertz / 8.175_798_915_643_707)) : -16_000
  }

  /// The logarithm to base 2 of a positive number.
  ///
  /// It uses the exponent and a series in (m − 1) / (m + 1), exact to 1e-9, because the library's
  /// function is not known to be free of locks.
  @_noAllocation @_noLocks
  static func logarithm(_ number: Double) -> Double {
    let ratio = (number.significand - 1) / (number.significand + 1)
    let square = ratio * ratio
    var (sum, power) = (0.0, ratio)
    for step in 0..<10 {
      sum += power / Double(2 * step + 1)
      power *= square
    }
    return Double(number.exponent) + sum * 2.885_390_081_777_927
  }

  @_noAllocation @_noLocks
  private static func clip(_ value: Double, _ least: Double, _ most: Double) -> Double {
    value < least ? least : value > most ? most : value
  }
}

extension VoiceSynth {
  /// Enters a value for the AWE32 parameter that a channel has selected.
  @_noAllocation @_noLocks
  mutating func enterAWE(_ channel: Int) {
    let number = unsafe Int(channels[channel].controllers[98])
    let amount = unsafe Float(
      AWEParameter.amount(
        number, upper: channels[channel].controllers[6],
        lower: channels[channel].controllers[38]))
    if number == AWEParameter.pitch { setOffset(channel, Generator.pitch, amount) }
    guard let generator = AWEParameter.generator(number) else { return }
    unsafe channels[channel].replacements[generator] = amount
    unsafe channels[channel].isReplaced |= 1 << UInt64(generator)
    guard AWEParameter.isImmediate(number) else { return }
    for place in 0..<table.bound where isOn(channel, place) {
      unsafe table.voices[place].values[generator] = amount
      update(place, generator)
    }
  }
}
