// SPDX-License-Identifier: Apache-2.0
internal import AudioProcessing
internal import Foundation
internal import MusicalTime

/// The kinds of a distortion.
public enum AVAudioUnitDistortionPreset: Int, Sendable {
  /// Drums with few bits.
  case drumsBitBrush = 0
  /// Drums with a short echo.
  case drumsBufferBeats = 1
  /// Drums with few samples per second.
  case drumsLoFi = 2
  /// A torn loudspeaker.
  case multiBrokenSpeaker = 3
  /// A telephone in a hall.
  case multiCellphoneConcert = 4
  /// A slightly reduced sample rate.
  case multiDecimated1 = 5
  /// A reduced sample rate.
  case multiDecimated2 = 6
  /// A low sample rate.
  case multiDecimated3 = 7
  /// A very low sample rate.
  case multiDecimated4 = 8
  /// A driven wah.
  case multiDistortedFunk = 9
  /// Odd overtones.
  case multiDistortedCubed = 10
  /// Even and odd overtones.
  case multiDistortedSquared = 11
  /// A driven echo.
  case multiEcho1 = 12
  /// A longer driven echo.
  case multiEcho2 = 13
  /// A short driven echo.
  case multiEchoTight1 = 14
  /// A shorter driven echo.
  case multiEchoTight2 = 15
  /// Everything at once.
  case multiEverythingIsBroken = 16
  /// Speech at other pitches.
  case speechAlienChatter = 17
  /// Speech with a stepped comb filter.
  case speechCosmicInterference = 18
  /// Speech with a moving resonance.
  case speechGoldenPi = 19
  /// Speech by radio.
  case speechRadioTower = 20
  /// Speech with moving notches.
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

/// A distortion: a chain of Downbeat's effects, mixed with the sound that was not distorted.
///
/// - Note: Any thread.
open class AVAudioUnitDistortion: AVAudioUnitEffect, @unchecked Sendable {
  private let live: LiveEffect<DistortionValues>

  /// Creates a distortion of the kind `drumsBitBrush`.
  public init() {
    live = LiveEffect(DistortionValues())
    super.init(.distortion, live)
  }

  /// Selects a kind; the gain and the share of the distortion stay.
  ///
  /// - Parameter preset: The kind.
  open func loadFactoryPreset(_ preset: AVAudioUnitDistortionPreset) {
    if live.change({ $0.sound = preset.sound }) { replaceUnit() }
  }

  /// The gain in front of the distortion in decibels, −80…20; −6 by default.
  open var preGain: Float {
    get { live.values.preGain }
    set { _ = live.change { $0.preGain = newValue.held(in: -80...20, else: -6) } }
  }

  /// The share of the distorted sound in per cent, 0…100; 50 by default.
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
