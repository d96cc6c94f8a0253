// SPDX-License-Identifier: Apache-2.0

/// A point in space, in metres: x to the right, y upwards, z backwards.
public struct AVAudio3DPoint: Hashable, BitwiseCopyable, Sendable {
  /// The x coordinate in metres; positive values are to the right.
  public var x: Float
  /// The y coordinate in metres; positive values are upwards.
  public var y: Float
  /// The z coordinate in metres; positive values are backwards.
  public var z: Float

  /// Creates the origin.
  public init() {
    (x, y, z) = (0, 0, 0)
  }

  /// Creates a point from its coordinates.
  ///
  /// - Parameters:
  ///   - x: The x coordinate in metres; positive values are to the right.
  ///   - y: The y coordinate in metres; positive values are upwards.
  ///   - z: The z coordinate in metres; positive values are backwards.
  public init(x: Float, y: Float, z: Float) {
    (self.x, self.y, self.z) = (x, y, z)
  }
}

/// A direction in space.
///
/// The length of the vector does not matter.
public typealias AVAudio3DVector = AVAudio3DPoint

/// The orientation of the listener, as two vectors.
public struct AVAudio3DVectorOrientation: Hashable, BitwiseCopyable, Sendable {
  /// The direction in which the listener looks.
  public var forward: AVAudio3DVector
  /// The direction from the listener's head upwards, at a right angle to `forward`.
  public var up: AVAudio3DVector

  /// Creates an orientation from two zero vectors.
  public init() {
    (forward, up) = (AVAudio3DVector(), AVAudio3DVector())
  }

  /// Creates an orientation from two vectors.
  ///
  /// - Parameters:
  ///   - forward: The direction in which the listener looks.
  ///   - up: The direction from the listener's head upwards.
  public init(forward: AVAudio3DVector, up: AVAudio3DVector) {
    (self.forward, self.up) = (forward, up)
  }
}

/// The orientation of the listener, as three angles in degrees.
public struct AVAudio3DAngularOrientation: Hashable, BitwiseCopyable, Sendable {
  /// The rotation of the head to the right, in degrees, −180…180.
  public var yaw: Float
  /// The rotation of the head upwards, in degrees, −180…180.
  public var pitch: Float
  /// The tilt of the head to the right, in degrees, −180…180.
  public var roll: Float

  /// Creates an orientation with all angles 0.
  public init() {
    (yaw, pitch, roll) = (0, 0, 0)
  }

  /// Creates an orientation from three angles.
  ///
  /// - Parameters:
  ///   - yaw: The rotation of the head to the right, in degrees.
  ///   - pitch: The rotation of the head upwards, in degrees.
  ///   - roll: The tilt of the head to the right, in degrees.
  public init(yaw: Float, pitch: Float, roll: Float) {
    (self.yaw, self.pitch, self.roll) = (yaw, pitch, roll)
  }
}

/// Creates a point from its coordinates.
///
/// - Parameters:
///   - x: The x coordinate in metres; positive values are to the right.
///   - y: The y coordinate in metres; positive values are upwards.
///   - z: The z coordinate in metres; positive values are backwards.
/// - Returns: The point.
public func AVAudioMake3DPoint(_ x: Float, _ y: Float, _ z: Float) -> AVAudio3DPoint {
  AVAudio3DPoint(x: x, y: y, z: z)
}

/// Creates a vector from its components.
///
/// - Parameters:
///   - x: The component to the right.
///   - y: The component upwards.
///   - z: The component backwards.
/// - Returns: The vector.
public func AVAudioMake3DVector(_ x: Float, _ y: Float, _ z: Float) -> AVAudio3DVector {
  AVAudio3DVector(x: x, y: y, z: z)
}

/// Creates an orientation from two vectors.
///
/// - Parameters:
///   - forward: The direction in which the listener looks.
///   - up: The direction from the listener's head upwards.
/// - Returns: The orientation.
public func AVAudioMake3DVectorOrientation(
  _ forward: AVAudio3DVector, _ up: AVAudio3DVector
) -> AVAudio3DVectorOrientation {
  AVAudio3DVectorOrientation(forward: forward, up: up)
}

/// Creates an orientation from three angles.
///
/// - Parameters:
///   - yaw: The rotation of the head to the right, in degrees.
///   - pitch: The rotation of the head upwards, in degrees.
///   - roll: The tilt of the head to the right, in degrees.
/// - Returns: The orientation.
public func AVAudioMake3DAngularOrientation(
  _ yaw: Float, _ pitch: Float, _ roll: Float
) -> AVAudio3DAngularOrientation {
  AVAudio3DAngularOrientation(yaw: yaw, pitch: pitch, roll: roll)
}
