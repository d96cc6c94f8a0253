// SPDX-License-Identifier: Apache-2.0
internal import AudioProcessing
internal import Foundation
internal import MusicalTime

/// The values of an equaliser.
struct EqualizerValues: EffectValues {
  /// The values of a band.
  struct Band: Hashable {
    var type = AVAudioUnitEQFilterType.parametric
    var frequency: Float
    /// In octaves.
    var bandwidth: Float = 0.5
    /// In decibels.
    var gain: Float = 0
    var isBypassed = true

    /// Q, from the bandwidth if the type has one.
    var quality: Float {
      switch type {
      case .lowPass, .highPass, .lowShelf, .highShelf: return 0.70710678
      default:
        let ratio = pow(2, Double(bandwidth))
        return Float(sqrt(ratio) / (ratio - 1))
      }
    }
  }

  /// The units of an equaliser; the equaliser is nil if all bands are bypassed.
  struct Units {
    let equalizer: EqualizerUnit?
    let gain: MixerUnit
  }

  var bands: [Band]
  var gain: Float = 0

  init(_ count: Int) {
    bands = (0..<count).map { place in
      let part = count > 1 ? Double(place) / Double(count - 1) : 0.5
      return Band(frequency: Float(40 * pow(250, part)))
    }
  }

  private var active: [Band] { bands.filter { !$0.isBypassed } }

  func makeUnits(
    _ rate: SampleRate, channelCount: Int
  ) throws -> (unit: any ProcessingUnit, units: Units) {
    let kinds = active.map(\.type.kind)
    let equalizer =
      kinds.isEmpty ? nil : EqualizerUnit(bands: kinds, channelCount: 2, leastGain: -96, rate: rate)
    let units = Units(equalizer: equalizer, gain: MixerUnit(stripCount: 1, rate: rate))
    let chain: [any ProcessingUnit] = (equalizer.map { [$0] } ?? []) + [units.gain]
    return (try SubgraphUnit.chain("equaliser", chain, channelCount: 2), units)
  }

  func apply(to units: Units, over seconds: Double?) {
    units.gain.setGain(ofStrip: 0, to: Float(pow(10, Double(gain) / 20)), over: seconds)
    guard let equalizer = units.equalizer else { return }
    for (place, band) in active.enumerated() {
      // A band has three parameters: frequency, gain and quality.
      for (index, value) in [band.frequency, band.gain, band.quality].enumerated() {
        equalizer.parameters.hold(3 * place + index, to: value, over: seconds)
      }
    }
  }

  func needsOtherUnits(than other: EqualizerValues) -> Bool {
    bands.map(\.isBypassed) != other.bands.map(\.isBypassed)
      || active.map(\.type) != other.active.map(\.type)
  }
}
