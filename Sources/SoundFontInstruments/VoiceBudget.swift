// SPDX-License-Identifier: Apache-2.0

/// How many voices an instrument may have, so that each quantum is made within its time.
///
/// What a voice costs is learned from every quantum, so that it holds on any machine and for any
/// song, and nothing has to be tried out before.
///
/// - Note: Real-time safe.
package struct VoiceBudget: BitwiseCopyable, Sendable {
  /// Voices that are always allowed.
  package static var least: Int {
    @_noAllocation @_noLocks
    get { 16 }
  }

  /// What a voice costs in a quantum on a fast machine, in nanoseconds: where learning begins.
  private static var firstCost: Float {
    @_noAllocation @_noLocks
    get { 200 }
  }

  private let polyphony: Int
  private let work: Float
  private var cost = VoiceBudget.firstCost

  /// Creates a budget that knows nothing of the machine.
  ///
  /// - Parameters:
  ///   - polyphony: the most voices there may be.
  ///   - work: the nanoseconds that may be worked in a quantum.
  package init(polyphony: Int, work: Double) {
    self.polyphony = polyphony
    self.work = Float(work)
  }

  /// The voices that may sound, `least`…polyphony.
  package var limit: Int {
    @_noAllocation @_noLocks
    get { min(polyphony, max(Self.least, Int(min(work / cost, 65_536)))) }
  }

  /// Learns from a quantum.
  ///
  /// Few voices tell little of what one of many costs, and are left out. A quantum in which
  /// something else held the thread up counts for twice what was expected at most.
  ///
  /// - Parameters:
  ///   - nanoseconds: how long it took, the work on its events among it.
  ///   - voiceCount: the voices that sounded.
  @_noAllocation @_noLocks
  package mutating func take(nanoseconds: Int64, voiceCount: Int) {
    guard voiceCount >= Self.least, nanoseconds > 0 else { return }
    let seen = Float(nanoseconds) / Float(voiceCount)
    cost += (min(seen, 2 * cost) - cost) / 16
  }
}
