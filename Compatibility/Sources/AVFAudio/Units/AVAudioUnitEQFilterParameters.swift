// SPDX-License-Identifier: Apache-2.0
internal import AudioProcessing
public import Foundation
internal import Synchronization

/// The types of a band of an equaliser.
public enum AVAudioUnitEQFilterType: Int, Sendable {
  /// Raises or lowers the frequencies around its own.
  case parametric = 0
  /// Removes frequencies above its own, 12 dB per octave; 3 dB less at its own.
  case lowPass = 1
  /// Removes frequencies below its own, 12 dB per octave; 3 dB less at its own.
  case highPass = 2
  /// A low-pass with a resonance, set by the bandwidth.
  case resonantLowPass = 3
  /// A high-pass with a resonance, set by the bandwidth.
  case resonantHighPass = 4
  /// Removes the frequencies on both sides of the band.
  case bandPass = 5
  /// Removes the frequencies of the band.
  case bandStop = 6
  /// Raises or lowers frequencies below its own, by half the gain there.
  case lowShelf = 7
  /// Raises or lowers frequencies above its own, by half the gain there.
  case highShelf = 8
  /// A low shelf with a resonance, set by the bandwidth.
  case resonantLowShelf = 9
  /// A high shelf with a resonance, set by the bandwidth.
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

/// The values of a band of an equaliser.
///
/// Values outside of their ranges are set to the nearest value.
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

  /// The type; `parametric` by default.
  ///
  /// A change fades for 5 ms.
  open var filterType: AVAudioUnitEQFilterType {
    get { values.type }
    set { change { $0.type = newValue } }
  }

  /// The frequency, 20 Hz to half the sample rate.
  open var frequency: Float {
    get { values.frequency }
    set {
      let highest = Float((owner?.usualFormat.sampleRate ?? 44_100) / 2)
      change { $0.frequency = newValue.held(in: 20...highest, else: $0.frequency) }
    }
  }

  /// The bandwidth, 0.05…5 octaves; 0.5 by default.
  ///
  /// Low-pass, high-pass and shelves without a resonance do not use it.
  open var bandwidth: Float {
    get { values.bandwidth }
    set { change { $0.bandwidth = newValue.held(in: 0.05...5, else: 0.5) } }
  }

  /// The gain in decibels, −96…24; 0 by default.
  ///
  /// Only `parametric` and shelves use it.
  open var gain: Float {
    get { values.gain }
    set { change { $0.gain = newValue.held(in: -96...24, else: 0) } }
  }

  /// True if the band passes the sound unchanged; true by default.
  ///
  /// A change fades for 5 ms.
  open var bypass: Bool {
    get { values.isBypassed }
    set { change { $0.isBypassed = newValue } }
  }
}
