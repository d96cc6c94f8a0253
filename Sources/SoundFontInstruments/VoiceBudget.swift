// SPDX-License-Identifier: Apache-2.0

/// The number of voices that an instrument can render within the time of a quantum.
///
/// The cost of a voice is measured in each quantum, so it is right for any machine and song,
/// without calibration.
///
/// - Note: Real-time safe.
package struct VoiceBudget: BitwiseCopyable, Sendable {
  /// The number of voices that are always allowed.
  package static var least: Int {
    @_noAllocation @_noLocks
    get { 16 }
  }

  /// The initial cost of a voice in a quantum, in nanoseconds, as on a fast machine.
  private static var firstCost: Float {
    @_noAllocation @_noLocks
    get { 200 }
  }

  private let polyphony: Int
  private let work: Float
  private var cost = VoiceBudget.firstCost

  /// Creates a budget without measurements.
  ///
  /// - Parameters:
  ///   - polyphony: the maximum number of voices.
  ///   - work: the allowed time for a quantum, in nanoseconds.
  package init(polyphony: Int, work: Double) {
    self.polyphony = polyphony
    self.work = Float(work)
  }

  /// The number of voices that may sound, `least`…polyphony.
  package var limit: Int {
    @_noAllocation @_noLocks
    get { min(polyphony, max(Self.least, Int(min(work / cost, 65_536)))) }
  }

  /// Adds the measurement of a quantum.
  ///
  /// Quanta with few voices are ignored, because they do not show the cost of one of many voices. A
  /// quantum during which something else delayed the thread counts as at most twice the expected
  /// time.
  ///
  /// - Parameters:
  ///   - nanoseconds: the time of the quantum, including its events.
  ///   - voiceCount: the number of sounding voices.
  @_noAllocation @_noLocks
  package mutating func take(nanoseconds: Int64, voiceCount: Int) {
    guard voiceCount >= Self.least, nanoseconds > 0 else { return }
    let seen = Float(nanoseconds) / Float(voiceCount)
    cost += (min(seen, 2 * cost) - cost) / 16
  }
}
