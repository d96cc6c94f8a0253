// SPDX-License-Identifier: Apache-2.0

/// Converts frames between channel layouts, with a gain from each source channel to each target
/// channel.
///
/// - From mono: left and right get the same sound.
/// - To mono: the mean of all channels except the low-frequency effects.
/// - To stereo: left and right; the centre, rear and side channels are reduced by 3 dB, and the
///   low-frequency effects are left out. The result is scaled down so that full scale on all
///   channels does not exceed full scale.
/// - Otherwise each channel keeps its position. Channels without a target are left out, and new
///   channels are silent.
///
/// Source: ITU-R BS.775, the downward mixing of multichannel sound.
struct ChannelMatrix {
  let sourceCount: Int
  let targetCount: Int
  /// The gains row by row; each target channel has a row.
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

  /// Creates the conversion between two layouts.
  ///
  /// Conversions from mono, and to mono and stereo, follow the rules above. Otherwise each channel
  /// goes to the same loudspeaker, or to its neighbour if the target does not have that
  /// loudspeaker. A channel with neither is left out.
  init(_ layout: ChannelLayout, to target: ChannelLayout) {
    let (sources, targets) = (layout.roles, target.roles)
    if sources.count > 1, targets.count > 2 || sources.count == targets.count {
      let rows = targets.indices.map { row in
        let place = Self.place(of: targets[row], row, in: sources, targets)
        return sources.indices.map { $0 == place ? 1.0 : 0 }
      }
      self.init(rows, sourceCount: sources.count)
    } else {
      self.init(layout, targetCount: targets.count)
    }
  }

  private init(_ rows: [[Double]], sourceCount: Int) {
    self.sourceCount = sourceCount
    targetCount = rows.count
    gains = rows.flatMap(\.self)
  }

  /// The index of the source channel that a loudspeaker plays, or nil for silence.
  private static func place(
    of role: ChannelRole, _ index: Int, in sources: [ChannelRole], _ targets: [ChannelRole]
  ) -> Int? {
    if role == .unknown { return sources.indices.contains(index) ? index : nil }
    if let place = sources.firstIndex(of: role) { return place }
    // A neighbour with a loudspeaker in the target keeps its own sound.
    let neighbour = role.neighbour.flatMap {
      targets.contains($0) ? nil : sources.firstIndex(of: $0)
    }
    if let neighbour { return neighbour }
    return sources.indices.contains(index) && sources[index] == .unknown ? index : nil
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

  /// Converts interleaved frames to the target layout.
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
  /// The loudspeaker that replaces this one in layouts without it.
  fileprivate var neighbour: ChannelRole? {
    switch self {
    case .left: .frontLeft
    case .frontLeft: .left
    case .right: .frontRight
    case .frontRight: .right
    case .centre: .frontCentre
    case .frontCentre: .centre
    case .rearLeft: .sideLeft
    case .sideLeft: .rearLeft
    case .rearRight: .sideRight
    case .sideRight: .rearRight
    default: nil
    }
  }

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
