// SPDX-License-Identifier: Apache-2.0

/// Ready-made chains of effects that distort a sound, for drums, speech and instruments.
public enum DistortionSound: String, Hashable, Sendable, CaseIterable {
  /// For drums: reduced bit depth with a mild overdrive.
  case bitBrush
  /// For drums: a short echo with reduced bit depth.
  case bufferBeats
  /// For drums: a low sample rate and reduced bit depth.
  case loFiDrums
  /// The sound of a torn loudspeaker.
  case brokenSpeaker
  /// The sound of a telephone in a loud hall.
  case cellphoneConcert
  /// Reduces the sample rate to 12 kHz and the samples to 10 bits.
  case decimated1
  /// Reduces the sample rate to 8 kHz and the samples to 10 bits.
  case decimated2
  /// Reduces the sample rate to 5 kHz and the samples to 10 bits.
  case decimated3
  /// Reduces the sample rate to 2.5 kHz and the samples to 10 bits.
  case decimated4
  /// A distortion followed by a wah that follows the level of the sound.
  case distortedFunk
  /// A distortion that adds odd overtones.
  case distortedCubed
  /// An overdrive that adds even and odd overtones.
  case distortedSquared
  /// A distortion with an echo of 250 ms.
  case echo1
  /// A distortion with an echo of 375 ms and more repeats.
  case echo2
  /// A distortion with a short echo of 60 ms.
  case tightEcho1
  /// A distortion with a very short echo of 30 ms.
  case tightEcho2
  /// A strong distortion, a very low sample rate, 4 bits and an echo.
  case everythingIsBroken
  /// For speech: two more voices at other pitches, with reduced bit depth.
  case alienChatter
  /// For speech: a comb filter that moves in steps.
  case cosmicInterference
  /// For speech: a resonance that moves up and down.
  case goldenPi
  /// Speech from a radio: a narrow band of frequencies, distorted.
  case radioTower
  /// For speech: a phaser, whose notches move slowly, and an overdrive.
  case waves

  /// The effects in the order of the chain, as texts for `EffectCatalogue.standard`.
  public var effects: [String] {
    switch self {
    case .bitBrush: ["lo-fi bits=5 rate=24kHz tone=9kHz", "overdrive drive=12dB tone=9kHz"]
    case .bufferBeats:
      [
        "cross-delay left=90ms right=90ms feedback=0.5 mix=50%",
        "lo-fi bits=7 rate=16kHz tone=8kHz",
      ]
    case .loFiDrums: ["lo-fi bits=8 rate=9kHz tone=5kHz", "overdrive drive=9dB tone=6kHz"]
    case .brokenSpeaker: Self.band(200, 4000) + ["distortion drive=36dB tone=3500Hz output=-12dB"]
    case .cellphoneConcert:
      Self.band(400, 3200) + ["lo-fi bits=6 rate=8kHz tone=3400Hz", Self.hall]
    case .decimated1: [Self.decimated(12)]
    case .decimated2: [Self.decimated(8)]
    case .decimated3: [Self.decimated(5)]
    case .decimated4: [Self.decimated(2.5)]
    case .distortedFunk: ["distortion drive=20dB tone=5kHz output=-9dB", "wah sensitivity=0.8"]
    case .distortedCubed: ["distortion drive=24dB tone=7kHz output=-10dB"]
    case .distortedSquared: ["overdrive drive=24dB tone=7kHz output=-9dB"]
    case .echo1: Self.echo(milliseconds: 250, feedback: 0.35)
    case .echo2: Self.echo(milliseconds: 375, feedback: 0.55)
    case .tightEcho1: Self.echo(milliseconds: 60, feedback: 0.4)
    case .tightEcho2: Self.echo(milliseconds: 30, feedback: 0.6)
    case .everythingIsBroken:
      [
        "distortion drive=40dB tone=5kHz output=-14dB", "lo-fi bits=4 rate=4kHz tone=4kHz",
        "cross-delay left=70ms right=110ms feedback=0.6 mix=40%",
      ]
    case .alienChatter:
      [
        "pitch-shift first-pitch=7 second-pitch=-5 second-level=1 mix=80%",
        "lo-fi bits=7 rate=9kHz tone=5kHz",
      ]
    case .cosmicInterference:
      ["flanger rate=7Hz feedback=0.9 step-rate=14Hz", "lo-fi bits=6 rate=7kHz tone=6kHz"]
    case .goldenPi: ["wah frequency=900Hz depth=0.8 rate=1.6Hz peak=8", "overdrive drive=18dB"]
    case .radioTower: Self.band(500, 2800) + ["distortion drive=26dB tone=3kHz output=-10dB"]
    case .waves: ["phaser rate=0.5Hz", "overdrive drive=15dB tone=6kHz"]
    }
  }

  private static let hall = "reverb decay=2.6s size=30m mix=30%"

  private static func band(_ low: Int, _ high: Int) -> [String] {
    ["high-pass frequency=\(low)Hz slope=24", "low-pass frequency=\(high)Hz slope=24"]
  }

  private static func decimated(_ kilohertz: Double) -> String {
    "lo-fi rate=\(kilohertz)kHz bits=10 tone=12kHz"
  }

  private static func echo(milliseconds: Int, feedback: Double) -> [String] {
    let time = "\(milliseconds)ms"
    return [
      "distortion drive=20dB tone=6kHz output=-10dB",
      "cross-delay left=\(time) right=\(time) feedback=\(feedback) mix=40%",
    ]
  }
}
