// SPDX-License-Identifier: Apache-2.0
internal import MusicalTime

/// The effects found in the sound modules of the nineties.
extension EffectCatalogue {
  private static func entry(
    _ name: String, _ summary: String,
    _ make: @escaping @Sendable (SampleRate) -> any ParametricUnit
  ) -> EffectEntry {
    let parameters = parameters(make(rate))
    let hasMix = parameters.contains { $0.name == "mix" }
    return EffectEntry(name, summary, aliases: hasMix ? wet : [:], parameters: parameters) {
      settings throws(EffectError) in make(settings.rate)
    }
  }

  private static let stages = Parameter("stages", .number, 2...12, initially: 6)

  /// Modulation effects.
  static var moving: [EffectEntry] {
    [
      entry("flanger", "sweeping comb filter, smooth or stepped") { FlangerUnit(rate: $0) },
      EffectEntry(
        "phaser", "sweeping notches", options: [.init(stages, step: 1)], aliases: wet,
        parameters: parameters(PhaserUnit(rate: rate))
      ) { settings throws(EffectError) in
        PhaserUnit(stageCount: Int(settings.option("stages")), rate: settings.rate)
      },
      entry("tremolo", "periodic change of level") { TremoloUnit(rate: $0) },
      entry("auto-pan", "periodic panning between left and right") {
        TremoloUnit(name: "auto-pan", spread: 1, rate: $0)
      },
      entry("wah", "resonant filter controlled by level or oscillator") { WahUnit(rate: $0) },
      entry("rotary", "rotary speaker with two speeds") { RotaryUnit(rate: $0) },
    ]
  }

  /// Distortion, lo-fi, delay and pitch effects.
  static var echoes: [EffectEntry] {
    [
      entry("overdrive", "soft amplifier distortion") { DriveUnit(.overdrive, rate: $0) },
      entry("distortion", "hard amplifier distortion") { DriveUnit(.distortion, rate: $0) },
      entry("enhancer", "adds overtones to the treble") { EnhancerUnit(rate: $0) },
      entry("lo-fi", "reduces sample rate and bit depth") { LoFiUnit(rate: $0) },
      entry("spectrum", "eight-band equaliser, 250 to 8000 Hz") { spectrum($0) },
      entry("cross-delay", "stereo delay with a time for each side") { CrossDelayUnit(rate: $0) },
      entry("tap-delay", "delay with four taps, each with its own pan") { TapDelayUnit(rate: $0) },
      entry("pitch-shift", "adds two pitch-shifted voices") { PitchShiftUnit(rate: $0) },
    ]
  }

  /// Sets the bands to the frequencies of the SC-88Pro's spectrum effect, within the limits of the
  /// rate.
  private static func spectrum(_ rate: SampleRate) -> EqualizerUnit {
    let bands = EqualizerUnit.spectrumHertz
    let unit = EqualizerUnit(
      name: "spectrum", bands: bands.map { _ in .peaking }, rate: rate)
    for (band, hertz) in bands.enumerated() {
      unit.parameters.hold(band * 3 + EqualizerUnit.Setting.frequency.rawValue, to: hertz, over: 0)
      unit.parameters.hold(band * 3 + EqualizerUnit.Setting.quality.rawValue, to: 1.4, over: 0)
    }
    return unit
  }
}
