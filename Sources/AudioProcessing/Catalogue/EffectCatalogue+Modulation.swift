// SPDX-License-Identifier: Apache-2.0
internal import MusicalTime

/// The effects of the sound modules of the nineties.
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
      entry("flanger", "combs that sweep, smoothly or in steps") { FlangerUnit(rate: $0) },
      EffectEntry(
        "phaser", "notches that sweep", options: [.init(stages, step: 1)], aliases: wet,
        parameters: parameters(PhaserUnit(rate: rate))
      ) { settings throws(EffectError) in
        PhaserUnit(stageCount: Int(settings.option("stages")), rate: settings.rate)
      },
      entry("tremolo", "a level that swings") { TremoloUnit(rate: $0) },
      entry("auto-pan", "a sound that swings between left and right") {
        TremoloUnit(name: "auto-pan", spread: 1, rate: $0)
      },
      entry("wah", "a resonant filter moved by level or oscillator") { WahUnit(rate: $0) },
      entry("rotary", "a rotary speaker at two speeds") { RotaryUnit(rate: $0) },
    ]
  }

  /// Distortion, lo-fi, delay and pitch effects.
  static var echoes: [EffectEntry] {
    [
      entry("overdrive", "an amplifier driven softly") { DriveUnit(.overdrive, rate: $0) },
      entry("distortion", "an amplifier that clips") { DriveUnit(.distortion, rate: $0) },
      entry("enhancer", "overtones of the treble") { EnhancerUnit(rate: $0) },
      entry("lo-fi", "fewer samples and bits") { LoFiUnit(rate: $0) },
      entry("spectrum", "eight bands from 250 to 8000 Hz") { spectrum($0) },
      entry("cross-delay", "echoes with a time for each side") { CrossDelayUnit(rate: $0) },
      entry("tap-delay", "echoes from four taps, each with its place") { TapDelayUnit(rate: $0) },
      entry("pitch-shift", "two voices at other pitches") { PitchShiftUnit(rate: $0) },
    ]
  }

  /// Bands where the SC-88Pro's spectrum has them, in so far as the rate does.
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
