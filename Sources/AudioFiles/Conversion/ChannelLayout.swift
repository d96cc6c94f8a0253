// SPDX-License-Identifier: Apache-2.0

/// The loudspeaker of each channel of a sound.
public struct ChannelLayout: Hashable, Sendable {
  /// The loudspeakers of the channels, in the order of the channels.
  public let roles: [ChannelRole]

  /// Creates a layout from roles.
  public init(_ roles: [ChannelRole]) {
    self.roles = roles
  }

  /// Returns the layout that is assumed if a file does not state one.
  ///
  /// One channel is mono and two are stereo. From three channels on, the order is that of WAVE
  /// files: 5.1 is left, right, centre, low frequency, rear left, rear right.
  public static func usual(channelCount: Int) -> ChannelLayout {
    switch channelCount {
    case 1: ChannelLayout([.mono])
    case 2: ChannelLayout([.left, .right])
    case 3: ChannelLayout([.left, .right, .centre])
    case 4: ChannelLayout([.left, .right, .rearLeft, .rearRight])
    case 5: ChannelLayout([.left, .right, .centre, .rearLeft, .rearRight])
    case 6: ChannelLayout([.left, .right, .centre, .lowFrequency, .rearLeft, .rearRight])
    case 8:
      ChannelLayout([
        .left, .right, .centre, .lowFrequency, .rearLeft, .rearRight, .sideLeft, .sideRight,
      ])
    default: ChannelLayout(Array(repeating: .unknown, count: channelCount))
    }
  }

  /// A short name: `mono`, `stereo`, `5.1`, or a list of the roles.
  public var name: String {
    switch roles.count {
    case 1: return "mono"
    case 2 where roles != [.unknown, .unknown]: return "stereo"
    case 6 where roles.contains(.lowFrequency): return "5.1"
    case 8 where roles.contains(.lowFrequency): return "7.1"
    default:
      guard roles.contains(where: { $0 != .unknown }) else { return "\(roles.count) channels" }
      return roles.map(\.rawValue).joined(separator: ", ")
    }
  }
}

/// The loudspeaker that a channel is meant for.
public enum ChannelRole: String, Hashable, Sendable, CaseIterable {
  // The cases have the order of libsndfile's numbers, from 0.
  /// The loudspeaker is not stated.
  case unknown
  /// The only channel of a mono sound.
  case mono
  /// The left loudspeaker.
  case left
  /// The right loudspeaker.
  case right
  /// The loudspeaker between left and right.
  case centre
  /// The left front loudspeaker, if a format distinguishes it from `left`.
  case frontLeft = "front left"
  /// The right front loudspeaker, if a format distinguishes it from `right`.
  case frontRight = "front right"
  /// The front centre loudspeaker, if a format distinguishes it from `centre`.
  case frontCentre = "front centre"
  /// The loudspeaker behind the listener.
  case rearCentre = "rear centre"
  /// The loudspeaker behind the listener on the left.
  case rearLeft = "rear left"
  /// The loudspeaker behind the listener on the right.
  case rearRight = "rear right"
  /// The loudspeaker for low-frequency effects (LFE).
  case lowFrequency = "low frequency"
  /// The loudspeaker in front, between left and centre.
  case frontLeftOfCentre = "left of centre"
  /// The loudspeaker in front, between centre and right.
  case frontRightOfCentre = "right of centre"
  /// The loudspeaker at the listener's left side.
  case sideLeft = "side left"
  /// The loudspeaker at the listener's right side.
  case sideRight = "side right"
  /// The loudspeaker above the listener.
  case topCentre = "top centre"
  /// The loudspeaker above, at the front left.
  case topFrontLeft = "top front left"
  /// The loudspeaker above, at the front right.
  case topFrontRight = "top front right"
  /// The loudspeaker above, at the front centre.
  case topFrontCentre = "top front centre"
  /// The loudspeaker above, at the rear left.
  case topRearLeft = "top rear left"
  /// The loudspeaker above, at the rear right.
  case topRearRight = "top rear right"
  /// The loudspeaker above, at the rear centre.
  case topRearCentre = "top rear centre"
  /// The omnidirectional component of first-order ambisonics, not a loudspeaker.
  case ambisonicW = "ambisonic W"
  /// The front-to-back component of first-order ambisonics.
  case ambisonicX = "ambisonic X"
  /// The left-to-right component of first-order ambisonics.
  case ambisonicY = "ambisonic Y"
  /// The vertical component of first-order ambisonics.
  case ambisonicZ = "ambisonic Z"
}
