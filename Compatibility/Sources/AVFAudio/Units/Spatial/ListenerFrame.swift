// SPDX-License-Identifier: Apache-2.0
internal import Foundation

/// The listener of an environment: the position, and the directions ahead, above and to the right.
struct ListenerFrame {
  var position = AVAudio3DPoint()
  private(set) var orientation = AVAudio3DVectorOrientation(
    forward: AVAudio3DVector(x: 0, y: 0, z: -1), up: AVAudio3DVector(x: 0, y: 1, z: 0))
  private(set) var angles = AVAudio3DAngularOrientation()

  /// Turns the listener by vectors; vectors without a direction change nothing.
  mutating func turn(to new: AVAudio3DVectorOrientation) {
    guard let ahead = Vector(new.forward).normal,
      let above = (Vector(new.up) - ahead * Vector(new.up).dot(ahead)).normal
    else { return }
    orientation = new
    let yaw = atan2(ahead.x, -ahead.z)
    let pitch = asin(min(1, max(-1, ahead.y)))
    let level = Self.vectors(yaw: yaw, pitch: pitch, roll: 0)
    let roll = atan2(above.dot(level.right), above.dot(level.above))
    angles = AVAudio3DAngularOrientation(
      yaw: Float(yaw * 180 / .pi), pitch: Float(pitch * 180 / .pi), roll: Float(roll * 180 / .pi))
  }

  /// Turns the listener by angles in degrees.
  mutating func turn(to new: AVAudio3DAngularOrientation) {
    guard new.yaw.isFinite, new.pitch.isFinite, new.roll.isFinite else { return }
    angles = new
    let vectors = Self.vectors(
      yaw: Double(new.yaw) * .pi / 180, pitch: Double(new.pitch) * .pi / 180,
      roll: Double(new.roll) * .pi / 180)
    orientation = AVAudio3DVectorOrientation(
      forward: vectors.ahead.point, up: vectors.above.point)
  }

  /// The directions of a head that is turned to the right, then lifted, then tilted to the right.
  private static func vectors(
    yaw: Double, pitch: Double, roll: Double
  ) -> (ahead: Vector, above: Vector, right: Vector) {
    let ahead = Vector(x: sin(yaw) * cos(pitch), y: sin(pitch), z: -cos(yaw) * cos(pitch))
    let above = Vector(x: -sin(yaw) * sin(pitch), y: cos(pitch), z: cos(yaw) * sin(pitch))
    let right = ahead.cross(above)
    return (
      ahead, above * cos(roll) + right * sin(roll), right * cos(roll) - above * sin(roll)
    )
  }

  /// The place of a point for the listener.
  ///
  /// - Parameter point: The point.
  /// - Returns: Degrees to the right, −180…180, degrees upwards, −90…90, and metres.
  func place(of point: AVAudio3DPoint) -> (azimuth: Double, elevation: Double, distance: Double) {
    let way = Vector(point) - Vector(position)
    guard let ahead = Vector(orientation.forward).normal, let up = Vector(orientation.up).normal
    else { return (0, 0, way.length) }
    let right = ahead.cross(up)
    let (x, y, z) = (way.dot(ahead), way.dot(right), way.dot(up))
    return (atan2(y, x) * 180 / .pi, atan2(z, hypot(x, y)) * 180 / .pi, way.length)
  }
}

/// A vector in double precision.
private struct Vector {
  var x: Double
  var y: Double
  var z: Double

  init(x: Double, y: Double, z: Double) {
    (self.x, self.y, self.z) = (x, y, z)
  }

  init(_ point: AVAudio3DPoint) {
    let finite = { (value: Float) in value.isFinite ? Double(value) : 0 }
    (x, y, z) = (finite(point.x), finite(point.y), finite(point.z))
  }

  var point: AVAudio3DPoint { AVAudio3DPoint(x: Float(x), y: Float(y), z: Float(z)) }

  var length: Double { dot(self).squareRoot() }

  /// The vector of length 1; nil for one without a direction.
  var normal: Vector? {
    let length = length
    return length > 1e-9 ? self * (1 / length) : nil
  }

  func dot(_ other: Vector) -> Double { x * other.x + y * other.y + z * other.z }

  func cross(_ other: Vector) -> Vector {
    Vector(
      x: y * other.z - z * other.y, y: z * other.x - x * other.z, z: x * other.y - y * other.x)
  }

  static func + (left: Vector, right: Vector) -> Vector {
    Vector(x: left.x + right.x, y: left.y + right.y, z: left.z + right.z)
  }

  static func - (left: Vector, right: Vector) -> Vector { left + right * -1 }

  static func * (left: Vector, factor: Double) -> Vector {
    Vector(x: left.x * factor, y: left.y * factor, z: left.z * factor)
  }
}
