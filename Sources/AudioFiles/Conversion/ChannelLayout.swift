// SPDX-License-Identifier: Apache-2.0

/// Which loudspeaker each sample of a frame is for.
public struct ChannelLayout: Hashable, Sendable {
  /// The roles, in the order of the samples.
  public let roles: [ChannelRole]

  /// Creates a layout.
  public init(_ roles: [ChannelRole]) {
    self.roles = roles
  }

  /// The layout of a number of channels where a file names none: mono, stereo, and from three on
  /// the order of WAVE files (5.1 is left, right, centre, low, rear left, rear right).
  ///
  /// Source: Microsoft, Multiple Channel Audio Data and WAVE Files.
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

  /// The layout in a few words: `mono`, `stereo`, `5.1`, or the roles one by one.
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

/// The loudspeaker that a channel is for.
public enum ChannelRole: String, Hashable, Sendable, CaseIterable {
  // In the order of libsndfile's numbers, from 0 on.
  /// Not said.
  case unknown
  /// The only one.
  case mono
  /// Left.
  case left
  /// Right.
  case right
  /// Between left and right.
  case centre
  /// Left, in front.
  case frontLeft = "front left"
  /// Right, in front.
  case frontRight = "front right"
  /// In front, between left and right.
  case frontCentre = "front centre"
  /// Behind.
  case rearCentre = "rear centre"
  /// Left, behind.
  case rearLeft = "rear left"
  /// Right, behind.
  case rearRight = "rear right"
  /// The low-frequency effects.
  case lowFrequency = "low frequency"
  /// Between left and centre.
  case frontLeftOfCentre = "left of centre"
  /// Between centre and right.
  case frontRightOfCentre = "right of centre"
  /// Beside the listener, left.
  case sideLeft = "side left"
  /// Beside the listener, right.
  case sideRight = "side right"
  /// Above.
  case topCentre = "top centre"
  /// Above, in front, left.
  case topFrontLeft = "top front left"
  /// Above, in front, right.
  case topFrontRight = "top front right"
  /// Above, in front.
  case topFrontCentre = "top front centre"
  /// Above, behind, left.
  case topRearLeft = "top rear left"
  /// Above, behind, right.
  case topRearRight = "top rear right"
  /// Above, behind.
  case topRearCentre = "top rear centre"
  /// Ambisonic, without a direction.
  case ambisonicW = "ambisonic W"
  /// Ambisonic, front to back.
  case ambisonicX = "ambisonic X"
  /// Ambisonic, left to right.
  case ambisonicY = "ambisonic Y"
  /// Ambisonic, up and down.
  case ambisonicZ = "ambisonic Z"
}
