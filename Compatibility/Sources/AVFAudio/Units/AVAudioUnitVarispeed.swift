// SPDX-License-Identifier: Apache-2.0
internal import AudioProcessing
internal import Foundation
internal import MusicalTime
internal import Synchronization

/// An effect that changes rate and pitch together, like the speed of a tape, based on
/// `VarispeedUnit`.
///
/// - Note: Any thread.
open class AVAudioUnitVarispeed: AVAudioUnitTimeEffect, @unchecked Sendable {
  private let speed = Mutex<Float>(1)

  /// Creates an effect with a rate of 1.
  public init() {
    super.init(.varispeed)
  }

  /// The playback rate, as a factor of 0.25…4; 1 by default.
  ///
  /// Values outside the range are clamped.
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
