// SPDX-License-Identifier: Apache-2.0

/// Which channels of a device the channels of a plan go to: each to one of its own.
///
/// The map [2, 3] takes left to the device's third channel and right to its fourth, as `--map 3,4`
/// of the command does; the device's others are silent.
public struct ChannelMap: Hashable, Sendable {
  /// The most channels that a device has here.
  public static let mostChannels = 64

  /// The device's channel for each of the plan's, counted from 0.
  public let places: [Int]

  /// Creates a map; nil where there is no place, one beyond 0…63, or one twice.
  public init?(_ places: [Int]) {
    guard !places.isEmpty, places.allSatisfy((0..<Self.mostChannels).contains),
      Set(places).count == places.count
    else { return nil }
    self.places = places
  }

  /// The map of a plan whose channels are the device's first, in their order.
  ///
  /// - Parameter channelCount: 1…64.
  public init(channelCount: Int) {
    precondition(
      (1...Self.mostChannels).contains(channelCount), "the channel count must be 1 to 64")
    places = Array(0..<channelCount)
  }

  /// The channels of the plan.
  public var channelCount: Int { places.count }

  /// The fewest channels that a device must have: one more than the last that is used.
  public var leastDeviceChannels: Int { (places.max() ?? 0) + 1 }
}
