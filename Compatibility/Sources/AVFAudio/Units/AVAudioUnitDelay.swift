// SPDX-License-Identifier: Apache-2.0
internal import AudioProcessing
public import Foundation
internal import MusicalTime

/// Echoes: a `DelayUnit`.
///
/// Values outside of their ranges are set to the nearest value.
///
/// - Note: Any thread.
open class AVAudioUnitDelay: AVAudioUnitEffect, @unchecked Sendable {
  private let live: LiveEffect<DelayValues>

  /// Creates a delay.
  public init() {
    live = LiveEffect(DelayValues())
    super.init(.delay, live)
  }

  /// The time to the first echo and between echoes, 0…2 s; 1 by default.
  ///
  /// The shortest is 1 ms.
  open var delayTime: TimeInterval {
    get { live.values.time }
    set { _ = live.change { $0.time = newValue.held(in: 0...2, else: 1) } }
  }

  /// The level of an echo relative to the one before in per cent, −100…100; 50 by default.
  ///
  /// Above 98 and below −98 the echoes fade as with 98.
  open var feedback: Float {
    get { live.values.feedback }
    set { _ = live.change { $0.feedback = newValue.held(in: -100...100, else: 50) } }
  }

  /// The cutoff of a low-pass that each echo passes, 10 Hz to half the sample rate; 15,000 by default.
  open var lowPassCutoff: Float {
    get { live.values.cutoff }
    set {
      let highest = Float(usualFormat.sampleRate / 2)
      _ = live.change { $0.cutoff = newValue.held(in: 10...highest, else: 15_000) }
    }
  }

  /// The share of the echoes in per cent, 0…100; 100 by default.
  open var wetDryMix: Float {
    get { live.values.mix }
    set { _ = live.change { $0.mix = newValue.held(in: 0...100, else: 100) } }
  }
}

/// The values of a delay.
struct DelayValues: EffectValues {
  var time = 1.0
  var feedback: Float = 50
  var cutoff: Float = 15_000
  var mix: Float = 100

  func makeUnits(
    _ rate: SampleRate, channelCount: Int
  ) throws -> (unit: any ProcessingUnit, units: DelayUnit) {
    let unit = DelayUnit(channelCount: channelCount, longestSeconds: 2, rate: rate)
    return (unit, unit)
  }

  func apply(to unit: DelayUnit, over seconds: Double?) {
    unit.set(.time, to: Float(time), over: seconds)
    unit.set(.feedback, to: feedback / 100, over: seconds)
    unit.set(.damping, to: cutoff, over: seconds)
    unit.set(.mix, to: mix / 100, over: seconds)
  }
}
