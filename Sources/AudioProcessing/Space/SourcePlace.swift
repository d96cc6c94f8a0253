// SPDX-License-Identifier: Apache-2.0

/// The direction and gain of a source at the listener.
///
/// - Note: Real-time safe.
struct SourcePlace: BitwiseCopyable {
  /// The direction in the coordinates of the head.
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
