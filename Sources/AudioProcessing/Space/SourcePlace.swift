// SPDX-License-Identifier: Apache-2.0

/// Where a source is for the listener, and how loud it is there.
///
/// - Note: Real-time safe.
struct SourcePlace: BitwiseCopyable {
  /// As the head has it.
  let direction: Direction
  let gain: Float

  @_noAllocation @_noLocks
  init(direction: Direction, gain: Float) {
    self.direction = direction
    self.gain = gain
  }

  var azimuth: Double {
    @_noAllocation @_noLocks
    get { direction.azimuth }
  }

  var elevation: Double {
    @_noAllocation @_noLocks
    get { direction.elevation }
  }
}
