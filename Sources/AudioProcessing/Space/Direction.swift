// SPDX-License-Identifier: Apache-2.0

/// A direction from the listener, as a vector of length 1.
///
/// - Note: Real-time safe.
struct Direction: BitwiseCopyable {
  var ahead: Double
  var right: Double
  var up: Double

  /// Creates a direction from two angles in degrees.
  @_noAllocation @_noLocks
  init(azimuth: Float, elevation: Float) {
    let across = Self.radians(azimuth)
    let height = Self.radians(elevation)
    ahead = SampleMath.cosine(height) * SampleMath.cosine(across)
    right = SampleMath.cosine(height) * SampleMath.sine(across)
    up = SampleMath.sine(height)
  }

  @_noAllocation @_noLocks
  private static func radians(_ degrees: Float) -> Double { Double(degrees) * .pi / 180 }

  /// The azimuth in degrees to the right of the front, −180…180.
  var azimuth: Double {
    @_noAllocation @_noLocks
    get { SampleMath.angle(right, ahead) * 180 / .pi }
  }

  /// The elevation in degrees above the horizon, −90…90.
  var elevation: Double {
    @_noAllocation @_noLocks
    get {
      let flat = SampleMath.root(Double(ahead * ahead + right * right))
      return SampleMath.angle(up, flat) * 180 / .pi
    }
  }

  /// The angle in degrees, 0…180, between this direction and the direction from a place to the
  /// listener.
  @_noAllocation @_noLocks
  func anglePastListener(from place: Direction) -> Float {
    let cosine = -(ahead * place.ahead + right * place.right + up * place.up)
    let held = min(1, max(-1, cosine))
    return Float(SampleMath.angle(SampleMath.root(1 - held * held), held) * 180 / .pi)
  }
}

/// The orientation of a head.
///
/// - Note: Real-time safe.
struct HeadTurn: BitwiseCopyable {
  private var turn: Direction
  private var nod: Direction
  private var tilt: Direction

  /// A head that is turned to the right, then raised, then tilted to the right, in degrees.
  @_noAllocation @_noLocks
  init(turn: Float, nod: Float, tilt: Float) {
    self.turn = Direction(azimuth: turn, elevation: 0)
    self.nod = Direction(azimuth: nod, elevation: 0)
    self.tilt = Direction(azimuth: tilt, elevation: 0)
  }

  /// Converts a direction to the coordinates of the head.
  @_noAllocation @_noLocks
  func seen(_ direction: Direction) -> Direction {
    var seen = direction
    let (ahead, right) = (direction.ahead, direction.right)
    seen.ahead = ahead * turn.ahead + right * turn.right
    let across = right * turn.ahead - ahead * turn.right
    let flat = seen.ahead
    seen.ahead = flat * nod.ahead + direction.up * nod.right
    let height = direction.up * nod.ahead - flat * nod.right
    seen.right = across * tilt.ahead - height * tilt.right
    seen.up = across * tilt.right + height * tilt.ahead
    return seen
  }
}
