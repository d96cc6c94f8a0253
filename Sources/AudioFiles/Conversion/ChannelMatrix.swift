// SPDX-License-Identifier: Apache-2.0

/// How frames of some channels become frames of others: a gain from each to each.
///
/// - One channel goes to the left and the right alike.
/// - To one channel goes the mean of all but the low-frequency effects.
/// - To two channels go left and right; the centre and what is behind or beside the listener are
///   3 dB softer, and the low-frequency effects are left out. The whole is brought down so that
///   full scale everywhere stays within full scale.
/// - Otherwise channels keep their places; what has none is left out, what is new is silent.
///
/// Source: ITU-R BS.775, the downward mixing of multichannel sound.
struct ChannelMatrix {
  let sourceCount: Int
  let targetCount: Int
  /// Row by row, a row for each target.
  private let gains: [Double]

  init(_ layout: ChannelLayout, targetCount: Int) {
    sourceCount = layout.roles.count
    self.targetCount = targetCount
    let rows: [[Double]] =
      switch (layout.roles.count, targetCount) {
      case (1, _): (0..<targetCount).map { $0 < 2 ? [1] : [0] }
      case (_, 1): [Self.mean(layout)]
      case (3..., 2): Self.stereo(layout)
      default: (0..<targetCount).map { row in layout.roles.indices.map { $0 == row ? 1 : 0 } }
      }
    gains = rows.flatMap(\.self)
  }

  private static func mean(_ layout: ChannelLayout) -> [Double] {
    let heard = layout.roles.map { $0 != .lowFrequency }
    let count = max(1, heard.count { $0 })
    return heard.map { $0 ? 1 / Double(count) : 0 }
  }

  private static func stereo(_ layout: ChannelLayout) -> [[Double]] {
    let pairs = layout.roles.enumerated().map { index, role in
      role.stereoGains(isLeft: index % 2 == 0)
    }
    let left = pairs.map(\.left)
    let right = pairs.map(\.right)
    let scale = 1 / max(1, left.reduce(0, +), right.reduce(0, +))
    return [left.map { $0 * scale }, right.map { $0 * scale }]
  }

  /// The frames in the other form.
  func apply(to samples: [Double]) -> [Double] {
    let count = samples.count / sourceCount
    var result = [Double](repeating: 0, count: count * targetCount)
    for frame in 0..<count {
      for target in 0..<targetCount {
        var sum = 0.0
        for source in 0..<sourceCount {
          sum += samples[frame * sourceCount + source] * gains[target * sourceCount + source]
        }
        result[frame * targetCount + target] = sum
      }
    }
    return result
  }
}

extension ChannelRole {
  fileprivate func stereoGains(isLeft: Bool) -> (left: Double, right: Double) {
    let soft = 0.5.squareRoot()
    switch self {
    case .left, .frontLeft, .frontLeftOfCentre: return (1, 0)
    case .right, .frontRight, .frontRightOfCentre: return (0, 1)
    case .rearLeft, .sideLeft, .topFrontLeft, .topRearLeft: return (soft, 0)
    case .rearRight, .sideRight, .topFrontRight, .topRearRight: return (0, soft)
    case .lowFrequency: return (0, 0)
    case .mono, .centre, .frontCentre: return (soft, soft)
    case .rearCentre, .topCentre, .topFrontCentre, .topRearCentre: return (0.5, 0.5)
    case .unknown, .ambisonicW, .ambisonicX, .ambisonicY, .ambisonicZ:
      return isLeft ? (1, 0) : (0, 1)
    }
  }
}
