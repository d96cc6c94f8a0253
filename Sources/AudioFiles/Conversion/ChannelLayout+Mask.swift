// SPDX-License-Identifier: Apache-2.0

extension ChannelLayout {
  /// The loudspeaker of each bit of a mask, from the lowest bit.
  ///
  /// Source: Microsoft, Multiple Channel Audio Data and WAVE Files. FFmpeg uses the same mask.
  private static let maskRoles: [ChannelRole] = [
    .left, .right, .centre, .lowFrequency, .rearLeft, .rearRight, .frontLeftOfCentre,
    .frontRightOfCentre, .rearCentre, .sideLeft, .sideRight, .topCentre, .topFrontLeft,
    .topFrontCentre, .topFrontRight, .topRearLeft, .topRearCentre, .topRearRight,
  ]

  /// Creates the layout of the loudspeakers in a mask, in the order of their bits.
  ///
  /// The layout is the usual one if `channelCount` is 1, or differs from the number of loudspeakers
  /// in the mask.
  package init(mask: UInt64, channelCount: Int) {
    let roles = Self.maskRoles.indices.filter { mask >> UInt64($0) & 1 == 1 }
      .map { Self.maskRoles[$0] }
    guard roles.count == channelCount, mask.nonzeroBitCount == channelCount, channelCount > 1 else {
      self = .usual(channelCount: channelCount)
      return
    }
    self.init(roles)
  }

  /// The WAVE mask of the loudspeakers, or nil if their order is not that of the mask's bits or a
  /// role is not in the mask.
  package var mask: UInt64? {
    if roles == [.mono] { return 1 << 2 }
    let places = roles.map { Self.maskRoles.firstIndex(of: $0) ?? -1 }
    guard !places.contains(-1), zip(places, places.dropFirst()).allSatisfy(<) else { return nil }
    return places.reduce(0) { $0 | 1 << UInt64($1) }
  }
}
