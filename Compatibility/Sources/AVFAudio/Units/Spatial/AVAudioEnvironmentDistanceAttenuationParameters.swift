// SPDX-License-Identifier: Apache-2.0
internal import AudioProcessing
internal import Foundation
internal import Synchronization

/// The models by which the gain of a source decreases with distance.
public enum AVAudioEnvironmentDistanceAttenuationModel: Int, Sendable {
  /// The gain is the distance, divided by the reference distance, to the power of −`rolloffFactor`.
  case exponential = 1
  /// With a rolloff factor of 1, the gain halves whenever the distance doubles.
  case inverse = 2
  /// The gain decreases linearly; with a rolloff factor of 1, it is 0 at the maximum distance.
  case linear = 3

  var law: DistanceLaw {
    switch self {
    case .exponential: .exponential
    case .inverse: .inverse
    case .linear: .linear
    }
  }
}

/// The settings by which sources become quieter with their distance from the listener.
///
/// Values outside their ranges are clamped.
///
/// - Note: Any thread.
open class AVAudioEnvironmentDistanceAttenuationParameters: NSObject, @unchecked Sendable {
  // Unchecked: the owner is set once, before others know the object.
  struct Values {
    var model = AVAudioEnvironmentDistanceAttenuationModel.inverse
    var reference: Float = 1
    var farthest: Float = 100_000
    var rolloff: Float = 1

    /// The gain at a distance in metres.
    func gain(at distance: Double) -> Float {
      model.law.gain(
        at: Float(distance), rolloff: rolloff, reference: reference,
        farthest: max(reference, farthest))
    }
  }

  private let stored = Mutex(Values())
  private weak var owner: AVAudioEnvironmentNode?

  override init() {
    super.init()
  }

  func setOwner(_ node: AVAudioEnvironmentNode) { owner = node }

  var values: Values { stored.withLock { $0 } }

  private func change(_ body: (inout Values) -> Void) {
    stored.withLock { body(&$0) }
    owner?.engine?.levelsChanged()
  }

  /// The attenuation model; `inverse` by default.
  open var distanceAttenuationModel: AVAudioEnvironmentDistanceAttenuationModel {
    get { values.model }
    set { change { $0.model = newValue } }
  }

  /// The distance up to which a source plays at its full level, in metres, at least 0.001; 1 by
  /// default.
  open var referenceDistance: Float {
    get { values.reference }
    set { change { $0.reference = newValue.held(in: 0.001...1e6, else: 1) } }
  }

  /// The distance beyond which a source does not become any quieter, in metres, 0…1,000,000;
  /// 100,000 by default.
  open var maximumDistance: Float {
    get { values.farthest }
    set { change { $0.farthest = newValue.held(in: 0...1e6, else: 100_000) } }
  }

  /// The strength of the attenuation, as a factor of 0…1000; 1 by default.
  open var rolloffFactor: Float {
    get { values.rolloff }
    set { change { $0.rolloff = newValue.held(in: 0...1000, else: 1) } }
  }
}
