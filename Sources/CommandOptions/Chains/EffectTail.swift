// SPDX-License-Identifier: Apache-2.0
package import AudioProcessing
package import MusicalTime

/// What effects make of a sound that is over: what they hold back, and what sounds on.
package struct EffectTail {
  private let plan: RenderPlan
  /// The frame up to which it is rendered; nil before the end.
  private var end: Int64?

  package init(_ plan: RenderPlan) {
    self.plan = plan
  }

  /// Whether all of it is rendered, asked once the sound is over.
  ///
  /// - Parameter position: the first frame that is not rendered.
  /// - Returns: whether nothing more is to come.
  package mutating func isOver(at position: SampleTime) -> Bool {
    let end = end ?? position.frames + Int64(plan.latency + plan.tail)
    self.end = end
    return position.frames >= end
  }
}
