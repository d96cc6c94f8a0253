// SPDX-License-Identifier: Apache-2.0
internal import AudioProcessing
public import AudioToolbox
internal import Foundation
internal import MusicalTime
internal import Synchronization
internal import TimeStretching

/// An effect that changes rate and pitch independently, based on `TimePitchUnit`.
///
/// The effect requires the Rubber Band library. If it is missing, `AVAudioEngine.start()` throws an
/// error. Values outside their ranges are clamped.
///
/// - Note: Any thread.
open class AVAudioUnitTimePitch: AVAudioUnitTimeEffect, @unchecked Sendable {
  private struct Values {
    var rate: Float = 1
    var pitch: Float = 0
    var overlap: Float = 8
  }

  private let values = Mutex(Values())

  /// Creates an effect that does not change the rate or the pitch.
  public init() {
    super.init(.timePitch)
  }

  /// Creates an effect from a component description.
  ///
  /// - Parameter audioComponentDescription: The component description. Every description results in
  ///   an effect that changes rate and pitch.
  public init(audioComponentDescription: AudioComponentDescription) {
    super.init(audioComponentDescription)
  }

  /// The playback rate, as a factor of 1/32…32; 1 by default.
  ///
  /// Rates below 0.25 are played as 0.25, and rates above 4 as 4.
  open var rate: Float {
    get { values.withLock(\.rate) }
    set { change { $0.rate = newValue.held(in: 1 / 32...32, else: 1) } }
  }

  /// The pitch shift in cents, −2400…2400; 0 by default.
  open var pitch: Float {
    get { values.withLock(\.pitch) }
    set { change { $0.pitch = newValue.held(in: -2400...2400, else: 0) } }
  }

  /// The overlap between segments of the input, 3…32; 8 by default.
  ///
  /// The value is stored, but not used.
  open var overlap: Float {
    get { values.withLock(\.overlap) }
    set { change { $0.overlap = newValue.held(in: 3...32, else: 8) } }
  }

  private func change(_ body: (inout Values) -> Void) {
    values.withLock { body(&$0) }
    valuesChanged()
  }

  override func makeTimeUnit(_ graph: AudioGraph, _ rate: SampleRate) throws -> any TimeUnit {
    try TimePitchUnit(graph, rate: rate)
  }

  override func apply(to unit: any TimeUnit, over seconds: Double?) {
    let values = values.withLock { $0 }
    unit.parameters.hold(TimePitchUnit.Setting.speed.rawValue, to: values.rate, over: seconds)
    unit.parameters.hold(TimePitchUnit.Setting.pitch.rawValue, to: values.pitch, over: seconds)
  }
}

extension TimePitchUnit: TimeUnit {}
