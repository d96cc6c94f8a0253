// SPDX-License-Identifier: Apache-2.0
internal import AudioProcessing
internal import Foundation
internal import MusicalTime
internal import Synchronization

/// A change of rate and pitch together, as with a tape: a `VarispeedUnit`.
///
/// - Note: Any thread.
open class AVAudioUnitVarispeed: AVAudioUnitTimeEffect, @unchecked Sendable {
  private let speed = Mutex<Float>(1)

  /// Creates a varispeed at the rate 1.
  public init() {
    super.init(.varispeed)
  }

  /// The rate as a factor, 0.25…4; 1 by default.
  ///
  /// Other values are set to the nearest.
  open var rate: Float {
    get { speed.withLock { $0 } }
    set {
      speed.withLock { $0 = newValue.held(in: 0.25...4, else: 1) }
      valuesChanged()
    }
  }

  override func apply(to unit: any TimeUnit, over seconds: Double?) {
    unit.parameters.hold(VarispeedUnit.Setting.speed.rawValue, to: rate, over: seconds)
  }
}

extension VarispeedUnit: TimeUnit {}
