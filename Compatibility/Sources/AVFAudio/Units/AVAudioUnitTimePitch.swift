// SPDX-License-Identifier: Apache-2.0
internal import AudioProcessing
public import AudioToolbox
internal import Foundation
internal import MusicalTime
internal import Synchronization
internal import TimeStretching

/// A change of rate and pitch, each separately: a `TimePitchUnit`.
///
/// It needs Rubber Band, as `AVAudioEngine.start()` reports.
///
/// - Note: Any thread.
open class AVAudioUnitTimePitch: AVAudioUnitTimeEffect, @unchecked Sendable {
  private struct Values {
    var rate: Float = 1
    var pitch: Float = 0
    var overlap: Float = 8
  }

  private let values = Mutex(Values())

  /// Creates a node at the rate 1 and the pitch 0.
  public init() {
    super.init(.timePitch)
  }

  /// Creates a node from a description of its type.
  ///
  /// - Parameter audioComponentDescription: The type; every type is a change of rate and pitch.
  public init(audioComponentDescription: AudioComponentDescription) {
    super.init(audioComponentDescription)
  }

  /// The rate as a factor, 1/32…32; 1 by default.
  ///
  /// Sound is played at 0.25…4.
  open var rate: Float {
    get { values.withLock(\.rate) }
    set { change { $0.rate = newValue.held(in: 1 / 32...32, else: 1) } }
  }

  /// The change of pitch in cents, −2400…2400; 0 by default.
  open var pitch: Float {
    get { values.withLock(\.pitch) }
    set { change { $0.pitch = newValue.held(in: -2400...2400, else: 0) } }
  }

  /// The overlap of parts of the sound, 3…32; 8 by default.
  ///
  /// It is stored, but not used.
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
