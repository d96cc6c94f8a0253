// SPDX-License-Identifier: Apache-2.0

/// The assignment of a plan's channels to channels of a device.
///
/// For example, the map [2, 3] sends left to the device's third channel and right to its fourth, as
/// `--map 3,4` of the command does. Channels of the device that are not in the map are silent.
public struct ChannelMap: Hashable, Sendable {
  /// The maximum number of channels of a device: 64.
  public static let mostChannels = 64

  /// For each channel of the plan, the channel of the device that plays it, counted from 0.
  public let places: [Int]

  /// Creates a map; returns nil if the array is empty, or if a channel is outside 0…63 or is used
  /// twice.
  public init?(_ places: [Int]) {
    guard !places.isEmpty, places.allSatisfy((0..<Self.mostChannels).contains),
      Set(places).count == places.count
    else { return nil }
    self.places = places
  }

  /// Creates the map to the first channels of the device, in order.
  ///
  /// - Parameter channelCount: the number of channels, 1…64.
  public init(channelCount: Int) {
    precondition(
      (1...Self.mostChannels).contains(channelCount), "the channel count must be 1 to 64")
    places = Array(0..<channelCount)
  }

  /// The channel count of the plan.
  public var channelCount: Int { places.count }

  /// The minimum channel count of the device: the highest used channel plus one.
  public var leastDeviceChannels: Int { (places.max() ?? 0) + 1 }
}
