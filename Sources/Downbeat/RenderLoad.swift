// SPDX-License-Identifier: Apache-2.0
internal import AudioProcessing
internal import MusicalTime

/// How long rendering took, and how long it might have taken, since it was first asked for.
public struct RenderLoad: Hashable, Sendable {
  /// What the render thread has worked, in nanoseconds.
  public var worked: Double
  /// How long what it rendered sounds, in nanoseconds.
  public var sounded: Double

  /// The part of its time that the thread has worked since an earlier load, 0…; 0 where nothing
  /// was rendered meanwhile.
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
