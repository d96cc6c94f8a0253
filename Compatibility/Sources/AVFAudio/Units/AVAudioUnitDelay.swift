// SPDX-License-Identifier: Apache-2.0
internal import AudioProcessing
public import Foundation
internal import MusicalTime

/// A delay effect, based on `DelayUnit`.
///
/// Values outside their ranges are clamped.
///
/// - Note: Any thread.
open class AVAudioUnitDelay: AVAudioUnitEffect, @unchecked Sendable {
  private let live: LiveEffect<DelayValues>

  /// Creates a delay effect with its default values.
  public init() {
    live = LiveEffect(DelayValues())
    super.init(.delay, live)
  }

  /// The delay time, which is the time between echoes, 0…2 s; 1 by default.
  ///
  /// A delay time below 1 ms has the same effect as 1 ms.
  open var delayTime: TimeInterval {
    get { live.values.time }
    set { _ = live.change { $0.time = newValue.held(in: 0...2, else: 1) } }
  }

  /// The level of each echo relative to the one before it, in per cent, −100…100; 50 by default.
  ///
  /// Values beyond ±98 have the same effect as ±98.
  open var feedback: Float {
    get { live.values.feedback }
    set { _ = live.change { $0.feedback = newValue.held(in: -100...100, else: 50) } }
  }

  /// The cutoff frequency of the low-pass filter in the feedback path, in hertz: 10 to half the
  /// sample rate; 15,000 by default.
  open var lowPassCutoff: Float {
    get { live.values.cutoff }
    set {
      let highest = Float(usualFormat.sampleRate / 2)
      _ = live.change { $0.cutoff = newValue.held(in: 10...highest, else: 15_000) }
    }
  }

  /// The share of the echoes in the output, in per cent, 0…100; 100 by default.
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
