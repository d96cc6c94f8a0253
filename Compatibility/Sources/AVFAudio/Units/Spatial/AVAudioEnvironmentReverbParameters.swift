// SPDX-License-Identifier: Apache-2.0
internal import AudioProcessing
internal import Foundation
internal import MusicalTime
internal import Synchronization

/// The settings of an environment's reverb.
///
/// - Note: Any thread.
open class AVAudioEnvironmentReverbParameters: NSObject, @unchecked Sendable {
  // Unchecked: the owner is set once, before others know the object.
  private struct Values {
    var isEnabled = false
    var level: Float = 0
  }

  private let stored = Mutex(Values())
  private let room = LiveEffect(ReverbValues(room: .mediumRoom, mix: 100))
  private let filter: LiveEffect<EqualizerValues>
  private weak var owner: AVAudioEnvironmentNode?

  /// The filter after the reverb; bypassed by default.
  public let filterParameters: AVAudioUnitEQFilterParameters

  override init() {
    let filter = LiveEffect(EqualizerValues(1))
    self.filter = filter
    filterParameters = AVAudioUnitEQFilterParameters(filter, band: 0)
    super.init()
  }

  func setOwner(_ node: AVAudioEnvironmentNode) {
    owner = node
    filterParameters.setOwner(node)
  }

  /// True if the reverb is on; false by default.
  ///
  /// When the value changes, the sound fades to the new state within 5 ms.
  open var enable: Bool {
    get { stored.withLock(\.isEnabled) }
    set {
      let hasChanged = stored.withLock { values in
        defer { values.isEnabled = newValue }
        return values.isEnabled != newValue
      }
      if hasChanged { owner?.replaceUnit() }
    }
  }

  /// The level of the reverb in decibels, −40…40; 0 by default.
  ///
  /// Levels above 24 have the same effect as 24. Values outside the range are clamped.
  open var level: Float {
    get { stored.withLock(\.level) }
    set {
      stored.withLock { $0.level = newValue.held(in: -40...40, else: 0) }
      owner?.engine?.levelsChanged()
    }
  }

  /// Loads a reverb preset.
  ///
  /// - Parameter preset: The preset; without this call it is `mediumRoom`.
  open func loadFactoryReverbPreset(_ preset: AVAudioUnitReverbPreset) {
    _ = room.change { $0.room = preset.room }
  }

  /// Creates the reverb and the filter; both have one stereo bus.
  func makeUnits(_ shape: UnitShape) -> [any ProcessingUnit] {
    [room.makeUnit(shape), filter.makeUnit(shape)].compactMap { $0 }
  }
}
