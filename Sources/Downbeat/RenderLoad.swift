// SPDX-License-Identifier: Apache-2.0
internal import AudioProcessing
internal import MusicalTime

/// The rendering time and the duration of the rendered sound, both since measuring began.
public struct RenderLoad: Hashable, Sendable {
  /// The time that the render thread has worked, in nanoseconds.
  public var worked: Double
  /// The duration of the rendered sound, in nanoseconds.
  public var sounded: Double

  /// Returns the load since an earlier measurement: the working time divided by the duration of the
  /// rendered sound.
  ///
  /// The result is 0 or more; at 1, rendering takes the same time as playing the sound. The result
  /// is 0 if nothing was rendered.
  public func share(since old: RenderLoad) -> Double {
    sounded > old.sounded ? max(0, worked - old.worked) / (sounded - old.sounded) : 0
  }
}

extension SessionMix {
  /// A quantum, in frames.
  private static let quantum = 64.0

  func load(_ rate: SampleRate) -> RenderLoad {
    plan.measuresLoad = true
    let reports = plan.reports
    let quanta = reports.map(\.timedQuantumCount).max() ?? 0
    return RenderLoad(
      worked: reports.reduce(0) { $0 + $1.meanNanoseconds * Double($1.timedQuantumCount) },
      sounded: Double(quanta) * Self.quantum * 1e9 / Double(rate.hertz))
  }
}
