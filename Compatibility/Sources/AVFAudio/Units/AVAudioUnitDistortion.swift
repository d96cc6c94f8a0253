// SPDX-License-Identifier: Apache-2.0
internal import AudioProcessing
internal import Foundation
internal import MusicalTime

/// The presets of a distortion effect.
public enum AVAudioUnitDistortionPreset: Int, Sendable {
  /// Bit-crushing at a low bit depth, with a mild overdrive; meant for drums.
  case drumsBitBrush = 0
  /// A short echo with a reduced bit depth; meant for drums.
  case drumsBufferBeats = 1
  /// A low sample rate and a reduced bit depth; meant for drums.
  case drumsLoFi = 2
  /// The sound of a torn loudspeaker.
  case multiBrokenSpeaker = 3
  /// The sound of a telephone in a loud hall.
  case multiCellphoneConcert = 4
  /// A sample rate of 12 kHz with 10 bits.
  case multiDecimated1 = 5
  /// A sample rate of 8 kHz with 10 bits.
  case multiDecimated2 = 6
  /// A sample rate of 5 kHz with 10 bits.
  case multiDecimated3 = 7
  /// A sample rate of 2.5 kHz with 10 bits.
  case multiDecimated4 = 8
  /// A distortion, followed by a wah that follows the level of the sound.
  case multiDistortedFunk = 9
  /// A distortion that adds odd overtones.
  case multiDistortedCubed = 10
  /// An overdrive that adds even and odd overtones.
  case multiDistortedSquared = 11
  /// A distortion with an echo of 250 ms.
  case multiEcho1 = 12
  /// A distortion with an echo of 375 ms and more repeats.
  case multiEcho2 = 13
  /// A distortion with a short echo of 60 ms.
  case multiEchoTight1 = 14
  /// A distortion with a very short echo of 30 ms.
  case multiEchoTight2 = 15
  /// A strong distortion with a very low sample rate, 4 bits and an echo.
  case multiEverythingIsBroken = 16
  /// Two added voices at other pitches, with a reduced bit depth; meant for speech.
  case speechAlienChatter = 17
  /// A comb filter that moves in steps; meant for speech.
  case speechCosmicInterference = 18
  /// A resonance that moves up and down; meant for speech.
  case speechGoldenPi = 19
  /// The sound of speech from a radio: a narrow frequency band, distorted.
  case speechRadioTower = 20
  /// A slow phaser with an overdrive; meant for speech.
  case speechWaves = 21

  var sound: DistortionSound {
    switch self {
    case .drumsBitBrush: .bitBrush
    case .drumsBufferBeats: .bufferBeats
    case .drumsLoFi: .loFiDrums
    case .multiBrokenSpeaker: .brokenSpeaker
    case .multiCellphoneConcert: .cellphoneConcert
    case .multiDecimated1: .decimated1
    case .multiDecimated2: .decimated2
    case .multiDecimated3: .decimated3
    case .multiDecimated4: .decimated4
    case .multiDistortedFunk: .distortedFunk
    case .multiDistortedCubed: .distortedCubed
    case .multiDistortedSquared: .distortedSquared
    case .multiEcho1: .echo1
    case .multiEcho2: .echo2
    case .multiEchoTight1: .tightEcho1
    case .multiEchoTight2: .tightEcho2
    case .multiEverythingIsBroken: .everythingIsBroken
    case .speechAlienChatter: .alienChatter
    case .speechCosmicInterference: .cosmicInterference
    case .speechGoldenPi: .goldenPi
    case .speechRadioTower: .radioTower
    case .speechWaves: .waves
    }
  }
}

/// A distortion effect: a chain of Downbeat's effects, mixed with the dry sound.
///
/// Values outside their ranges are clamped.
///
/// - Note: Any thread.
open class AVAudioUnitDistortion: AVAudioUnitEffect, @unchecked Sendable {
  private let live: LiveEffect<DistortionValues>

  /// Creates a distortion effect with the preset `drumsBitBrush`.
  public init() {
    live = LiveEffect(DistortionValues())
    super.init(.distortion, live)
  }

  /// Loads a preset.
  ///
  /// The pre-gain and the mix do not change.
  ///
  /// - Parameter preset: The preset.
  open func loadFactoryPreset(_ preset: AVAudioUnitDistortionPreset) {
    if live.change({ $0.sound = preset.sound }) { replaceUnit() }
  }

  /// The gain before the distortion, in decibels, −80…20; −6 by default.
  open var preGain: Float {
    get { live.values.preGain }
    set { _ = live.change { $0.preGain = newValue.held(in: -80...20, else: -6) } }
  }

  /// The share of the distorted sound in the output, in per cent, 0…100; 50 by default.
  open var wetDryMix: Float {
    get { live.values.mix }
    set { _ = live.change { $0.mix = newValue.held(in: 0...100, else: 50) } }
  }
}

/// The values of a distortion.
struct DistortionValues: EffectValues {
  /// The gain in front of the chain, and the mixer behind it: the dry strip first.
  struct Units {
    let gain: MixerUnit
    let mixer: MixerUnit
  }

  var sound = DistortionSound.bitBrush
  var preGain: Float = -6
  var mix: Float = 50

  func makeUnits(
    _ rate: SampleRate, channelCount: Int
  ) throws -> (unit: any ProcessingUnit, units: Units) {
    let inlet = SubgraphUnit.Inlet()
    let units = Units(
      gain: MixerUnit(stripCount: 1, rate: rate), mixer: MixerUnit(stripCount: 2, rate: rate))
    var graph = AudioGraph()
    let (start, end) = (graph.add(inlet), graph.add(units.mixer))
    try graph.connect(start, to: end, input: 0)
    var last = graph.add(units.gain)
    try graph.connect(start, to: last)
    for text in sound.effects {
      let node = graph.add(try EffectCatalogue.standard.unit(text, rate: rate))
      try graph.connect(last, to: node)
      last = node
    }
    try graph.connect(last, to: end, input: 1)
    try graph.setHead(end)
    return (try SubgraphUnit(name: "distortion", graph, inlets: [inlet]), units)
  }

  func apply(to units: Units, over seconds: Double?) {
    units.gain.setGain(ofStrip: 0, to: Float(pow(10, Double(preGain) / 20)), over: seconds)
    units.mixer.setGain(ofStrip: 0, to: 1 - mix / 100, over: seconds)
    units.mixer.setGain(ofStrip: 1, to: mix / 100, over: seconds)
  }

  func needsOtherUnits(than other: DistortionValues) -> Bool { sound != other.sound }
}

extension MixerUnit {
  /// Sets the gain of a strip.
  ///
  /// - Parameters:
  ///   - strip: The strip.
  ///   - gain: A linear factor, 0…16.
  ///   - seconds: The length of the change; nil for 5 ms.
  func setGain(ofStrip strip: Int, to gain: Float, over seconds: Double?) {
    // A strip has five parameters, its gain first.
    parameters.hold(5 * strip, to: gain, over: seconds)
  }
}
