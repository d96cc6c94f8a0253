// SPDX-License-Identifier: Apache-2.0
package import AudioProcessing
package import MusicalTime

/// The end of the effects' sound: their latency and their tail after the source has ended.
package struct EffectTail {
  private let plan: RenderPlan
  /// The frame at which the effects end; nil before the source has ended.
  private var end: Int64?

  package init(_ plan: RenderPlan) {
    self.plan = plan
  }

  /// Returns true if the effects have ended; call it only after the source has ended.
  ///
  /// - Parameter position: The first frame that is not rendered yet.
  /// - Returns: True if no more sound will follow.
  package mutating func isOver(at position: SampleTime) -> Bool {
    let end = end ?? position.frames + Int64(plan.latency + plan.tail)
    self.end = end
    return position.frames >= end
  }
}
