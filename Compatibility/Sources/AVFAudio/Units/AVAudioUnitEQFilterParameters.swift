// SPDX-License-Identifier: Apache-2.0
internal import AudioProcessing
public import Foundation
internal import Synchronization

/// The filter types of an equaliser band.
public enum AVAudioUnitEQFilterType: Int, Sendable {
  /// A parametric filter, which raises or lowers the frequencies around the centre frequency.
  case parametric = 0
  /// A low-pass filter with a slope of 12 dB per octave, and −3 dB at the cutoff frequency.
  case lowPass = 1
  /// A high-pass filter with a slope of 12 dB per octave, and −3 dB at the cutoff frequency.
  case highPass = 2
  /// A low-pass filter whose resonance is set by the bandwidth.
  case resonantLowPass = 3
  /// A high-pass filter whose resonance is set by the bandwidth.
  case resonantHighPass = 4
  /// A band-pass filter, which removes the frequencies on both sides of the band.
  case bandPass = 5
  /// A band-stop filter, which removes the frequencies of the band.
  case bandStop = 6
  /// A low shelf, which raises or lowers low frequencies; half of the gain is applied at
  /// `frequency`.
  case lowShelf = 7
  /// A high shelf, which raises or lowers high frequencies; half of the gain is applied at
  /// `frequency`.
  case highShelf = 8
  /// A low shelf whose resonance is set by the bandwidth.
  case resonantLowShelf = 9
  /// A high shelf whose resonance is set by the bandwidth.
  case resonantHighShelf = 10

  var kind: EqualizerUnit.Kind {
    switch self {
    case .parametric: .peaking
    case .lowPass, .resonantLowPass: .lowPass
    case .highPass, .resonantHighPass: .highPass
    case .bandPass: .bandPass
    case .bandStop: .notch
    case .lowShelf, .resonantLowShelf: .lowShelf
    case .highShelf, .resonantHighShelf: .highShelf
    }
  }
}

/// The settings of an equaliser band.
///
/// Values outside their ranges are clamped.
///
/// - Note: Any thread.
open class AVAudioUnitEQFilterParameters: NSObject, @unchecked Sendable {
  // Unchecked: the values have a lock; the owner is set once, before others know the object.
  private let live: LiveEffect<EqualizerValues>
  private let band: Int
  private weak var owner: AVAudioNode?

  init(_ live: LiveEffect<EqualizerValues>, band: Int) {
    (self.live, self.band) = (live, band)
    super.init()
  }

  func setOwner(_ node: AVAudioNode) { owner = node }

  private var values: EqualizerValues.Band { live.values.bands[band] }

  private func change(_ body: (inout EqualizerValues.Band) -> Void) {
    if live.change({ body(&$0.bands[band]) }) { owner?.replaceUnit() }
  }

  /// The filter type of the band; `parametric` by default.
  ///
  /// When the type changes, the sound fades to the new type within 5 ms.
  open var filterType: AVAudioUnitEQFilterType {
    get { values.type }
    set { change { $0.type = newValue } }
  }

  /// The centre or cutoff frequency of the band in hertz: 20 to half the sample rate.
  open var frequency: Float {
    get { values.frequency }
    set {
      let highest = Float((owner?.usualFormat.sampleRate ?? 44_100) / 2)
      change { $0.frequency = newValue.held(in: 20...highest, else: $0.frequency) }
    }
  }

  /// The bandwidth of the band in octaves, 0.05…5; 0.5 by default.
  ///
  /// The types `lowPass`, `highPass`, `lowShelf` and `highShelf` do not use the bandwidth.
  open var bandwidth: Float {
    get { values.bandwidth }
    set { change { $0.bandwidth = newValue.held(in: 0.05...5, else: 0.5) } }
  }

  /// The gain of the band in decibels, −96…24; 0 by default.
  ///
  /// Only `parametric` and the shelf types use the gain.
  open var gain: Float {
    get { values.gain }
    set { change { $0.gain = newValue.held(in: -96...24, else: 0) } }
  }

  /// True if the band is bypassed and does not change the sound; true by default.
  ///
  /// When the value changes, the sound fades to the new state within 5 ms.
  open var bypass: Bool {
    get { values.isBypassed }
    set { change { $0.isBypassed = newValue } }
  }
}
