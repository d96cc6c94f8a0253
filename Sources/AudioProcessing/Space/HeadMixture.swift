// SPDX-License-Identifier: Apache-2.0

/// What a source's filter is mixed of: the responses of the four directions around it.
///
/// - Note: Real-time safe.
struct HeadMixture: BitwiseCopyable {
  /// Where the filter of each direction begins, in numbers from the first.
  let first: SIMD4<Int>
  /// The share of each, times the source's gain: those below it, then those above.
  let weights: SIMD4<Float>
  /// How much later each ear hears it, in frames.
  let delays: (left: Float, right: Float)

  @_noAllocation @_noLocks
  init(first: SIMD4<Int>, weights: SIMD4<Float>, delays: (left: Float, right: Float)) {
    self.first = first
    self.weights = weights
    self.delays = delays
  }

  /// Whether the two directions above have no share, as where a source is on a row of the grid.
  var isOnRow: Bool {
    @_noAllocation @_noLocks
    get { weights.z == 0 && weights.w == 0 }
  }
}
