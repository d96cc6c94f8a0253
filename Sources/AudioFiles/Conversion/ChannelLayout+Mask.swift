// SPDX-License-Identifier: Apache-2.0

extension ChannelLayout {
  /// What each bit of a mask stands for, the lowest first.
  ///
  /// Source: Microsoft, Multiple Channel Audio Data and WAVE Files; FFmpeg's are the same.
  private static let maskRoles: [ChannelRole] = [
    .left, .right, .centre, .lowFrequency, .rearLeft, .rearRight, .frontLeftOfCentre,
    .frontRightOfCentre, .rearCentre, .sideLeft, .sideRight, .topCentre, .topFrontLeft,
    .topFrontCentre, .topFrontRight, .topRearLeft, .topRearCentre, .topRearRight,
  ]

  /// The layout of a mask's loudspeakers, or the usual one if it does not name as many.
  package init(mask: UInt64, channelCount: Int) {
    let roles = Self.maskRoles.indices.filter { mask >> UInt64($0) & 1 == 1 }
      .map { Self.maskRoles[$0] }
    guard roles.count == channelCount, mask.nonzeroBitCount == channelCount, channelCount > 1 else {
      self = .usual(channelCount: channelCount)
      return
    }
    self.init(roles)
  }

  /// The mask of the loudspeakers, or nil if they are not in its order.
  package var mask: UInt64? {
    if roles == [.mono] { return 1 << 2 }
    let places = roles.map { Self.maskRoles.firstIndex(of: $0) ?? -1 }
    guard !places.contains(-1), zip(places, places.dropFirst()).allSatisfy(<) else { return nil }
    return places.reduce(0) { $0 | 1 << UInt64($1) }
  }
}
