// SPDX-License-Identifier: Apache-2.0

/// Generators and modulators of a zone, set in natural units.
struct Settings {
  private(set) var generators: [Generator: Int] = [:]
  private(set) var modulators: [Modulator] = []

  init() {}

  /// These settings with `other` laid over them.
  func merging(_ other: Settings) -> Settings {
    var result = self
    result.generators.merge(other.generators) { _, new in new }
    for modulator in other.modulators { result.modulate(modulator) }
    return result
  }

  func with(_ generator: Generator, _ value: Int) -> Settings {
    var result = self
    result.generators[generator] = value
    return result
  }

  private mutating func modulate(_ modulator: Modulator) {
    modulators.removeAll { $0.source == modulator.source && $0.target == modulator.target }
    modulators.append(modulator)
  }

  private static func timecents(_ seconds: Double) -> Int {
    seconds <= 0.001 ? -12000 : Int((1200 * PortableMath.log2(seconds)).rounded())
  }

  private static func cents(_ hertz: Double, over base: Double) -> Int {
    Int((1200 * PortableMath.log2(hertz / base)).rounded())
  }

  /// The volume envelope: seconds, and the sustain level in decibels below full.
  ///
  /// `decay` and `release` are the times of a fall by 100 dB.
  func volume(
    attack: Double = 0.001, hold: Double = 0, decay: Double = 0.001, sustain: Double = 0,
    release: Double
  ) -> Settings {
    with(.volumeAttack, Self.timecents(attack)).with(.volumeHold, Self.timecents(hold))
      .with(.volumeDecay, Self.timecents(decay)).with(.volumeSustain, Int((sustain * 10).rounded()))
      .with(.volumeRelease, Self.timecents(release))
  }

  func attack(_ seconds: Double) -> Settings { with(.volumeAttack, Self.timecents(seconds)) }

  func release(_ seconds: Double) -> Settings { with(.volumeRelease, Self.timecents(seconds)) }

  /// A sound that dies away for ever: `seconds` to fall by 100 dB.
  func decay(_ seconds: Double, hold: Double = 0) -> Settings {
    with(.volumeDecay, Self.timecents(seconds)).with(.volumeSustain, 1000)
      .with(.volumeHold, Self.timecents(hold))
  }

  /// The second envelope, and how far it moves filter (cents) and pitch (cents).
  func sweep(
    attack: Double = 0.001, decay: Double, sustain: Double = 1, release: Double = 1,
    filter: Int = 0, pitch: Int = 0
  ) -> Settings {
    var result = with(.modEnvelopeAttack, Self.timecents(attack))
      .with(.modEnvelopeDecay, Self.timecents(decay))
      .with(.modEnvelopeSustain, Int((sustain * 1000).rounded()))
      .with(.modEnvelopeRelease, Self.timecents(release))
    if filter != 0 { result = result.with(.modEnvelopeToFilter, filter) }
    if pitch != 0 { result = result.with(.modEnvelopeToPitch, pitch) }
    return result
  }

  /// The low pass: corner in hertz, resonance in decibels.
  func lowPass(_ hertz: Double, resonance: Double = 0) -> Settings {
    with(.filterCutoff, Self.cents(hertz, over: 8.175798915643707))
      .with(.filterResonance, Int((resonance * 10).rounded()))
  }

  /// Softer notes are darker: the corner falls by `cents` from velocity 127 to 64, and as much again.
  ///
  /// The corner is 10 kHz at the highest velocity where none has been set, and follows the key.
  func velocityDarkens(_ cents: Int) -> Settings {
    var result = generators[.filterCutoff] == nil ? lowPass(10000) : self
    result.modulate(.velocityToFilter(-2 * cents))
    result.modulate(.keyToFilter(2000))
    return result
  }

  /// Louder notes start faster: the attack is longer by `timecents` at velocity 0.
  func velocitySlows(_ timecents: Int) -> Settings {
    var result = self
    result.modulate(Modulator(source: 0x0102, target: .volumeAttack, amount: timecents))
    return result
  }

  func vibrato(_ cents: Int, rate: Double = 5.3, after delay: Double = 0.4) -> Settings {
    with(.vibratoLFOToPitch, cents).with(.vibratoFrequency, Self.cents(rate, over: 8.176))
      .with(.vibratoDelay, Self.timecents(delay))
  }

  /// A player's vibrato: it sets in late, and no two turns of it are alike.
  ///
  /// Two oscillators that never meet make it, the second of which also moves the level (by so many
  /// decibels) and the filter (cents); higher notes are faster, softer ones later.
  func player(
    _ cents: Int, rate: Double, after delay: Double, decibels: Double = 0.6, filter: Int = 120
  ) -> Settings {
    var result = vibrato(cents, rate: rate, after: delay)
      .wobble(
        rate: rate * 0.77, after: delay * 0.7, decibels: decibels, filter: filter,
        pitch: max(1, cents / 3))
    result.modulate(Modulator(source: 0x0203, target: .vibratoFrequency, amount: 500))
    result.modulate(Modulator(source: 0x0203, target: .modLFOFrequency, amount: -350))
    result.modulate(Modulator(source: 0x0102, target: .vibratoDelay, amount: 900))
    return result
  }

  /// Louder notes open further at their start: `cents` at velocity 127, along the second envelope.
  func velocityOpens(_ cents: Int) -> Settings {
    var result = self
    result.modulate(Modulator(source: 0x0002, target: .modEnvelopeToFilter, amount: cents))
    return result
  }

  /// The modulation oscillator: tremolo in decibels from the loudest to the softest moment, filter and
  /// pitch in cents either way.
  func wobble(
    rate: Double, after delay: Double = 0, decibels: Double = 0, filter: Int = 0, pitch: Int = 0
  ) -> Settings {
    with(.modLFOFrequency, Self.cents(rate, over: 8.176)).with(.modLFODelay, Self.timecents(delay))
      .with(.modLFOToVolume, Int((decibels * 5).rounded())).with(.modLFOToFilter, filter)
      .with(.modLFOToPitch, pitch)
  }

  /// Position between -1 (left) and 1 (right).
  func pan(_ position: Double) -> Settings { with(.pan, Int((position * 500).rounded())) }

  /// Effect sends in per cent.
  func effects(reverb: Double, chorus: Double = 0) -> Settings {
    with(.reverbSend, Int((reverb * 10).rounded()))
      .with(.chorusSend, Int((chorus * 10).rounded()))
  }

  /// Softer by `decibels` (as FluidSynth and the E-mu chips count: 0.4 of what is written).
  func softer(_ decibels: Double) -> Settings {
    with(.attenuation, Int((decibels * 25).rounded()))
  }

  /// Softer by `decibels` than these settings make it.
  func evenSofter(_ decibels: Double) -> Settings {
    with(
      .attenuation, max(0, generators[.attenuation, default: 0] + Int((decibels * 25).rounded())))
  }

  /// Softer by half of what a tremolo raises the level: the loudness of a tone that it only lowers.
  ///
  /// - Parameter depth: the tremolo either way, in centibels.
  /// - Returns: the settings, softer by a quarter of the tremolo from its loudest to its softest.
  func levelled(tremolo depth: Int) -> Settings {
    depth > 0 ? evenSofter(Double(depth) / 20) : self
  }

  func tuned(semitones: Int = 0, cents: Int = 0) -> Settings {
    with(.coarseTune, semitones).with(.fineTune, cents)
  }
}
