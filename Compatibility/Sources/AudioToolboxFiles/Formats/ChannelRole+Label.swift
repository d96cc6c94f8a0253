// SPDX-License-Identifier: Apache-2.0
package import AudioFiles
package import CCoreAudio

extension ChannelRole {
  /// The label of the channel.
  ///
  /// Rear channels are labelled as in WAVE files: surround channels, unless there are side channels
  /// too.
  ///
  /// - Parameter hasSides: true if the layout has side channels.
  /// - Returns: the label.
  package func label(hasSides: Bool) -> AudioChannelLabel {
    switch self {
    case .unknown: kAudioChannelLabel_Unknown
    case .mono: kAudioChannelLabel_Mono
    case .left, .frontLeft: kAudioChannelLabel_Left
    case .right, .frontRight: kAudioChannelLabel_Right
    case .centre, .frontCentre: kAudioChannelLabel_Center
    case .lowFrequency: kAudioChannelLabel_LFEScreen
    case .rearLeft:
      hasSides ? kAudioChannelLabel_RearSurroundLeft : kAudioChannelLabel_LeftSurround
    case .rearRight:
      hasSides ? kAudioChannelLabel_RearSurroundRight : kAudioChannelLabel_RightSurround
    case .rearCentre: kAudioChannelLabel_CenterSurround
    case .frontLeftOfCentre: kAudioChannelLabel_LeftCenter
    case .frontRightOfCentre: kAudioChannelLabel_RightCenter
    case .sideLeft: kAudioChannelLabel_LeftSurround
    case .sideRight: kAudioChannelLabel_RightSurround
    case .topCentre: kAudioChannelLabel_TopCenterSurround
    case .topFrontLeft: kAudioChannelLabel_VerticalHeightLeft
    case .topFrontCentre: kAudioChannelLabel_VerticalHeightCenter
    case .topFrontRight: kAudioChannelLabel_VerticalHeightRight
    case .topRearLeft: kAudioChannelLabel_TopBackLeft
    case .topRearCentre: kAudioChannelLabel_TopBackCenter
    case .topRearRight: kAudioChannelLabel_TopBackRight
    case .ambisonicW: kAudioChannelLabel_Ambisonic_W
    case .ambisonicX: kAudioChannelLabel_Ambisonic_X
    case .ambisonicY: kAudioChannelLabel_Ambisonic_Y
    case .ambisonicZ: kAudioChannelLabel_Ambisonic_Z
    }
  }

  /// Creates the channel of a label; unknown for labels without a loudspeaker.
  ///
  /// - Parameters:
  ///   - label: the label.
  ///   - hasRear: true if the layout has rear surround channels, so that the surround channels are
  ///     side channels.
  package init(_ label: AudioChannelLabel, hasRear: Bool) {
    self =
      switch label {
      case kAudioChannelLabel_LeftSurround: hasRear ? .sideLeft : .rearLeft
      case kAudioChannelLabel_RightSurround: hasRear ? .sideRight : .rearRight
      case kAudioChannelLabel_LeftTotal, kAudioChannelLabel_HeadphonesLeft,
        kAudioChannelLabel_BinauralLeft, kAudioChannelLabel_XY_X:
        .left
      case kAudioChannelLabel_RightTotal, kAudioChannelLabel_HeadphonesRight,
        kAudioChannelLabel_BinauralRight, kAudioChannelLabel_XY_Y:
        .right
      default: Self.roles[label] ?? .unknown
      }
  }

  private static let roles: [AudioChannelLabel: ChannelRole] = [
    kAudioChannelLabel_Mono: .mono, kAudioChannelLabel_Left: .left,
    kAudioChannelLabel_Right: .right, kAudioChannelLabel_Center: .centre,
    kAudioChannelLabel_LFEScreen: .lowFrequency, kAudioChannelLabel_LeftCenter: .frontLeftOfCentre,
    kAudioChannelLabel_RightCenter: .frontRightOfCentre,
    kAudioChannelLabel_CenterSurround: .rearCentre,
    kAudioChannelLabel_LeftSurroundDirect: .sideLeft,
    kAudioChannelLabel_RightSurroundDirect: .sideRight,
    kAudioChannelLabel_RearSurroundLeft: .rearLeft,
    kAudioChannelLabel_RearSurroundRight: .rearRight,
    kAudioChannelLabel_TopCenterSurround: .topCentre,
    kAudioChannelLabel_VerticalHeightLeft: .topFrontLeft,
    kAudioChannelLabel_VerticalHeightCenter: .topFrontCentre,
    kAudioChannelLabel_VerticalHeightRight: .topFrontRight,
    kAudioChannelLabel_TopBackLeft: .topRearLeft, kAudioChannelLabel_TopBackCenter: .topRearCentre,
    kAudioChannelLabel_TopBackRight: .topRearRight, kAudioChannelLabel_LeftTopRear: .topRearLeft,
    kAudioChannelLabel_CenterTopRear: .topRearCentre,
    kAudioChannelLabel_RightTopRear: .topRearRight, kAudioChannelLabel_Ambisonic_W: .ambisonicW,
    kAudioChannelLabel_Ambisonic_X: .ambisonicX, kAudioChannelLabel_Ambisonic_Y: .ambisonicY,
    kAudioChannelLabel_Ambisonic_Z: .ambisonicZ,
  ]
}
