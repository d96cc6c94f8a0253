// SPDX-License-Identifier: Apache-2.0
internal import MusicalTime

extension EffectCatalogue {
  /// A catalogue of all effects in this module.
  public static var standard: EffectCatalogue {
    EffectCatalogue(rooms + levels + colours + moving + echoes)
  }

  /// The alias for the parameter "mix".
  static let wet = ["wet": "mix"]
  static let rate = SampleRate.hertz48000

  /// The parameters of a unit, each with its current value as the initial value.
  static func parameters(_ unit: any ParametricUnit) -> [Parameter] {
    let set = unit.parameters
    return set.parameters.enumerated().map { index, parameter in
      Parameter(
        parameter.name, parameter.measure, parameter.range, initially: set[index],
        rampSeconds: parameter.rampSeconds)
    }
  }

  /// Reverbs, echoes and chorus.
  private static var rooms: [EffectEntry] {
    [
      EffectEntry(
        "reverb", "room reverb (feedback network of sixteen delays)",
        aliases: wet.merging(["predelay": "pre-delay"]) { $1 },
        parameters: parameters(ReverbUnit(rate: rate))
      ) { settings throws(EffectError) in ReverbUnit(rate: settings.rate) },
      EffectEntry(
        "convolution", "reverb from an impulse response file",
        aliases: wet.merging(["ir": "response"]) { $1 }, readsResponse: true,
        parameters: parameters(ConvolutionUnit(response: [[1]], rate: rate))
      ) { settings throws(EffectError) in
        ConvolutionUnit(
          response: try settings.readResponse(), isNormalised: true, rate: settings.rate)
      },
      EffectEntry(
        "delay", "echoes, timed in seconds or note values (time=1/8.)", aliases: wet,
        parameters: parameters(DelayUnit(longestSeconds: longestEcho, rate: rate))
      ) { settings throws(EffectError) in
        DelayUnit(longestSeconds: longestEcho, rate: settings.rate)
      },
      EffectEntry(
        "chorus", "thickens the sound with detuned copies", options: [.init(voices, step: 1)],
        aliases: wet,
        parameters: parameters(ChorusUnit(rate: rate))
      ) { settings throws(EffectError) in
        ChorusUnit(voiceCount: Int(settings.option("voices")), rate: settings.rate)
      },
    ]
  }

  /// The longest time of an echo, in seconds: four quarter notes at 30 a minute.
  private static let longestEcho = 8.0
  /// The default ceiling of the limiter in dBFS: −1, with a margin of 0.1 because meters differ.
  private static let ceiling: Float = -1.1
  private static let voices = Parameter("voices", .number, 1...8, initially: 3)
  private static let lookAhead = Parameter("look-ahead", .seconds, 0...0.02, initially: 0)

  private static func lookAhead(_ settings: EffectSettings) -> Int {
    let frames = Double(settings.option("look-ahead")) * Double(settings.rate.hertz)
    return min(4096, Int(frames.rounded()))
  }

  /// Compressor, gate and limiter.
  private static var levels: [EffectEntry] {
    [
      EffectEntry(
        "compressor", "reduces levels above a threshold, by a ratio",
        options: [.init(lookAhead)], parameters: parameters(CompressorUnit(rate: rate))
      ) { settings throws(EffectError) in
        CompressorUnit(lookAhead: lookAhead(settings), rate: settings.rate)
      },
      EffectEntry(
        "gate", "mutes levels below a threshold", options: [.init(lookAhead)],
        parameters: parameters(GateUnit(rate: rate))
      ) { settings throws(EffectError) in
        GateUnit(lookAhead: lookAhead(settings), rate: settings.rate)
      },
      EffectEntry(
        "limiter", "keeps peaks, also between samples, below a ceiling",
        parameters: parameters(LimiterUnit(ceiling: ceiling, rate: rate))
      ) { settings throws(EffectError) in LimiterUnit(ceiling: ceiling, rate: settings.rate) },
    ]
  }

  /// Saturation, filters, equaliser and stereo tools.
  private static var colours: [EffectEntry] {
    [
      EffectEntry(
        "saturation", "soft clipping, as of tubes and tape", aliases: wet,
        parameters: parameters(SaturationUnit(rate: rate))
      ) { settings throws(EffectError) in SaturationUnit(rate: settings.rate) },
      filter(.highPass, "removes frequencies below a cutoff"),
      filter(.lowPass, "removes frequencies above a cutoff"),
      EffectEntry(
        "equaliser", "four bands: low shelf, two peaks, high shelf", aliases: bandNames,
        parameters: parameters(equaliser(rate))
      ) { settings throws(EffectError) in equaliser(settings.rate) },
      EffectEntry(
        "stereo", "width, mid/side gain, balance, mono bass",
        parameters: parameters(StereoUnit(rate: rate))
      ) { settings throws(EffectError) in StereoUnit(rate: settings.rate) },
    ]
  }

  private static func filter(_ kind: FilterUnit.Kind, _ summary: String) -> EffectEntry {
    EffectEntry(
      FilterUnit.word(kind), summary,
      options: [.init(Parameter("slope", .number, 12...48, initially: 12), step: 12)],
      parameters: parameters(FilterUnit(kind, rate: rate))
    ) { settings throws(EffectError) in
      FilterUnit(kind, slope: Int(settings.option("slope")), rate: settings.rate)
    }
  }

  private static let bandNames = [
    "low": "band-1-gain", "low-mid": "band-2-gain", "high-mid": "band-3-gain",
    "high": "band-4-gain",
  ]

  /// Four bands at 120, 500, 2500 and 8000 Hz, within the limits of the rate.
  private static func equaliser(_ rate: SampleRate) -> EqualizerUnit {
    let unit = EqualizerUnit(bands: [.lowShelf, .peaking, .peaking, .highShelf], rate: rate)
    for (band, hertz) in [120, 500, 2500, 8000].enumerated() {
      let frequency = band * 3 + EqualizerUnit.Setting.frequency.rawValue
      unit.parameters.hold(frequency, to: Float(hertz), over: 0)
    }
    return unit
  }
}
