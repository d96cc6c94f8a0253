// SPDX-License-Identifier: Apache-2.0

/// A point in space in metres: x to the right, y upwards, z backwards.
public struct AVAudio3DPoint: Hashable, BitwiseCopyable, Sendable {
  /// Metres to the right.
  public var x: Float
  /// Metres upwards.
  public var y: Float
  /// Metres backwards.
  public var z: Float

  /// Creates the origin.
  public init() {
    (x, y, z) = (0, 0, 0)
  }

  /// Creates a point.
  ///
  /// - Parameters:
  ///   - x: Metres to the right.
  ///   - y: Metres upwards.
  ///   - z: Metres backwards.
  public init(x: Float, y: Float, z: Float) {
    (self.x, self.y, self.z) = (x, y, z)
  }
}

/// A direction in space; the length does not matter.
public typealias AVAudio3DVector = AVAudio3DPoint

/// The orientation of the listener by two vectors.
public struct AVAudio3DVectorOrientation: Hashable, BitwiseCopyable, Sendable {
  /// The direction in which the listener looks.
  public var forward: AVAudio3DVector
  /// The direction of the top of the head, at a right angle to `forward`.
  public var up: AVAudio3DVector

  /// Creates an orientation of two zero vectors.
  public init() {
    (forward, up) = (AVAudio3DVector(), AVAudio3DVector())
  }

  /// Creates an orientation.
  ///
  /// - Parameters:
  ///   - forward: The direction in which the listener looks.
  ///   - up: The direction of the top of the head.
  public init(forward: AVAudio3DVector, up: AVAudio3DVector) {
    (self.forward, self.up) = (forward, up)
  }
}

/// The orientation of the listener by three angles.
public struct AVAudio3DAngularOrientation: Hashable, BitwiseCopyable, Sendable {
  /// Degrees to the right, −180…180.
  public var yaw: Float
  /// Degrees upwards, −180…180.
  public var pitch: Float
  /// Degrees of tilt to the right, −180…180.
  public var roll: Float

  /// Creates an orientation without a turn.
  public init() {
    (yaw, pitch, roll) = (0, 0, 0)
  }

  /// Creates an orientation.
  ///
  /// - Parameters:
  ///   - yaw: Degrees to the right.
  ///   - pitch: Degrees upwards.
  ///   - roll: Degrees of tilt to the right.
  public init(yaw: Float, pitch: Float, roll: Float) {
    (self.yaw, self.pitch, self.roll) = (yaw, pitch, roll)
  }
}

/// Creates a point.
///
/// - Parameters:
///   - x: Metres to the right.
///   - y: Metres upwards.
///   - z: Metres backwards.
/// - Returns: The point.
public func AVAudioMake3DPoint(_ x: Float, _ y: Float, _ z: Float) -> AVAudio3DPoint {
  AVAudio3DPoint(x: x, y: y, z: z)
}

/// Creates a vector.
///
/// - Parameters:
///   - x: The part to the right.
///   - y: The part upwards.
///   - z: The part backwards.
/// - Returns: The vector.
public func AVAudioMake3DVector(_ x: Float, _ y: Float, _ z: Float) -> AVAudio3DVector {
  AVAudio3DVector(x: x, y: y, z: z)
}

/// Creates an orientation.
///
/// - Parameters:
///   - forward: The direction in which the listener looks.
///   - up: The direction of the top of the head.
/// - Returns: The orientation.
public func AVAudioMake3DVectorOrientation(
  _ forward: AVAudio3DVector, _ up: AVAudio3DVector
) -> AVAudio3DVectorOrientation {
  AVAudio3DVectorOrientation(forward: forward, up: up)
}

/// Creates an orientation.
///
/// - Parameters:
///   - yaw: Degrees to the right.
///   - pitch: Degrees upwards.
///   - roll: Degrees of tilt to the right.
/// - Returns: The orientation.
public func AVAudioMake3DAngularOrientation(
  _ yaw: Float, _ pitch: Float, _ roll: Float
) -> AVAudio3DAngularOrientation {
  AVAudio3DAngularOrientation(yaw: yaw, pitch: pitch, roll: roll)
}
