// SPDX-License-Identifier: Apache-2.0

/// The mixture for a source's filter: the responses of the four directions around it.
///
/// - Note: Real-time safe.
struct HeadMixture: BitwiseCopyable {
  /// The offset of each direction's filter, in floats.
  let first: SIMD4<Int>
  /// The weights of the two lower and two upper directions, multiplied by the source's gain.
  let weights: SIMD4<Float>
  /// The delay of each ear, in frames.
  let delays: (left: Float, right: Float)

  @_noAllocation @_noLocks
  init(first: SIMD4<Int>, weights: SIMD4<Float>, delays: (left: Float, right: Float)) {
    self.first = first
    self.weights = weights
    self.delays = delays
  }

  /// True if the weights of the two upper directions are 0, such as for a source on a row of the
  /// grid.
  var isOnRow: Bool {
    @_noAllocation @_noLocks
    get { weights.z == 0 && weights.w == 0 }
  }
}
